/** Someone in a line; `leave` takes it out wherever it stands, at constant cost. */
export interface Place<T> {
  readonly value: T;
  leave(): void;
}

export interface WaitingLine<T> {
  readonly length: number;
  join(value: T): Place<T>;
  /** Takes out and returns the first in line. */
  shift(): T | undefined;
}

interface Node<T> {
  value: T;
  previous: Node<T> | undefined;
  next: Node<T> | undefined;
  inLine: boolean;
}

/** First in, first out, with leaving from the middle: a linked list, as thousands wait and many give up. */
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

  return {
    get length() {
      return length;
    },
    join(value) {
      const node: Node<T> = { value, previous: last, next: undefined, inLine: true };
      if (last) last.next = node;
      else first = node;
      last = node;
      length++;
      return { value, leave: () => remove(node) };
    },
    shift() {
      const node = first;
      if (!node) return undefined;
      remove(node);
      return node.value;
    },
  };
}
