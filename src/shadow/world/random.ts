/** Chance that a seed decides: the same seed gives the same numbers on every machine. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** A whole number from 0 to below `below`. */
  int(below: number): number;
  pick<T>(items: readonly [T, ...T[]] | readonly T[]): T;
  chance(probability: number): boolean;
  /** Numbers of its own, which do not depend on what was drawn from this one. */
  fork(name: string): Random;
}

/** sfc32, whose four words are those of the seed's text, mixed. */
export function createRandom(seed: number | string): Random {
  const text = String(seed);
  let [a, b, c, d] = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 1];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    a = Math.imul(a ^ code, 0x85ebca6b) ^ (b >>> 13);
    b = Math.imul(b ^ (code << 8), 0xc2b2ae35) ^ (a >>> 16);
    c = Math.imul(c ^ a, 0x27d4eb2f) ^ (b >>> 15);
  }
  function next(): number {
    const sum = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return (sum >>> 0) / 0x1_0000_0000;
  }
  for (let round = 0; round < 12; round++) next();
  const int = (below: number): number => Math.floor(next() * below);
  return {
    next,
    int,
    pick<T>(items: readonly T[]): T {
      const item = items[int(items.length)];
      if (item === undefined) throw new RangeError('there is nothing to pick from');
      return item;
    },
    chance: (probability) => next() < probability,
    fork: (name) => createRandom(`${text}/${name}`),
  };
}
