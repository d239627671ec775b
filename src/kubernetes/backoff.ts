/** Delays that double while things fail, with half of each left to chance. Milliseconds. */
export interface Backoff {
  next(): number;
  reset(): void;
}

export function createBackoff(base: number, max: number, random: () => number): Backoff {
  let failures = 0;
  return {
    next() {
      const ceiling = Math.min(max, base * 2 ** Math.min(failures, 30));
      failures++;
      return ceiling * (0.5 + random() * 0.5);
    },
    reset() {
      failures = 0;
    },
  };
}
