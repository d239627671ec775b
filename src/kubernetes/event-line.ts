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
   * Takes out the one with which least is lost, wherever it is; of these the oldest of the namespace that has the most of
   * them. So nobody's warnings give way to what others do, unless that is to have fewer warnings.
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

  function mostOf(weight: Weight): string | undefined {
    let found: string | undefined;
    let most = 0;
    for (const [namespace, { counts }] of namespaces) {
      if (counts[weight] > most) [found, most] = [namespace, counts[weight]];
    }
    return found;
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
      for (const weight of WEIGHTS) {
        const namespace = mostOf(weight);
        const own = namespace === undefined ? undefined : namespaces.get(namespace);
        if (namespace === undefined || !own) continue;
        for (const [key, item] of own.items) {
          if (item.weight === weight) return remove(namespace, own, key, item);
        }
      }
    },
    clear() {
      namespaces.clear();
      length = 0;
    },
  };
}
