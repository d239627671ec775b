import type { KnownItems } from './known-items.ts';
import { type PageText, type StillText, stillTextOf } from './still-text.ts';

/** A member of an item that differs in each list, though nothing was done to the item. */
export interface MovingPart<T> {
  /** Its name in the service's JSON; its value is an object of numbers. */
  readonly member: string;
  /**
   * The item with the value `to` in place of `from`, JSON both; undefined where `from` is not what the item has, or `to` not
   * what it can have.
   */
  moved(item: T, from: string, to: string): T | undefined;
}

/** How the text of an item becomes an item. */
export interface ItemReading<T> {
  read(text: string, index: number): T;
  readonly moving?: MovingPart<T & {}> | undefined;
}

/**
 * Reads the items of a text. One that stands in the text before as it does in this one, wherever, is the same object, and one
 * of which only the moving part differs is made of it: a poll costs a comparison of bytes.
 */
export function readItems<T>(page: PageText, before: KnownItems<T> | undefined, reading: ItemReading<T>): T[] {
  const { text, bounds } = page;
  const items: T[] = [];
  const known = before && knownBy(page, before, reading.moving);
  for (let index = 0; index < bounds.length / 2; index++) {
    items.push(known?.(index) ?? reading.read(text.toString('utf8', bounds[2 * index], bounds[2 * index + 1]), index));
  }
  return items;
}

/** Gives an item of a page as far as it is known from the one before. */
function knownBy<T>(page: PageText, before: KnownItems<T>, part: MovingPart<T & {}> | undefined) {
  const name = part && Buffer.from(JSON.stringify(part.member));
  const now = stillTextOf(page, name);
  const then = stillTextOf(before, name);
  const placeOf = placesIn(then, before.items.length, now);
  return (index: number): T | undefined => {
    const place = placeOf(index);
    const item = place === undefined ? undefined : before.items[place];
    if (place === undefined || item === undefined || item === null) return undefined;
    if (now.isMovedAs(index, then, place)) return item;
    const [from, to] = [then.moving(place), now.moving(index)];
    return from === undefined || to === undefined ? undefined : part?.moved(item, from, to);
  };
}

/** Where the text before has an item of the same still text; it is looked first behind the one that was found last. */
function placesIn(then: StillText, count: number, now: StillText): (index: number) => number | undefined {
  let byHash: Map<number, number> | undefined;
  let expected = 0;

  /** Of several of one hash, the first is found: another is read again. */
  function places(): Map<number, number> {
    const all = new Map<number, number>();
    for (let place = count - 1; place >= 0; place--) all.set(then.hash(place), place);
    return all;
  }

  return (index) => {
    if (expected >= count || !now.isStillAs(index, then, expected)) {
      byHash ??= places();
      const place = byHash.get(now.hash(index));
      if (place === undefined || !now.isStillAs(index, then, place)) return undefined;
      expected = place;
    }
    return expected++;
  };
}
