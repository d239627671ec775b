import type { Slot } from './reconciler.ts';

/** A worker in use. */
export interface WorkerSlot extends Slot {
  /** The pass is over. */
  release(): void;
}

/** So many workers, each of which one pass at a time has. */
export interface Workers {
  /** Resolves when a worker is free; it is then in use. For one caller at a time. */
  slot(): Promise<WorkerSlot>;
}

/**
 * A pass that waited goes on at once, even if all workers are in use again by then: the limiters let few go on at a time,
 * and what they let go on has waited long enough.
 */
export function createWorkers(count: number): Workers {
  let used = 0;
  let passes = 0;
  let freed: (() => void) | undefined;

  function give(): void {
    used--;
    if (used >= count) return;
    freed?.();
    freed = undefined;
  }

  return {
    async slot() {
      if (used >= count) {
        await new Promise<void>((resolve) => {
          freed = resolve;
        });
      }
      used++;
      let waits = 0;
      return {
        number: ++passes,
        wait() {
          if (waits++ === 0) give();
          let isOver = false;
          return () => {
            if (isOver) return;
            isOver = true;
            if (--waits === 0) used++;
          };
        },
        release: give,
      };
    },
  };
}
