import { createHeap } from '../../heap.ts';
import type { Random } from './random.ts';

/** Takes something off the schedule that has not happened yet. */
export type Cancel = () => void;

/**
 * Everything that happens, happens at a moment of virtual time; of what is due at the same moment, chance decides which
 * comes first. Between any two, all promises that can settle do.
 */
export interface Scheduler {
  /** Virtual milliseconds since the start. */
  now(): number;
  after(milliseconds: number, run: () => void): Cancel;
  /** Lives until then, or until `until` says so, asked after each thing that happened. */
  run(end: number, until?: () => boolean): Promise<void>;
  /** Things that are due some time. */
  readonly size: number;
  /** Things that have happened. */
  readonly happened: number;
}

interface Item {
  readonly at: number;
  readonly tie: number;
  run: (() => void) | undefined;
}

export function createScheduler(random: Random): Scheduler {
  const heap = createHeap<Item>((one, other) => one.at < other.at || (one.at === other.at && one.tie < other.tie));
  let now = 0;
  let size = 0;
  let happened = 0;

  function take(end: number): Item | undefined {
    for (;;) {
      const first = heap.peek();
      if (!first || (first.run && first.at > end)) return undefined;
      heap.pop();
      if (first.run) return first;
    }
  }

  return {
    now: () => now,
    get size() {
      return size;
    },
    get happened() {
      return happened;
    },
    after(milliseconds, run) {
      const item: Item = { at: now + Math.max(0, milliseconds), tie: random.next(), run };
      heap.push(item);
      size++;
      return () => {
        if (item.run) size--;
        item.run = undefined;
      };
    },
    run(end, until = () => false) {
      return new Promise((resolve, reject) => {
        function step(): void {
          try {
            const item = until() ? undefined : take(end);
            if (!item?.run) {
              if (now < end && !until()) now = end;
              return resolve();
            }
            const { run } = item;
            item.run = undefined;
            size--;
            now = item.at;
            happened++;
            run();
          } catch (error) {
            return reject(error);
          }
          onceSettled(step);
        }
        onceSettled(step);
      });
    },
  };
}

/** Immediates that are set at a time. The event loop asks the kernel for news once for all of them. */
const TURNS_AT_ONCE = 256;
let turnsLeft = 0;
/** What is done at the next turn. */
let waiting: (() => void)[] = [];

/**
 * Runs it once everything has settled that waits for nothing but promises: all of them come between an immediate and the
 * next.
 */
function onceSettled(run: () => void): void {
  waiting.push(run);
  if (turnsLeft > 0) return;
  turnsLeft = TURNS_AT_ONCE;
  for (let turn = 0; turn < TURNS_AT_ONCE; turn++) setImmediate(takeTurn);
}

function takeTurn(): void {
  turnsLeft--;
  const now = waiting;
  waiting = [];
  for (const run of now) run();
}
