/** Chances that are the same for the same seed. */
export interface Chances {
  /** An integer in [0, below). */
  below(below: number): number;
  /** True once in so many times. */
  oneIn(times: number): boolean;
  pick<T>(from: readonly [T, ...T[]]): T;
  /** Of a list that may be empty. */
  any<T>(from: readonly T[]): T | undefined;
}

/** Mulberry32. */
export function chances(seed: number): Chances {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    oneIn: (times) => below(times) === 0,
    pick: (from) => from[below(from.length)] ?? from[0],
    any: (from) => from[below(from.length)],
  };
}
