import type { Clock } from '../clock.ts';
import { releasedUntil } from '../kinds/cloud-account/brake-hold.ts';
import { brakeOf } from '../kinds/cloud-account/brake-rule.ts';
import type { Recorded } from '../kinds/cloud-account/losses.ts';
import type { Account } from '../kinds/cloud-account/schema.ts';
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
  readonly accountOf: (object: ManagedObject) => Account | undefined;
  readonly earlierActedUntil: Earlier['actedUntil'];
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly time: Pick<ClusterTime, 'latest'>;
}): (recorded: readonly Recorded[]) => readonly Recorded[] {
  const { objectOf, accountOf, earlierActedUntil, clock, time } = options;

  function mayBeDeleted({ key }: Recorded): boolean {
    const object = objectOf(key);
    const { deletionTimestamp, namespace = '' } = object?.metadata ?? {};
    const until = earlierActedUntil(namespace);
    if (!object || deletionTimestamp === undefined || until === undefined) return false;
    const askedAt = Date.parse(deletionTimestamp);
    const actedUntil = time.latest() - (clock.monotonic() - until);
    return askedAt <= actedUntil + SECOND_MILLISECONDS && mayBeSent(object, askedAt);
  }

  /** What the brakes let through is on record before it is sent; what they are not asked about is not. */
  function mayBeSent(object: ManagedObject, askedAt: number): boolean {
    const account = accountOf(object);
    if (!brakeOf(account?.spec, 'Deletion')) return true;
    if (askedAt <= releasedUntil('Deletion', [account, object], time.latest())) return true;
    const isIt = ({ action, key }: { readonly action: string; readonly key: string }) =>
      action === 'Deletion' && key === object.metadata.uid;
    return account?.status?.brakes?.some(isIt) === true;
  }

  return (recorded) => {
    const missing = recorded.filter(({ isThere }) => !isThere);
    if (missing.length === 0 || !missing.every(mayBeDeleted)) return recorded;
    return recorded.filter(({ isThere }) => isThere);
  };
}
