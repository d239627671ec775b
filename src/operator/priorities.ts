import type { Priority } from '../kubernetes/work-queue.ts';
import { type ObjectKey, parseKey } from '../reconcile/reconciler.ts';
import type { WiredKind } from './wiring.ts';

/** What somebody waits for. */
const AWAITED: ReadonlySet<Priority> = new Set(['change', 'observation']);

/**
 * The priority of a pass over what a change concerns, or an observation: as asked, unless the resource is to go, is urgent
 * otherwise, or is still to be made. So neither a fleet that is made nor what wakes all of it hides the one change a person
 * waits for, and what is half made goes before what is not begun: the first of a thousand is not the last to be Ready.
 */
export function priorityOf(kinds: readonly WiredKind[], key: ObjectKey, asked: Priority): Priority {
  if (!AWAITED.has(asked)) return asked;
  const { kind } = parseKey(key);
  const reconciler = kinds.find((one) => one.reconciler.kind === kind)?.reconciler;
  switch (reconciler?.urgencyOf(key)) {
    case 'urgent':
      return 'deletion';
    case 'creation':
      return reconciler.isBegun(key) ? 'begun' : 'creation';
    case 'change':
    case undefined:
      return asked;
  }
}
