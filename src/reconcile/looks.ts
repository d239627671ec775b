import type { Clock } from '../clock.ts';

/** How often somebody may have something looked at by annotation. */
const BY_ANNOTATION = { most: 3, milliseconds: 3 * 60_000 };

/**
 * How often somebody may have something looked at: each look costs requests of a budget that all share, and an annotation
 * or a spec that is written in a loop must not use it up. Keys are UIDs, or whatever names the object for good.
 */
export interface Looks {
  /** Milliseconds until the next look may be taken; 0 when it may be now. */
  wait(key: string): number;
  took(key: string): void;
  drop(key: string): void;
}

/** `most` looks may follow each other at once in a span of so many milliseconds. */
export function createLooks(clock: Clock, { most, milliseconds } = BY_ANNOTATION): Looks {
  const taken = new Map<string, number[]>();
  return {
    wait(key) {
      const [first, ...others] = taken.get(key) ?? [];
      if (first === undefined || others.length < most - 1) return 0;
      return Math.max(0, first + milliseconds - clock.monotonic());
    },
    took(key) {
      const now = clock.monotonic();
      const looks = [...(taken.get(key) ?? []), now].slice(-most);
      // The last ones are at the end, so that those whose time is over are found at the start.
      taken.delete(key);
      taken.set(key, looks);
      for (const [other, times] of taken) {
        if ((times.at(-1) ?? now) + milliseconds > now) break;
        taken.delete(other);
      }
    },
    drop: (key) => void taken.delete(key),
  };
}
