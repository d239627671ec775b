import type { Clock } from '../../clock.ts';
import { isNotFound } from '../../kubernetes/errors.ts';
import type { KubernetesObject } from '../../kubernetes/objects.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { type Expected, isReady, type Readiness, readinessOf } from './readiness.ts';

/** An object that is to become Ready, and where it lives. */
export interface Watched extends Expected {
  readonly resource: Resource;
}

/** Milliseconds between two looks. */
const INTERVAL_MILLISECONDS = 250;

/** How the objects are at this moment, in the order given. */
async function lookAt(
  cluster: Cluster,
  watched: readonly Watched[],
  clock: Clock,
  signal: AbortSignal,
): Promise<Readiness[]> {
  const places = new Map(
    watched.map(({ resource, namespace }) => [`${resource.plural}/${namespace}`, { resource, namespace }]),
  );
  const objects = new Map<string, KubernetesObject>();
  for (const [place, { resource, namespace }] of places) {
    const { items } = await cluster.client.list<KubernetesObject>(resource, namespace, { signal }).catch(none);
    for (const item of items) objects.set(`${place}/${item.metadata.name}`, item);
  }
  return watched.map(({ resource, ...expected }) =>
    readinessOf(expected, objects.get(`${resource.plural}/${expected.namespace}/${expected.name}`), clock.now()),
  );
}

/** A kind whose CRD somebody has deleted has no objects. */
function none(error: unknown): { items: KubernetesObject[] } {
  if (isNotFound(error)) return { items: [] };
  throw error;
}

/**
 * Looks until all are Ready or the time is up, and gives what was seen last.
 *
 * @param options.deadline by the monotonic clock, milliseconds.
 * @param options.onLook called after each look.
 */
export async function untilReady(
  cluster: Cluster,
  watched: readonly Watched[],
  options: {
    readonly clock: Clock;
    readonly signal: AbortSignal;
    readonly deadline: number;
    readonly onLook: (seen: readonly Readiness[]) => void;
  },
): Promise<Readiness[]> {
  const { clock, signal, deadline, onLook } = options;
  for (;;) {
    const seen = await lookAt(cluster, watched, clock, signal);
    onLook(seen);
    if (seen.every(isReady) || clock.monotonic() >= deadline) return seen;
    await clock.sleep(Math.max(0, Math.min(INTERVAL_MILLISECONDS, deadline - clock.monotonic())), signal);
  }
}

/** Looks again and again; rejects with the signal's reason. */
export async function keepLooking(
  cluster: Cluster,
  watched: readonly Watched[],
  options: {
    readonly clock: Clock;
    readonly signal: AbortSignal;
    readonly onLook: (seen: readonly Readiness[]) => void;
  },
): Promise<never> {
  for (;;) {
    options.onLook(await lookAt(cluster, watched, options.clock, options.signal));
    await options.clock.sleep(INTERVAL_MILLISECONDS, options.signal);
  }
}
