import type { Urgency } from '../cloud/limiter/lanes.ts';
import type { Priority } from '../kubernetes/work-queue.ts';
import { type ObjectKey, parseKey } from '../reconcile/reconciler.ts';
import type { WiredKind } from './wiring.ts';

const PRIORITIES: Readonly<Record<Urgency, Priority>> = { urgent: 'deletion', change: 'change', creation: 'creation' };

/**
 * The priority of a pass over what a change concerns: `ordinary`, unless the resource is to go, is urgent otherwise, or is
 * still to be made. So neither a fleet that is made nor what wakes all of it hides the one change a person waits for.
 */
export function priorityOf(kinds: readonly WiredKind[], key: ObjectKey, ordinary: Priority): Priority {
  const { kind } = parseKey(key);
  const urgency = kinds.find(({ reconciler }) => reconciler.kind === kind)?.reconciler.urgencyOf(key);
  return urgency === undefined || urgency === 'change' ? ordinary : PRIORITIES[urgency];
}
