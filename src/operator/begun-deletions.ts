import type { Clock } from '../clock.ts';
import type { Recorded } from '../kinds/cloud-account/losses.ts';
import type { ClusterTime } from '../kubernetes/cluster-time.ts';
import type { ManagedObject } from '../reconcile/managed-object.ts';
import type { ObjectKey } from '../reconcile/reconciler.ts';
import type { Earlier } from './earlier.ts';

/** Times of the apiserver have whole seconds. Milliseconds. */
const SECOND_MILLISECONDS = 1000;

/**
 * Leaves out what an earlier process may have deleted itself, as it was to, before it ended: many deletions and a crash are no
 * mass loss. As soon as anything else is missing, all of it counts.
 */
export function createBegunDeletions(options: {
  readonly objectOf: (key: ObjectKey) => ManagedObject | undefined;
  readonly earlierActedUntil: Earlier['actedUntil'];
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly time: Pick<ClusterTime, 'latest'>;
}): (recorded: readonly Recorded[]) => readonly Recorded[] {
  const { objectOf, earlierActedUntil, clock, time } = options;

  function mayBeDeleted({ key }: Recorded): boolean {
    const { deletionTimestamp, namespace = '' } = objectOf(key)?.metadata ?? {};
    const until = earlierActedUntil(namespace);
    if (deletionTimestamp === undefined || until === undefined) return false;
    return Date.parse(deletionTimestamp) <= time.latest() - (clock.monotonic() - until) + SECOND_MILLISECONDS;
  }

  return (recorded) => {
    const missing = recorded.filter(({ isThere }) => !isThere);
    if (missing.length === 0 || !missing.every(mayBeDeleted)) return recorded;
    return recorded.filter(({ isThere }) => isThere);
  };
}
