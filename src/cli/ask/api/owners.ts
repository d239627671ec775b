import { type ManagedKindName, managedKindNames } from '../../../reconcile/kind-names.ts';
import { ClusterError, UsageError } from '../../errors.ts';
import { kindOf } from '../../kinds.ts';
import type { Session } from '../../session.ts';
import type { Reported } from '../../standing.ts';
import { refuseStopped } from '../limit.ts';
import type { ApiPath } from './path.ts';
import { siteSettings, type Written, writtenBy } from './written.ts';

/** What is to be sent, and may be about what a resource looks after. */
export interface Writing {
  readonly method: string;
  readonly path: ApiPath;
  readonly body: object | undefined;
}

/** Of an operation that is not known anything may be written. */
const ANYTHING: Required<Written> = { Sim: 'all', MobileGateway: 'all', WebAccelSite: 'all', SiteCertificate: 'all' };

/**
 * Sees to it that the operator would not undo what is sent. Throws `UsageError` with the resource that asks for something
 * else, or where not all resources can be seen.
 */
export async function refuseOwned(session: Pick<Session, 'list'>, writing: Writing): Promise<void> {
  const written = writtenOf(writing);
  for (const kind of managedKindNames) {
    const fields = written[kind];
    if (fields === undefined || fields.length === 0) continue;
    const owners = (await all(session, kind)).filter((object) => isAbout(writing, object));
    for (const owner of owners) {
      // First: that its spec has `activated` is not what a person has to change then.
      if (kind === 'Sim' && writing.path.segments.at(-1) === 'activate') refuseStopped(owner);
      refuseUndone(kind, owner, fields);
    }
  }
}

/** Which fields of which kinds it writes. Pure. */
export function writtenOf({ method, path, body }: Writing): Written {
  const route = `${method} /${path.segments.map((one) => (/^\d{12}$/.test(one) ? ':id' : one)).join('/')}`;
  const written = Object.hasOwn(writtenBy, route) ? writtenBy[route] : undefined;
  if (!written) return ANYTHING;
  return route === 'PUT /site/:id' ? { WebAccelSite: settingsIn(body) ?? written.WebAccelSite ?? [] } : written;
}

/** Only what is sent of a site is changed; undefined where that is not known by its name. */
function settingsIn(body: object | undefined): (typeof siteSettings)[string][] | undefined {
  const sent: unknown = body && 'Site' in body ? body.Site : undefined;
  if (typeof sent !== 'object' || sent === null) return undefined;
  const fields = Object.keys(sent).map((name) => (Object.hasOwn(siteSettings, name) ? siteSettings[name] : undefined));
  return fields.every((field) => field !== undefined) ? fields : undefined;
}

/** Whoever may not see them all does not know that there is none. */
async function all(session: Pick<Session, 'list'>, kind: ManagedKindName): Promise<Reported[]> {
  try {
    return await session.list<Reported>(kindOf(kind), undefined);
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    throw new UsageError(
      `it can't be seen whether a ${kind} looks after this, whose operator would undo it: ${error.message}`,
      'Have somebody send it who may list them in all namespaces, or send it all the same with --force.',
      { cause: error },
    );
  }
}

/** Its ID or number stands anywhere in what is sent, within something longer, too. */
function isAbout({ path, body }: Writing, { spec, status }: Reported): boolean {
  const sent = `${path.segments.join('/')} ${JSON.stringify(body ?? {})}`;
  const names = [spec?.['resourceID'], spec?.['siteID'], spec?.['iccid'], status?.['id'], status?.['siteID']];
  return names.some((name) => typeof name === 'string' && name !== '' && sent.includes(name));
}

/** What the spec says lasts; what it leaves open is anybody's. */
function refuseUndone(kind: ManagedKindName, { metadata, spec }: Reported, fields: readonly string[] | 'all'): void {
  if (spec?.['managementPolicy'] === 'Observe') return;
  const name = `${kind} ${metadata.namespace}/${metadata.name}`;
  if (fields === 'all') {
    throw new UsageError(
      `the ${name} looks after this, so the operator may undo what is sent`,
      `Change the ${kind} instead; or send it all the same with --force.`,
    );
  }
  const asked = fields.filter((field) => spec?.[field] !== undefined);
  if (asked.length === 0) return;
  throw new UsageError(
    `the ${name} has ${asked.join(' and ')} in its spec, so the operator would undo this`,
    `Change ${asked.map((field) => `spec.${field}`).join(' and ')} there; or send it all the same with --force.`,
  );
}
