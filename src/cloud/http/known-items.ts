/** The items of a page as they were read, and the text they were read from. */
export interface KnownItems<T> {
  readonly text: Buffer;
  /** As those of a {@link CutText}. */
  readonly bounds: readonly number[];
  readonly items: readonly T[];
}

/** What each page of a list had when it was last read, by the offset it was asked for with. */
export type KnownPages<T> = Map<number, KnownItems<T>>;

/** A page is kept if its items are no longer than this on average: the longest a service has reason to send. Bytes. */
const LONGEST_ITEM_BYTES = 2048;

/** Keeps what a page had, if that is worth the memory of its text. */
export function keepItems<T>(pages: KnownPages<T>, from: number, page: KnownItems<T>): void {
  if (page.text.length <= LONGEST_ITEM_BYTES * (page.items.length + 1)) pages.set(from, page);
  else pages.delete(from);
}

/** Items may have moved so far towards the beginning, since others are gone, or towards the end. */
const GONE_AT_MOST = 16;
const CAME_AT_MOST = 8;

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
  for (let index = 0; index < bounds.length / 2; index++) {
    const begin = bounds[2 * index] ?? 0;
    const end = bounds[2 * index + 1] ?? 0;
    const place = before ? placeOf(before, expected, text, begin, end) : undefined;
    const known = place === undefined ? undefined : before?.items[place];
    items.push(known ?? read(text.toString('utf8', begin, end), index));
    expected = (place ?? expected) + 1;
  }
  return items;
}

/** Where the text before has an item of these bytes; first it is looked where it is expected. */
function placeOf(
  { text: old, bounds, items }: KnownItems<unknown>,
  expected: number,
  text: Buffer,
  begin: number,
  end: number,
): number | undefined {
  const isAt = (place: number): boolean => {
    const from = bounds[2 * place] ?? 0;
    const until = bounds[2 * place + 1] ?? 0;
    return until - from === end - begin && old.compare(text, begin, end, from, until) === 0;
  };
  if (expected < items.length && isAt(expected)) return expected;
  const last = Math.min(items.length - 1, expected + GONE_AT_MOST);
  for (let place = Math.max(0, expected - CAME_AT_MOST); place <= last; place++) if (isAt(place)) return place;
  return undefined;
}
