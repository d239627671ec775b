import { UnexpectedResponseError } from '../errors.ts';
import { sizeText } from '../http/answer-bounds.ts';

/** What one list takes of the memory that all lists share. */
export interface ListShare {
  /** @throws UnexpectedResponseError when it is too much */
  take(bytes: number): void;
  release(): void;
}

/** The memory of all lists of all accounts. */
export interface ListMemory {
  open(): ListShare;
}

/** An item costs at least so much, however short its text was. Bytes. */
export const LEAST_ITEM_BYTES = 256;

/**
 * One list may take half of `limit` bytes. When all of them together take more than that, those that are larger than the
 * others are not taken: an account that lists without end has its own list fail, and no other.
 */
export function createListMemory(limit: number): ListMemory {
  const shares = new Set<{ bytes: number }>();
  let total = 0;
  const advice =
    'Check baseURL. If the account really has that much, give the operator more memory: what lists may take grows with it.';

  return {
    open() {
      const share = { bytes: 0 };
      shares.add(share);
      return {
        take(bytes) {
          if (!shares.has(share)) return;
          share.bytes += bytes;
          total += bytes;
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
