import type { Urgency } from '../cloud/limiter/lanes.ts';
import type { ManagedObject } from './managed-object.ts';

/**
 * How pressing the work on a resource is: what goes, and what is to be taken out of service, goes before what is changed,
 * and that before what nothing is on record of yet. Pure.
 */
export function urgencyOf<T extends ManagedObject>(
  kind: { isUrgent?: ((object: T) => boolean) | undefined },
  object: T,
): Urgency {
  if (object.metadata.deletionTimestamp !== undefined || kind.isUrgent?.(object)) return 'urgent';
  return object.status?.id === undefined ? 'creation' : 'change';
}
