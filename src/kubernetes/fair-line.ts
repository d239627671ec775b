/** Items of many groups in one line. */
export interface FairLine<T> {
  push(group: string, item: T): void;
  /** The first item of the next group that may go. The group then stands behind all others. */
  shift(mayGo: (group: string) => boolean): T | undefined;
}

/** Within a group first in, first out; the groups take turns. Whoever may not go keeps the turn. */
export function createFairLine<T>(): FairLine<T> {
  /** In the order in which the groups have their turns. */
  const groups = new Map<string, Lane<T>>();
  return {
    push(group, item) {
      const lane = groups.get(group) ?? createLane<T>();
      lane.push(item);
      groups.set(group, lane);
    },
    shift(mayGo) {
      for (const [group, lane] of groups) {
        if (!mayGo(group)) continue;
        const item = lane.shift();
        groups.delete(group);
        if (!lane.isEmpty()) groups.set(group, lane);
        return item;
      }
      return undefined;
    },
  };
}

interface Lane<T> {
  push(item: T): void;
  shift(): T | undefined;
  isEmpty(): boolean;
}

/** First in, first out, in constant time on average: the front is cut off only once it is half of the whole. */
function createLane<T>(): Lane<T> {
  let items: T[] = [];
  let head = 0;
  return {
    push(item) {
      items.push(item);
    },
    shift() {
      const item = items[head];
      if (item === undefined) return undefined;
      head++;
      if (head === items.length || (head > 1024 && head * 2 > items.length)) {
        items = items.slice(head);
        head = 0;
      }
      return item;
    },
    isEmpty: () => head === items.length,
  };
}
