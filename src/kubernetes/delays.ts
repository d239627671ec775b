import type { Clock } from '../clock.ts';
import { createHeap } from '../heap.ts';

/** What is to happen later, of each item once: with several times the earliest holds. */
export interface Delays<T> {
  /** Milliseconds, monotonic; of several ranks the lowest holds. */
  put(item: T, at: number, rank: number): void;
  drop(item: T): void;
  has(item: T): boolean;
  /** How many are kept, those included that do not count any more. */
  readonly size: number;
  /** Nothing comes any more. */
  stop(): void;
}

interface Delay<T> {
  readonly at: number;
  readonly order: number;
  readonly rank: number;
  readonly item: T;
}

/** The one timer there is, for the earliest delay. */
interface Alarm {
  readonly at: number;
  readonly cancel: () => void;
}

/** So many that do not count any more may stay, beside as many as count. */
const HUSKS = 1000;

/** `release` is called when the time of an item has come. */
export function createDelays<T>(clock: Clock, release: (item: T, rank: number) => void): Delays<T> {
  const pending = new Map<T, Delay<T>>();
  const createEmpty = () => createHeap<Delay<T>>((a, b) => a.at < b.at || (a.at === b.at && a.order < b.order));
  /** A delay that was dropped, or gave way to another, stays as a husk: it is not its item's any more. */
  let heap = createEmpty();
  let order = 0;
  let alarm: Alarm | undefined;
  let isStopped = false;

  function setAlarm(): void {
    const next = heap.peek();
    if (isStopped || !next || (alarm && alarm.at <= next.at)) return;
    alarm?.cancel();
    const cancel = clock.after(Math.max(0, next.at - clock.monotonic()), () => {
      alarm = undefined;
      releaseAll();
    });
    alarm = { at: next.at, cancel };
  }

  function releaseAll(): void {
    const now = clock.monotonic();
    for (let next = heap.peek(); next !== undefined; next = heap.peek()) {
      const isHusk = pending.get(next.item) !== next;
      if (!isHusk && next.at > now) break;
      heap.pop();
      if (isHusk) continue;
      pending.delete(next.item);
      release(next.item, next.rank);
    }
    setAlarm();
  }

  /** Whoever is looked at again and again leaves a husk each time, until the time that it would have waited. */
  function clear(): void {
    if (heap.size <= 2 * pending.size + HUSKS) return;
    heap = createEmpty();
    for (const delay of pending.values()) heap.push(delay);
  }

  return {
    put(item, at, rank) {
      const before = pending.get(item);
      const delay: Delay<T> = {
        at: before ? Math.min(at, before.at) : at,
        order: order++,
        rank: before ? Math.min(rank, before.rank) : rank,
        item,
      };
      if (before && before.at === delay.at && before.rank === delay.rank) return;
      pending.set(item, delay);
      heap.push(delay);
      clear();
      setAlarm();
    },
    drop: (item) => void pending.delete(item),
    has: (item) => pending.has(item),
    get size() {
      return heap.size;
    },
    stop() {
      isStopped = true;
      alarm?.cancel();
    },
  };
}
