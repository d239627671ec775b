import type { ListChange, Snapshot } from './snapshot.ts';

/** What lists have shown so far. */
export interface Shown<T> {
  /** The last known form of each item, by ID; unlike a snapshot it keeps what an incomplete list does not show. */
  readonly items: ReadonlyMap<string, T>;
  /** Whether a list of the last minutes showed the item. */
  has(id: string): boolean;
  /** Takes over what a list showed at `now`, in monotonic milliseconds; gives what came, went or changed. */
  take(list: Snapshot<T>, now: number): ListChange<T>[];
}

/** What went is remembered for longer than anything new may be missing from lists. Milliseconds. */
const GONE_REMEMBERED_MILLISECONDS = 10 * 60_000;

export function createShown<T>(equal: (a: T, b: T) => boolean): Shown<T> {
  let items: ReadonlyMap<string, T> = new Map();
  /** When items went that a list had shown, the oldest first; monotonic milliseconds. */
  const goneAt = new Map<string, number>();

  function noteGone(before: ReadonlyMap<string, T>, after: ReadonlyMap<string, T>, now: number): void {
    for (const [id, at] of goneAt) if (now - at > GONE_REMEMBERED_MILLISECONDS) goneAt.delete(id);
    for (const id of before.keys()) if (!after.has(id)) goneAt.set(id, now);
  }

  return {
    get items() {
      return items;
    },
    has: (id) => items.has(id) || goneAt.has(id),
    take(list, now) {
      const before = items;
      const merged = list.complete ? list.items : new Map([...before, ...list.items]);
      items = merged;
      noteGone(before, merged, now);
      const changes: ListChange<T>[] = [];
      for (const [id, item] of list.items) {
        const old = before.get(id);
        if (old === undefined) changes.push({ id, new: item });
        else if (old !== item && !equal(old, item)) changes.push({ id, old, new: item });
      }
      for (const [id, old] of before) if (!merged.has(id)) changes.push({ id, old });
      return changes;
    },
  };
}
