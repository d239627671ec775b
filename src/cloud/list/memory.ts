import { UnexpectedResponseError } from '../errors.ts';
import { sizeText } from '../http/answer-bounds.ts';

/** What one list takes of the memory that all lists share. */
export interface ListShare {
  /** @throws UnexpectedResponseError when it is too much */
  take(bytes: number): void;
  release(): void;
}

/** Memory lent to one list, for what saves work and can be done without. */
export interface ListLoan {
  /** Has the loan be of so many bytes, if that is not more than is left. */
  resize(bytes: number): boolean;
}

/** The memory of all lists of all accounts. */
export interface ListMemory {
  /** For a list of this party: however many lists one has, it takes none of the part of others. */
  open(party?: string): ListShare;
  /** `recall` is called when lists need what is lent: it is to be let go at once. */
  lend(recall: () => void): ListLoan;
}

/** An item costs at least so much, however short its text was. Bytes. */
export const LEAST_ITEM_BYTES = 256;

/** Lists and what is lent may be so many times as much as lists alone: a text takes what it is long, and its items far more. */
const WITH_LOANS = 1.5;

/** What the lists of one party take together, and how many they are. */
interface Party {
  bytes: number;
  lists: number;
}

/**
 * One list may take half of `limit` bytes. When all of them together take more than that, of a party that has more than an
 * equal part of it those lists are not taken that are larger than an equal part of that part: an account that lists without
 * end has its own list fail, and no other, and so has a namespace with a hundred accounts. Before that, what is lent is called
 * back, the largest loan first.
 */
export function createListMemory(limit: number): ListMemory {
  const parties = new Map<string, Party>();
  let total = 0;
  /** Those that are not empty. */
  const loans = new Set<{ bytes: number; readonly recall: () => void }>();
  let lent = 0;
  const advice =
    'Check baseURL. If the account really has that much, give the operator more memory: what lists may take grows with it.';

  function callBack(): void {
    if (total + lent <= limit * WITH_LOANS) return;
    for (const largest of [...loans].sort((a, b) => b.bytes - a.bytes)) {
      if (total + lent <= limit * WITH_LOANS) return;
      lent -= largest.bytes;
      largest.bytes = 0;
      loans.delete(largest);
      largest.recall();
    }
  }

  return {
    lend(recall) {
      const loan = { bytes: 0, recall };
      return {
        resize(bytes) {
          const more = bytes - loan.bytes;
          if (more > 0 && total + lent + more > limit * WITH_LOANS) return false;
          loan.bytes = bytes;
          lent += more;
          if (bytes > 0) loans.add(loan);
          else loans.delete(loan);
          return true;
        },
      };
    },
    open(name = '') {
      const party = parties.get(name) ?? { bytes: 0, lists: 0 };
      parties.set(name, party);
      party.lists++;
      let taken = 0;
      let isOpen = true;
      return {
        take(bytes) {
          if (!isOpen) return;
          taken += bytes;
          party.bytes += bytes;
          total += bytes;
          callBack();
          const part = limit / parties.size;
          const isTooMuch = total > limit && party.bytes > part;
          const most = isTooMuch ? Math.min(limit / 2, part / party.lists) : limit / 2;
          if (taken <= most) return;
          throw new UnexpectedResponseError(
            `a list of the account is larger than ${sizeText(most)}, which is the most that is kept of it`,
            advice,
            { route: 'lists', path: '(body)' },
          );
        },
        release() {
          if (!isOpen) return;
          isOpen = false;
          total -= taken;
          party.bytes -= taken;
          party.lists--;
          if (party.lists === 0) parties.delete(name);
        },
      };
    },
  };
}
