/** Where someone stands in a line; all but the value is the line's own. */
export interface Place<T> {
  readonly value: T;
  readonly order: number;
  previous: Place<T> | undefined;
  next: Place<T> | undefined;
  inLine: boolean;
}

export interface WaitingLine<T> {
  readonly length: number;
  /** Behind those whose order is the same or smaller; by default 0. */
  join(value: T, order?: number): Place<T>;
  /** Takes out who stands there, wherever that is, at constant cost; nobody if that was done before. */
  leave(place: Place<T>): void;
  /** The first in line. */
  first(): T | undefined;
  /** Takes out and returns the first in line. */
  shift(): T | undefined;
}

/**
 * First in, first out among those of one order, with leaving from the middle: a linked list, as thousands wait and many
 * give up. Who joins looks for his place from both ends: it is at the end for all but those whose work began long ago.
 */
export function createWaitingLine<T>(): WaitingLine<T> {
  let first: Place<T> | undefined;
  let last: Place<T> | undefined;
  let length = 0;

  function remove(place: Place<T>): void {
    if (!place.inLine) return;
    place.inLine = false;
    length--;
    if (place.previous) place.previous.next = place.next;
    else first = place.next;
    if (place.next) place.next.previous = place.previous;
    else last = place.previous;
    place.previous = undefined;
    place.next = undefined;
  }

  /** Behind whom one of that order goes. */
  function placeOf(order: number): Place<T> | undefined {
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
      const place: Place<T> = { value, order, previous: before, next, inLine: true };
      if (before) before.next = place;
      else first = place;
      if (next) next.previous = place;
      else last = place;
      length++;
      return place;
    },
    leave: remove,
    first: () => first?.value,
    shift() {
      const place = first;
      if (!place) return undefined;
      remove(place);
      return place.value;
    },
  };
}
