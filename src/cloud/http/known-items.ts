/** The items of a page as they were read, and the text they were read from. */
export interface KnownItems<T> {
  readonly text: Buffer;
  /** As those of a {@link CutText}. */
  readonly bounds: readonly number[];
  readonly items: readonly T[];
}

/** What the pages of a list had, each time it is taken: of the list before, as long as the next is under way. */
export interface KnownList<T> {
  /** What the list before had at this offset. */
  before(from: number): KnownItems<T> | undefined;
  /** Keeps a page of the list under way, which begins with the offset 0, if that is worth the memory of its text. */
  keep(from: number, page: KnownItems<T>): void;
  /** The list came to its end: it is the one before from now on. */
  done(): void;
  /** It failed: nothing is known any more. */
  forget(): void;
}

/** A page is kept if its items are no longer than this on average: the longest a service has reason to send. Bytes. */
const LONGEST_ITEM_BYTES = 2048;
/** A text may stand in a buffer that was made for one this much longer. */
const MOST_SPARE_SHARE = 1 / 4;

/** Only what the last list asked for is kept: a service chooses the offsets, and could have any number of pages kept. */
export function createKnownList<T>(): KnownList<T> {
  let last = new Map<number, KnownItems<T>>();
  let next = new Map<number, KnownItems<T>>();
  return {
    before: (from) => last.get(from),
    keep(from, page) {
      if (from === 0) next = new Map();
      const { text } = page;
      if (text.length > LONGEST_ITEM_BYTES * (page.items.length + 1)) return;
      const isRoomy = text.buffer.byteLength > text.length * (1 + MOST_SPARE_SHARE);
      next.set(from, isRoomy ? { ...page, text: ownCopy(text) } : page);
    },
    done() {
      last = next;
      next = new Map();
    },
    forget() {
      last = new Map();
      next = new Map();
    },
  };
}

/** Short texts share memory, of which each would keep 64 KiB from being freed: this one has its own. */
function ownCopy(text: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(text.length);
  text.copy(copy);
  return copy;
}

/** Items may have moved so far towards the beginning, since others are gone, or towards the end. */
const GONE_AT_MOST = 16;
const CAME_AT_MOST = 8;
/** After so many in a row that stand nowhere near, the text is another: it is looked only where one is expected. */
const MISSES_IN_A_ROW = 64;

/**
 * Reads the items of a text. An item that stands in the text before as it does in this one is the same object: a poll of what
 * did not change costs a comparison of bytes.
 */
export function readItems<T>(
  { text, bounds }: Pick<KnownItems<T>, 'text' | 'bounds'>,
  before: KnownItems<T> | undefined,
  read: (text: string, index: number) => T,
): T[] {
  const items: T[] = [];
  let expected = 0;
  let misses = 0;
  for (let index = 0; index < bounds.length / 2; index++) {
    const begin = bounds[2 * index] ?? 0;
    const end = bounds[2 * index + 1] ?? 0;
    const place = before ? placeOf(before, expected, misses < MISSES_IN_A_ROW, text.subarray(begin, end)) : undefined;
    misses = place === undefined ? misses + 1 : 0;
    const known = place === undefined ? undefined : before?.items[place];
    items.push(known ?? read(text.toString('utf8', begin, end), index));
    expected = (place ?? expected) + 1;
  }
  return items;
}

/** Where the text before has an item of these bytes; first it is looked where it is expected. */
function placeOf(
  { text, bounds, items }: KnownItems<unknown>,
  expected: number,
  isNear: boolean,
  item: Buffer,
): number | undefined {
  const isAt = (place: number): boolean => {
    const from = bounds[2 * place] ?? 0;
    const until = bounds[2 * place + 1] ?? 0;
    return until - from === item.length && text.compare(item, 0, item.length, from, until) === 0;
  };
  if (expected < items.length && isAt(expected)) return expected;
  if (!isNear) return undefined;
  const last = Math.min(items.length - 1, expected + GONE_AT_MOST);
  for (let place = Math.max(0, expected - CAME_AT_MOST); place <= last; place++) if (isAt(place)) return place;
  return undefined;
}
