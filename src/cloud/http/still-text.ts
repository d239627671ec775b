/** The text of a page, cut at its items. */
export interface PageText {
  readonly text: Buffer;
  /** As those of a {@link CutText}. */
  readonly bounds: readonly number[];
}

/**
 * The items of a page without what differs from list to list though an item is the same: `Index`, its place in the list, which
 * nothing reads, and a member that moves.
 */
export interface StillText {
  /** FNV-1a, 32 bits, of an item's still text. */
  hash(index: number): number;
  /** Whether the still text of an item is that of another text's item. */
  isStillAs(index: number, other: StillText, place: number): boolean;
  /** The same of what moves. */
  isMovedAs(index: number, other: StillText, place: number): boolean;
  /** The value of the member that moves; undefined where an item has none, or not exactly one. */
  moving(index: number): string | undefined;
  readonly text: Buffer;
  /** Of each item: where its still text begins, where what moves begins, where that ends, and where the item ends. */
  readonly bounds: Int32Array;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const ZERO = 0x30;
const NINE = 0x39;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const SPACE = 0x20;
const INDEX = Buffer.from('"Index"');
type Bound = 0 | 1 | 2 | 3;
const BOUNDS = 4;

/** `moving`: the name of a member, as it is in JSON with its quotes, whose value is an object with no other in it. */
export function stillTextOf({ text, bounds: cuts }: PageText, moving: Buffer | undefined): StillText {
  const bounds = new Int32Array((cuts.length / 2) * BOUNDS);
  let next = moving ? text.indexOf(moving) : -1;
  const advance = () => (moving && next >= 0 ? text.indexOf(moving, next + 1) : -1);
  for (let index = 0; index < cuts.length / 2; index++) {
    const begin = cuts[2 * index] ?? 0;
    const end = cuts[2 * index + 1] ?? 0;
    while (next >= 0 && next < begin) next = advance();
    let from = end;
    let until = end;
    if (moving && next >= 0 && next < end) {
      const value = openingOf(text, next + moving.length, end);
      next = advance();
      const closing = value === undefined || (next >= 0 && next < end) ? -1 : text.indexOf(CLOSE_BRACE, value);
      if (value !== undefined && closing >= 0 && closing < end) [from, until] = [value, closing + 1];
    }
    bounds.set([Math.min(from, afterIndex(text, begin, end)), from, until, end], BOUNDS * index);
  }
  const at = (index: number, which: Bound) => bounds[BOUNDS * index + which] ?? 0;

  /** Whether the text between two bounds of an item is what another text has there. */
  function isSame(index: number, other: StillText, place: number, from: Bound, until: Bound): boolean {
    const begin = other.bounds[BOUNDS * place + from] ?? 0;
    const end = other.bounds[BOUNDS * place + until] ?? 0;
    const isAsLong = at(index, until) - at(index, from) === end - begin;
    return isAsLong && other.text.compare(text, at(index, from), at(index, until), begin, end) === 0;
  }

  return {
    text,
    bounds,
    hash: (index) => hashOf(text, at(index, 2), at(index, 3), hashOf(text, at(index, 0), at(index, 1))),
    isStillAs: (index, other, place) => isSame(index, other, place, 0, 1) && isSame(index, other, place, 2, 3),
    isMovedAs: (index, other, place) => isSame(index, other, place, 1, 2),
    moving: (index) => (at(index, 1) < at(index, 2) ? text.toString('utf8', at(index, 1), at(index, 2)) : undefined),
  };
}

/** Where an item's members begin behind its index, if that comes first; else the item. */
function afterIndex(text: Buffer, begin: number, end: number): number {
  let at = skipWhite(text, begin, end);
  if (text[at] !== OPEN_BRACE) return begin;
  at = skipWhite(text, at + 1, end);
  if (text[at] !== QUOTE || text.compare(INDEX, 0, INDEX.length, at, Math.min(end, at + INDEX.length)) !== 0)
    return begin;
  at = skipWhite(text, at + INDEX.length, end);
  if (text[at] !== COLON) return begin;
  at = skipWhite(text, at + 1, end);
  const digits = at;
  while (at < end && isDigit(text[at])) at++;
  if (at === digits) return begin;
  at = skipWhite(text, at, end);
  return text[at] === COMMA ? at + 1 : begin;
}

/** Where the object opens that is the value of the name before. */
function openingOf(text: Buffer, afterName: number, end: number): number | undefined {
  const colon = skipWhite(text, afterName, end);
  if (text[colon] !== COLON) return undefined;
  const value = skipWhite(text, colon + 1, end);
  return text[value] === OPEN_BRACE ? value : undefined;
}

function skipWhite(text: Buffer, from: number, end: number): number {
  let at = from;
  while (at < end && (text[at] ?? 0) <= SPACE) at++;
  return at;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

function hashOf(text: Buffer, from: number, until: number, before = 0x811c9dc5): number {
  let hash = before;
  for (let index = from; index < until; index++) hash = Math.imul(hash ^ (text[index] ?? 0), 0x01000193);
  return hash;
}
