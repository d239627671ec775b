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
  open(): ListShare;
  /** `recall` is called when lists need what is lent: it is to be let go at once. */
  lend(recall: () => void): ListLoan;
}

/** An item costs at least so much, however short its text was. Bytes. */
export const LEAST_ITEM_BYTES = 256;

/** Lists and what is lent may be so many times as much as lists alone: a text takes what it is long, and its items far more. */
const WITH_LOANS = 1.5;

/**
 * One list may take half of `limit` bytes. When all of them together take more than that, those that are larger than the
 * others are not taken: an account that lists without end has its own list fail, and no other. Before that, what is lent is
 * called back, the largest loan first.
 */
export function createListMemory(limit: number): ListMemory {
  const shares = new Set<{ bytes: number }>();
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
    open() {
      const share = { bytes: 0 };
      shares.add(share);
      return {
        take(bytes) {
          if (!shares.has(share)) return;
          share.bytes += bytes;
          total += bytes;
          callBack();
          const most = total > limit ? Math.min(limit / 2, limit / shares.size) : limit / 2;
          if (share.bytes <= most) return;
          throw new UnexpectedResponseError(
            `a list of the account is larger than ${sizeText(most)}, which is the most that is kept of it`,
            advice,
            { route: 'lists', path: '(body)' },
          );
        },
        release() {
          if (shares.delete(share)) total -= share.bytes;
        },
      };
    },
  };
}
