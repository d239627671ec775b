/** Items of many groups in one line, and of many parties in a group. */
export interface FairLine<T> {
  push(group: string, party: string, item: T): void;
  /** The first item of the next party of the next group that may go. Both then stand behind all others. */
  shift(mayGo: (group: string) => boolean): T | undefined;
}

/** For a party first in, first out; its parties take turns in a group, and so do the groups. Whoever may not go keeps the turn. */
export function createFairLine<T>(): FairLine<T> {
  const groups = createTurns(() => createTurns(() => createLane<T>()));
  return {
    push: (group, party, item) => groups.laneOf(group).laneOf(party).push(item),
    shift: (mayGo) => groups.take(mayGo, (parties) => parties.take(always, (lane) => lane.shift())),
  };
}

const always = () => true;

/** Lanes by name, in the order in which they have their turns. */
function createTurns<L extends { isEmpty(): boolean }>(create: () => L) {
  const lanes = new Map<string, L>();
  return {
    laneOf(name: string): L {
      const lane = lanes.get(name) ?? create();
      lanes.set(name, lane);
      return lane;
    },
    /** What is taken out of the first lane that may go, which then stands behind all others. */
    take<T>(mayGo: (name: string) => boolean, from: (lane: L) => T | undefined): T | undefined {
      for (const [name, lane] of lanes) {
        if (!mayGo(name)) continue;
        const item = from(lane);
        lanes.delete(name);
        if (!lane.isEmpty()) lanes.set(name, lane);
        return item;
      }
      return undefined;
    },
    isEmpty: () => lanes.size === 0,
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
