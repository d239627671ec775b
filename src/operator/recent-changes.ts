import type { Clock } from '../clock.ts';
import type { ChangeLine } from '../reconcile/change-line.ts';

/** A line of the log of changes, and when it was written. */
export interface RecentChange {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly line: ChangeLine;
}

/** So many are kept; some 500 kB at most. */
const MOST_KEPT = 500;

/** The last changes of this process, for who looks at it: the log has all of them. */
export function createRecentChanges(clock: Pick<Clock, 'now'>): {
  add(line: ChangeLine): void;
  /** Newest first. */
  list(): readonly RecentChange[];
} {
  const kept: RecentChange[] = [];
  /** Where the next one goes; once all places are taken, that is where the oldest is. */
  let next = 0;
  return {
    add(line) {
      kept[next] = { at: clock.now(), line };
      next = (next + 1) % MOST_KEPT;
    },
    list: () => [...kept.slice(next), ...kept.slice(0, next)].toReversed(),
  };
}
