import type { KubernetesObject } from '../../kubernetes/objects.ts';
import { EVENTS } from '../../kubernetes/resource.ts';
import { waitingPlan } from '../approve/waiting.ts';
import { approvalIn } from '../changes/told.ts';
import { ClusterError } from '../errors.ts';
import { inTime } from '../in-time.ts';
import { type Kind, kindOf } from '../kinds.ts';
import type { Session } from '../session.ts';
import type { Reported } from '../standing.ts';
import type { ApprovedPlan } from './approval.ts';
import type { References } from './compare.ts';
import type { SeenEvent } from './report.ts';

/** `events.k8s.io/v1`, as far as it is shown. */
interface StoredEvent extends KubernetesObject {
  readonly type?: string;
  readonly reason?: string;
  readonly note?: string;
  readonly eventTime?: string | null;
  readonly series?: { readonly count?: number; readonly lastObservedTime?: string } | null;
  readonly deprecatedLastTimestamp?: string | null;
  readonly deprecatedCount?: number;
}

const MOST_EVENTS = 10;

/** The last events about an object, oldest first; of one that may not be read, why. */
export async function readEvents(
  session: Session,
  object: Reported,
): Promise<{
  readonly events: SeenEvent[] | undefined;
  readonly note?: string;
  /** The plan that was approved last, of which anything was carried out. */
  readonly approved?: ApprovedPlan | undefined;
  /** When the plan that waits was asked for; RFC 3339. */
  readonly askedAt?: string | undefined;
}> {
  const { metadata } = object;
  try {
    const stored = await session.list<StoredEvent>(EVENTS, metadata.namespace ?? 'default', {
      fieldSelector: `regarding.uid=${metadata.uid}`,
    });
    const hash = waitingPlan(object)?.hash;
    return { events: eventsOf(stored), approved: approvedIn(stored), askedAt: hash && askedIn(stored, hash) };
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    return { events: undefined, note: `The events are not shown: ${error.message}.` };
  }
}

/** The hash of the last event about a plan that a person approved. Pure. */
export function approvedIn(stored: readonly StoredEvent[]): ApprovedPlan | undefined {
  const told = stored.flatMap((event) => {
    const hash = approvalIn(event.metadata.annotations);
    return hash === undefined ? [] : [{ hash, at: timeOf(event) }];
  });
  return told.toSorted((a, b) => inTime(a.at, b.at)).at(-1);
}

/** When the plan with this hash was asked for, the first time; undefined where no event tells. Pure. */
export function askedIn(stored: readonly StoredEvent[], hash: string): string | undefined {
  return stored
    .filter(({ reason, note }) => reason === 'ApprovalPending' && note?.includes(`"${hash}"`))
    .map(({ eventTime, metadata }) => eventTime ?? metadata.creationTimestamp)
    .toSorted((a, b) => inTime(a, b))
    .at(0);
}

function timeOf({ series, eventTime, metadata, deprecatedLastTimestamp }: StoredEvent): string | undefined {
  return series?.lastObservedTime ?? deprecatedLastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? undefined;
}

/** Pure. */
export function eventsOf(stored: readonly StoredEvent[]): SeenEvent[] {
  return stored
    .map((event) => ({
      at: timeOf(event),
      type: event.type ?? '',
      reason: event.reason ?? '',
      message: event.note ?? '',
      count: event.series?.count ?? event.deprecatedCount ?? 1,
    }))
    .sort((a, b) => inTime(a.at, b.at))
    .slice(-MOST_EVENTS);
}

/** What the names in a spec stand for at the service, as far as those objects say and may be read. */
export async function readReferences(
  session: Session,
  kind: Kind,
  { spec, status, metadata }: Reported,
): Promise<References> {
  const { namespace } = metadata;
  const applied = status?.['applied'];
  if (kind.kind === 'Sim') {
    const name = nameIn(spec?.['gatewayRef']);
    if (name === undefined && membersOf(applied)['gateway'] === undefined) return {};
    const listed = await quietly(session.list<Reported>(kindOf('MobileGateway'), namespace));
    // Whoever may read the one may not read them all.
    const one =
      listed || name === undefined ? undefined : session.get<Reported>(kindOf('MobileGateway'), namespace, name);
    const ids = idsOf(listed ?? [(await (one && quietly(one))) ?? []].flat());
    return { gatewayID: ids.get(name ?? ''), names: namesOf(ids) };
  }
  const hasRoutes = spec?.['simRoutes'] !== undefined || membersOf(applied)['simRoutes'] !== undefined;
  if (kind.kind === 'MobileGateway' && hasRoutes) {
    const simIDs = idsOf((await quietly(session.list<Reported>(kindOf('Sim'), namespace))) ?? []);
    return { simIDs, names: namesOf(simIDs) };
  }
  return {};
}

/** The account that a resource uses, as its status says; undefined: none does, or it may not be read. */
export async function readAccount(session: Session, { metadata, status }: Reported): Promise<Reported | undefined> {
  const { kind, name } = membersOf(status?.['accountRef']);
  if ((kind !== 'CloudAccount' && kind !== 'ClusterCloudAccount') || typeof name !== 'string') return undefined;
  const namespace = kind === 'CloudAccount' ? metadata.namespace : undefined;
  return quietly(session.get<Reported>(kindOf(kind), namespace, name));
}

/** By name, of the objects that have one. */
function idsOf(objects: readonly Reported[]): ReadonlyMap<string, string> {
  return new Map(
    objects.flatMap(({ metadata, status }) => {
      const id = status?.['id'];
      return typeof id === 'string' ? [[metadata.name, id] satisfies [string, string]] : [];
    }),
  );
}

function namesOf(ids: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...ids].map(([name, id]) => [id, name]));
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function nameIn(reference: unknown): string | undefined {
  if (typeof reference !== 'object' || reference === null || !('name' in reference)) return undefined;
  return typeof reference.name === 'string' ? reference.name : undefined;
}

/** What is missing, or may not be read, is not known. */
async function quietly<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof ClusterError) return undefined;
    throw error;
  }
}
