/** How much is lost with an event, the least first: something else tells the same; nothing does; something is wrong. */
const WEIGHTS = ['routine', 'normal', 'warning'] as const;
export type Weight = (typeof WEIGHTS)[number];

/** What can wait in a line. */
interface Weighed {
  readonly weight: Weight;
}

/** What waits of one namespace, the oldest first, and how many of it have each weight. */
interface Own<T> {
  readonly items: Map<string, T>;
  readonly counts: Record<Weight, number>;
}

/** Events that wait to be written, each under a key of its own in its namespace: namespaces take turns. */
export interface EventLine<T extends Weighed> {
  readonly length: number;
  get(namespace: string, key: string): T | undefined;
  add(namespace: string, key: string, item: T): void;
  /** Takes out the oldest of the namespace whose turn it is. */
  next(): [key: string, item: T] | undefined;
  /**
   * Takes out one of the namespace that has most in the line, if that is more than its fair part: the oldest of those with
   * which least is lost. While none has more, the one with which least is lost wherever it is, of the namespace that has
   * the most of them. So of a namespace within its part nothing gives way to who floods the line, whatever with, nor
   * a warning to what is routine for others.
   */
  giveUpOne(): void;
  clear(): void;
}

export function createEventLine<T extends Weighed>(): EventLine<T> {
  /** In the order in which they have their turns. */
  const namespaces = new Map<string, Own<T>>();
  let length = 0;

  function remove(namespace: string, own: Own<T>, key: string, { weight }: T): void {
    own.items.delete(key);
    own.counts[weight]--;
    length--;
    if (own.items.size === 0) namespaces.delete(namespace);
  }

  /** The namespace of which the count is highest, and higher than `least`. */
  function mostBy(count: (own: Own<T>) => number, least: number): readonly [string, Own<T>] | undefined {
    let found: readonly [string, Own<T>] | undefined;
    let most = least;
    for (const one of namespaces) {
      const counted = count(one[1]);
      if (counted > most) [found, most] = [one, counted];
    }
    return found;
  }

  function giveUpOldest(namespace: string, own: Own<T>, weight: Weight): void {
    for (const [key, item] of own.items) {
      if (item.weight === weight) return remove(namespace, own, key, item);
    }
  }

  return {
    get length() {
      return length;
    },
    get: (namespace, key) => namespaces.get(namespace)?.items.get(key),
    add(namespace, key, item) {
      const own = namespaces.get(namespace) ?? { items: new Map(), counts: { routine: 0, normal: 0, warning: 0 } };
      own.items.set(key, item);
      own.counts[item.weight]++;
      namespaces.set(namespace, own);
      length++;
    },
    next() {
      const [turn] = namespaces;
      if (!turn) return undefined;
      const [namespace, own] = turn;
      // It stands behind all others now.
      namespaces.delete(namespace);
      namespaces.set(namespace, own);
      const [oldest] = own.items;
      if (oldest) remove(namespace, own, ...oldest);
      return oldest;
    },
    giveUpOne() {
      const flooding = mostBy(({ items }) => items.size, Math.ceil(length / namespaces.size));
      for (const weight of WEIGHTS) {
        if (flooding && flooding[1].counts[weight] === 0) continue;
        const found = flooding ?? mostBy(({ counts }) => counts[weight], 0);
        if (found) return giveUpOldest(...found, weight);
      }
    },
    clear() {
      namespaces.clear();
      length = 0;
    },
  };
}
