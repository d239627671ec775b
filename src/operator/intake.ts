import type { Priority } from '../kubernetes/work-queue.ts';
import type { ObjectKey } from '../reconcile/reconciler.ts';
import type { Queues } from './queues.ts';

/** The way into the queue: closed until this process acts, for what others do leads to no passes here. */
export interface Intake {
  /** From now on keys get into the queue. */
  open(): void;
  enqueue(key: ObjectKey, priority: Priority): void;
  /** The same, after so many milliseconds; several before then are one. */
  enqueueAfter(key: ObjectKey, milliseconds: number): void;
}

/** `doubt` tells a pass under way that it may work on what was so before. */
export function createIntake(queue: Pick<Queues, 'add' | 'addAfter'>, doubt: (key: ObjectKey) => void): Intake {
  let isOpen = false;
  return {
    open() {
      isOpen = true;
    },
    enqueue(key, priority) {
      if (!isOpen) return;
      queue.add(key, priority);
      doubt(key);
    },
    enqueueAfter(key, milliseconds) {
      if (isOpen) queue.addAfter(key, milliseconds, 'resync');
    },
  };
}
