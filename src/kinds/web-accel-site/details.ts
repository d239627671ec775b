import type { Clock } from '../../clock.ts';
import { NotFoundError } from '../../cloud/errors.ts';
import { type CallOptions, type Lane, lanes } from '../../cloud/limiter/lanes.ts';
import { Annotation } from '../../reconcile/annotations.ts';
import { createKnowledge, type Knowledge, type Known } from '../../reconcile/knowledge.ts';
import type { AccountSession } from '../../reconcile/session.ts';
import type { SiteAnswers, SiteIdentity } from './facts.ts';
import { toIdentity, toSettings } from './observe.ts';
import type { WebAccelSite } from './schema.ts';
import type { ObservedSettings } from './status-schema.ts';

/** What is known of a site beyond the list. */
export interface SiteDetails {
  /** As shown together with the settings; undefined when it comes from the status. */
  readonly identity?: SiteIdentity | undefined;
  readonly settings?: ObservedSettings | undefined;
  readonly accessControl?: readonly string[] | undefined;
  /** When the rules were read, or answered, in this process: apart from the rest. Monotonic milliseconds. */
  readonly rulesAt?: number | undefined;
  /** The service says that there is no such site. */
  readonly absent?: boolean;
  /** Of this process's own writes. */
  readonly answers?: SiteAnswers | undefined;
}

/** See {@link Known}. */
export type KnownSite = Known<SiteDetails>;

/** What to read, and as whose work. */
export interface ReadCall {
  readonly call: Pick<CallOptions, 'lane' | 'party' | 'turn' | 'signal'>;
  readonly settings: boolean;
  readonly accessControl: boolean;
}

/** What is known of each site's settings and access control list, which the list of sites does not show. */
export interface SiteDetailsReader extends Omit<Knowledge<WebAccelSite, SiteDetails>, 'learn' | 'writes'> {
  /** The answer to a write, which changes what is known and leaves the rest. */
  answered(site: WebAccelSite, id: string, details: SiteDetails): void;
  /** When what is known of these fields of a spec was read, or answered, in this process; monotonic milliseconds. */
  readAt(site: WebAccelSite, id: string, fields: readonly string[]): number;
  /** Another resource has the site: what is known of it says nothing of what that one makes of it. */
  left(site: WebAccelSite, id: string): void;
  /**
   * Whether what a person approved was read so long ago that they may approve what they have not seen: then it is read again,
   * once for each approval.
   */
  isOld(site: WebAccelSite, id: string): boolean;
  /** Reads settings, rules or both; whoever asks while a reading is under way shares it. A missing site is no error. */
  read(site: WebAccelSite, session: AccountSession, id: string, call: ReadCall): Promise<void>;
}

/** How many requests a reading takes: settings, and the access control list. */
export const SITE_DETAIL_REQUESTS = 2;

/** What was read is good for steps that are approved so long after. Milliseconds. */
const OLD_MILLISECONDS = 60_000;

export function createSiteDetails(clock: Clock): SiteDetailsReader {
  const knowledge = createKnowledge<WebAccelSite, SiteDetails>(clock, recordedDetails);
  /** By UID, for which approval it was asked last whether what is known is old. */
  const asked = new Map<string, string>();
  /** By UID, whose rules could not be read last: they are read first then, for what is not sent should cost nothing else. */
  const unreadRules = new Set<string>();
  const underWay = new Map<
    string,
    { readonly session: AccountSession; readonly lane: Lane; readonly reading: Promise<void> }
  >();

  async function fetch(site: WebAccelSite, session: AccountSession, id: string, what: ReadCall): Promise<void> {
    const { call } = what;
    const { sites } = session.client;
    const rulesAt = clock.monotonic();
    let at = rulesAt;
    const absent: SiteDetails = { absent: true };
    let value = absent;
    const writes = knowledge.writes(site);
    const { uid } = site.metadata;
    const readRules = async () => {
      if (!what.accessControl) return undefined;
      unreadRules.add(uid);
      const rules = await sites.acl(id, call);
      unreadRules.delete(uid);
      return rules;
    };
    try {
      const first = unreadRules.has(uid) ? await readRules() : undefined;
      const detail = what.settings ? await sites.read(id, call) : undefined;
      const accessControl = first ?? (await readRules());
      const known = knowledge.known(site, id);
      // Rules that were read say nothing of how old the settings are.
      if (!detail && known) ({ at } = known);
      value = {
        ...known?.value,
        ...(detail && { absent: false, identity: toIdentity(detail), settings: toSettings(detail, session.dialect) }),
        ...(accessControl && { accessControl, rulesAt }),
      };
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
    // Something was written meanwhile: what was read may be from before, and the answer to the write is newer.
    if (knowledge.writes(site) !== writes) return;
    // That there is no site says all, whichever part of it was asked for.
    knowledge.learn(site, id, { source: 'read', at, value, isFresh: what.settings || value === absent });
  }

  return {
    ...knowledge,
    answered(site, id, details) {
      const known = knowledge.known(site, id);
      const rulesAt = details.accessControl ? { rulesAt: clock.monotonic() } : {};
      // Rules tell nothing of how old the settings are, nor these of the rules.
      const at = details.settings || !known ? {} : { at: known.at };
      const answers = details.answers && { answers: { ...known?.value.answers, ...details.answers } };
      const value = { ...known?.value, ...details, ...answers, ...rulesAt };
      knowledge.learn(site, id, { source: 'answered', ...at, value });
    },
    isOld(site, id) {
      const { uid, annotations } = site.metadata;
      const approval = annotations?.[Annotation.approve];
      const decision = `${id} ${approval}`;
      if (approval === undefined || asked.get(uid) === decision) return false;
      asked.set(uid, decision);
      const known = knowledge.known(site, id);
      const readAt = Math.min(known?.at ?? 0, known?.value.rulesAt ?? Number.POSITIVE_INFINITY);
      if (known === undefined || clock.monotonic() - readAt <= OLD_MILLISECONDS) return false;
      knowledge.forget(site, id);
      return true;
    },
    readAt(site, id, fields) {
      const { at = Number.NEGATIVE_INFINITY, value } = knowledge.known(site, id) ?? {};
      return fields.includes('accessControl') ? Math.min(at, value?.rulesAt ?? Number.NEGATIVE_INFINITY) : at;
    },
    drop(uid) {
      knowledge.drop(uid);
      unreadRules.delete(uid);
      asked.delete(uid);
    },
    left(site, id) {
      const known = knowledge.known(site, id);
      const isReading = underWay.has(site.metadata.uid);
      const { identity, ...more } = known?.value ?? {};
      if (!isReading && Object.keys(more).length === 0) return;
      // What is being read counts as from before, as after a write.
      knowledge.learn(site, id, { source: 'answered', at: known?.at ?? clock.monotonic(), value: { identity } });
    },
    read(site, session, id, what) {
      const { lane } = what.call;
      const { uid } = site.metadata;
      const shared = underWay.get(uid);
      // One that waits in a lower lane may wait for hours: who is in a hurry does not wait with it.
      const isSoonEnough = shared && lanes.indexOf(shared.lane) <= lanes.indexOf(lane);
      if (isSoonEnough && shared.session === session) return shared.reading;
      const reading = fetch(site, session, id, what).finally(() => {
        if (underWay.get(uid)?.reading === reading) underWay.delete(uid);
      });
      underWay.set(uid, { session, lane, reading });
      return reading;
    },
  };
}

function recordedDetails({ status }: WebAccelSite): SiteDetails | undefined {
  if (status?.settings === undefined) return undefined;
  const { settings, accessControl } = status;
  return { settings, accessControl };
}
