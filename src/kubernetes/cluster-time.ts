import type { Clock } from '../clock.ts';

/**
 * The time of the cluster, as the `Date` of its answers tells it. What one process puts on record another reads, on a
 * machine whose clock may differ, or after the clock of the same machine was set.
 */
export interface ClusterTime {
  /** Now, at the latest: milliseconds since the Unix epoch. Until the cluster has answered, by the clock of this process. */
  latest(): number;
  /** Now, at the earliest: a clock that is set forward makes nothing older than it is. Behind after a machine was suspended. */
  earliest(): number;
  /** A moment of the cluster's time by the wall clock of this process: then, or later, but never earlier. */
  toOwn(at: number): number;
  /** An answer to what was begun at `begun` says what time it is. */
  heard(date: unknown, begun: Moment): void;
}

/** One moment by both clocks of this process; milliseconds. */
export interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

/** `Date` is in whole seconds. */
const SECOND_MILLISECONDS = 1000;

export function createClusterTime(clock: Clock): ClusterTime {
  let answer: { readonly date: number; readonly begun: Moment; readonly monotonic: number } | undefined;

  function earliest(): number {
    return answer ? answer.date + clock.monotonic() - answer.monotonic : clock.now();
  }

  return {
    latest() {
      if (!answer) return clock.now();
      const { date, begun } = answer;
      // The monotonic clock stands still while a machine is suspended.
      return date + SECOND_MILLISECONDS + Math.max(clock.monotonic() - begun.monotonic, clock.now() - begun.wall);
    },
    earliest,
    toOwn: (at) => (answer ? clock.now() - (earliest() - at) : at),
    heard(header, begun) {
      const date = typeof header === 'string' ? Date.parse(header) : Number.NaN;
      if (!Number.isNaN(date)) answer = { date, begun, monotonic: clock.monotonic() };
    },
  };
}
