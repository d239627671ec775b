import type { Occasion } from './script.ts';

/** How often what befell which operation: by what befalls, then by operation. */
export interface Coverage {
  /** A fault struck a message. */
  struck(fault: string, route: string): void;
  /** A process was killed at this moment of a message. */
  killed(moment: Occasion['moment'], route: string): void;
  /** Something that users, people or chance did. */
  acted(what: string): void;
  /** Counts by `fault × operation`, `kill × operation` and act. */
  readonly counts: ReadonlyMap<string, number>;
}

export function createCoverage(): Coverage {
  const counts = new Map<string, number>();
  const count = (key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
  return {
    struck: (fault, route) => count(`fault\t${fault}\t${route}`),
    killed: (moment, route) => count(`kill\t${moment}\t${route}`),
    acted: (what) => count(`act\t${what}\t`),
    counts,
  };
}

/** Adds counts to others. */
export function addCounts(to: Map<string, number>, from: Iterable<readonly [string, number]>): void {
  for (const [key, count] of from) to.set(key, (to.get(key) ?? 0) + count);
}
