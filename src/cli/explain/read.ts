import type { KubernetesObject } from '../../kubernetes/objects.ts';
import { EVENTS } from '../../kubernetes/resource.ts';
import { ClusterError } from '../errors.ts';
import { type Kind, kindOf } from '../kinds.ts';
import type { Session } from '../session.ts';
import type { Reported } from '../standing.ts';
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
  { metadata }: Reported,
): Promise<{ readonly events: SeenEvent[] | undefined; readonly note?: string }> {
  try {
    const stored = await session.list<StoredEvent>(EVENTS, metadata.namespace ?? 'default', {
      fieldSelector: `regarding.uid=${metadata.uid}`,
    });
    return { events: eventsOf(stored) };
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    return { events: undefined, note: `The events are not shown: ${error.message}.` };
  }
}

/** Pure. */
export function eventsOf(stored: readonly StoredEvent[]): SeenEvent[] {
  return stored
    .map(({ type, reason, note, series, eventTime, metadata, ...deprecated }) => ({
      at:
        series?.lastObservedTime ??
        deprecated.deprecatedLastTimestamp ??
        eventTime ??
        metadata.creationTimestamp ??
        undefined,
      type: type ?? '',
      reason: reason ?? '',
      message: note ?? '',
      count: series?.count ?? deprecated.deprecatedCount ?? 1,
    }))
    .sort((a, b) => Date.parse(a.at ?? '') - Date.parse(b.at ?? ''))
    .slice(-MOST_EVENTS);
}

/** What the names in a spec stand for at the service, as far as those objects say and may be read. */
export async function readReferences(session: Session, kind: Kind, { spec, metadata }: Reported): Promise<References> {
  const idOf = (object: Reported | undefined) => {
    const id = object?.status?.['id'];
    return typeof id === 'string' ? id : undefined;
  };
  if (kind.kind === 'Sim') {
    const name = nameIn(spec?.['gatewayRef']);
    if (name === undefined) return {};
    return { gatewayID: idOf(await quietly(session.get<Reported>(kindOf('MobileGateway'), metadata.namespace, name))) };
  }
  if (kind.kind === 'MobileGateway' && spec?.['simRoutes'] !== undefined) {
    const sims = (await quietly(session.list<Reported>(kindOf('Sim'), metadata.namespace))) ?? [];
    return {
      simIDs: new Map(
        sims.flatMap((sim) => {
          const id = idOf(sim);
          return id === undefined ? [] : [[sim.metadata.name, id] satisfies [string, string]];
        }),
      ),
    };
  }
  return {};
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
