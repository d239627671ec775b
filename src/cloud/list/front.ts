import { createHeap } from '../../heap.ts';

/** The first by an order of items that come and go: what each costs grows with the logarithm of how many there are. */
export interface Front<T> {
  /** Of what is in the set by now. */
  add(item: T): void;
  first(): T | undefined;
}

/** Besides those that are there, so many that have left are kept. */
const SPARE = 64;

/** `all` is whoever is there: what leaves it has left, wherever it stood. */
export function createFront<T>(all: ReadonlySet<T>, isBefore: (a: T, b: T) => boolean): Front<T> {
  let heap = createHeap(isBefore);
  return {
    add(item) {
      heap.push(item);
      // Those in front may stay for good while others come and go behind them.
      if (heap.size <= 2 * all.size + SPARE) return;
      heap = createHeap(isBefore);
      for (const one of all) heap.push(one);
    },
    first() {
      for (let item = heap.peek(); item !== undefined; item = heap.peek()) {
        if (all.has(item)) return item;
        heap.pop();
      }
      return undefined;
    },
  };
}
