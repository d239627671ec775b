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

/** `priorityOf` is that of a pass over what has changed. */
export function createIntake(
  queue: Pick<Queues, 'add' | 'addAfter'>,
  priorityOf: (key: ObjectKey) => Priority,
): Intake {
  let isOpen = false;
  return {
    open() {
      isOpen = true;
    },
    enqueue(key, priority) {
      if (isOpen) queue.add(key, priority === 'change' ? priorityOf(key) : priority);
    },
    enqueueAfter(key, milliseconds) {
      if (isOpen) queue.addAfter(key, milliseconds, 'resync');
    },
  };
}
