/** Someone in a line; `leave` takes it out wherever it stands, at constant cost. */
export interface Place<T> {
  readonly value: T;
  leave(): void;
}

export interface WaitingLine<T> {
  readonly length: number;
  /** Behind those whose order is the same or smaller; by default 0. */
  join(value: T, order?: number): Place<T>;
  /** The first in line. */
  first(): T | undefined;
  /** Takes out and returns the first in line. */
  shift(): T | undefined;
}

interface Node<T> {
  value: T;
  order: number;
  previous: Node<T> | undefined;
  next: Node<T> | undefined;
  inLine: boolean;
}

/**
 * First in, first out among those of one order, with leaving from the middle: a linked list, as thousands wait and many
 * give up. Who joins looks for his place from both ends: it is at the end for all but those whose work began long ago.
 */
export function createWaitingLine<T>(): WaitingLine<T> {
  let first: Node<T> | undefined;
  let last: Node<T> | undefined;
  let length = 0;

  function remove(node: Node<T>): void {
    if (!node.inLine) return;
    node.inLine = false;
    length--;
    if (node.previous) node.previous.next = node.next;
    else first = node.next;
    if (node.next) node.next.previous = node.previous;
    else last = node.previous;
  }

  /** Behind whom one of that order goes. */
  function placeOf(order: number): Node<T> | undefined {
    let behind = last;
    let ahead = first;
    while (behind && behind.order > order) {
      if (ahead && ahead.order > order) return ahead.previous;
      behind = behind.previous;
      ahead = ahead?.next;
    }
    return behind;
  }

  return {
    get length() {
      return length;
    },
    join(value, order = 0) {
      const before = placeOf(order);
      const next = before ? before.next : first;
      const node: Node<T> = { value, order, previous: before, next, inLine: true };
      if (before) before.next = node;
      else first = node;
      if (next) next.previous = node;
      else last = node;
      length++;
      return { value, leave: () => remove(node) };
    },
    first: () => first?.value,
    shift() {
      const node = first;
      if (!node) return undefined;
      remove(node);
      return node.value;
    },
  };
}
