/** A binary heap: the smallest comes out first. O(log n) to push and pop. */
export interface Heap<T> {
  readonly size: number;
  push(item: T): void;
  peek(): T | undefined;
  pop(): T | undefined;
}

export function createHeap<T>(isLess: (a: T, b: T) => boolean): Heap<T> {
  const items: T[] = [];

  function at(index: number): T {
    const item = items[index];
    if (item === undefined) throw new RangeError(`no item at ${index}`);
    return item;
  }

  function swap(a: number, b: number): void {
    const item = at(a);
    items[a] = at(b);
    items[b] = item;
  }

  function siftUp(from: number): void {
    for (let index = from; index > 0; ) {
      const parent = (index - 1) >> 1;
      if (!isLess(at(index), at(parent))) return;
      swap(index, parent);
      index = parent;
    }
  }

  function siftDown(): void {
    for (let index = 0; ; ) {
      const left = 2 * index + 1;
      if (left >= items.length) return;
      const right = left + 1;
      const child = right < items.length && isLess(at(right), at(left)) ? right : left;
      if (!isLess(at(child), at(index))) return;
      swap(index, child);
      index = child;
    }
  }

  return {
    get size() {
      return items.length;
    },
    push(item) {
      items.push(item);
      siftUp(items.length - 1);
    },
    peek: () => items[0],
    pop() {
      const first = items[0];
      const last = items.pop();
      if (items.length > 0 && last !== undefined) {
        items[0] = last;
        siftDown();
      }
      return first;
    },
  };
}
