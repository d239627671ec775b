/** A repeatable source of chance: what one seed did wrong it does wrong again. */
export interface Chance {
  /** 0 (included) to 1 (not). */
  fraction(): number;
  /** A whole number from 0 to `count - 1`. */
  below(count: number): number;
  /** True in so many of one cases. */
  oneIn(cases: number): boolean;
  of<T>(values: readonly T[]): T;
}

/** Mulberry32. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  function fraction(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  }
  const below = (count: number) => Math.floor(fraction() * count);
  return {
    fraction,
    below,
    oneIn: (cases) => below(cases) === 0,
    of(values) {
      for (const value of values.slice(below(values.length))) return value;
      throw new Error('there is nothing to choose from');
    },
  };
}
