import type { Clock } from '../clock.ts';

/** So many looks may follow each other at once; after that there is one for each part of the span. */
const MOST_LOOKS = 3;
/** Milliseconds. */
const SPAN_MILLISECONDS = 3 * 60_000;

/**
 * How often somebody may have something looked at by annotation: each look costs requests of a budget that all share,
 * and an annotation written in a loop must not use it up. Keys are UIDs, or whatever names the object for good.
 */
export interface Looks {
  /** Milliseconds until the next look may be taken; 0 when it may be now. */
  wait(key: string): number;
  took(key: string): void;
  drop(key: string): void;
}

export function createLooks(clock: Clock): Looks {
  const taken = new Map<string, number[]>();
  return {
    wait(key) {
      const [first, ...others] = taken.get(key) ?? [];
      if (first === undefined || others.length < MOST_LOOKS - 1) return 0;
      return Math.max(0, first + SPAN_MILLISECONDS - clock.monotonic());
    },
    took: (key) => void taken.set(key, [...(taken.get(key) ?? []), clock.monotonic()].slice(-MOST_LOOKS)),
    drop: (key) => void taken.delete(key),
  };
}
