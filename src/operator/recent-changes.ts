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
  return {
    add(line) {
      kept.push({ at: clock.now(), line });
      if (kept.length > MOST_KEPT) kept.shift();
    },
    list: () => kept.toReversed(),
  };
}
