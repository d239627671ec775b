import type { ListMemory } from '../list/memory.ts';
import type { PageText } from './still-text.ts';

/** The items of a page as they were read, and the text they were read from. */
export interface KnownItems<T> extends PageText {
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

/**
 * Only what the last list asked for is kept: a service chooses the offsets, and could have any number of pages kept. The
 * texts are kept in memory that no list needs; without `memory` there is always enough.
 */
export function createKnownList<T>(memory?: ListMemory): KnownList<T> {
  let last = new Map<number, KnownItems<T>>();
  let next = new Map<number, KnownItems<T>>();
  const loan = memory?.lend(() => {
    last = new Map();
    next = new Map();
  });
  const sizeOf = (pages: ReadonlyMap<number, KnownItems<T>>) =>
    [...pages.values()].reduce((sum, { text }) => sum + text.length, 0);

  return {
    before: (from) => last.get(from),
    keep(from, page) {
      if (from === 0) next = new Map();
      const { text } = page;
      if (text.length > LONGEST_ITEM_BYTES * (page.items.length + 1)) return;
      if (loan?.resize(sizeOf(last) + sizeOf(next) + text.length) === false) return;
      const isRoomy = text.buffer.byteLength > text.length * (1 + MOST_SPARE_SHARE);
      next.set(from, isRoomy ? { ...page, text: ownCopy(text) } : page);
    },
    done() {
      last = next;
      next = new Map();
      loan?.resize(sizeOf(last));
    },
    forget() {
      last = new Map();
      next = new Map();
      loan?.resize(0);
    },
  };
}

/** Short texts share memory, of which each would keep 64 KiB from being freed: this one has its own. */
function ownCopy(text: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(text.length);
  text.copy(copy);
  return copy;
}
