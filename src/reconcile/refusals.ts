import { backoffDelay } from '../backoff.ts';

/** What is refused for now is mostly taken moments later: so many times it is tried at once. */
const FREE_TIMES = 2;
/** The part of an hour's requests that all that is refused may take of it. */
const SHARE = 1 / 5;
const FIRST_MILLISECONDS = 1000;
const HOUR_MILLISECONDS = 3_600_000;
/** One alone is tried again after this at the latest. Milliseconds. */
const LONGEST_MILLISECONDS = 300_000;
/** What was not refused again so long after it was to be tried is refused no more, or gone. Milliseconds. */
const LEFT_MILLISECONDS = 300_000;

/** Something that was refused, and in whose hour of requests. */
export interface Refused {
  /** Of the account. */
  readonly identity: string;
  /** A namespace. */
  readonly party: string;
  readonly uid: string;
  /** Requests an hour. */
  readonly limit: number;
}

/**
 * When what the service refused for now is sent again, where each try costs a request of an hour's: much that is refused
 * again and again must not use up what others need, and that of one namespace not what another's may take.
 */
export interface Refusals {
  /** After how long it is tried again, when it was refused so many times in a row by now. Milliseconds; `now` is monotonic. */
  delay(refused: Refused, times: number, now: number): number;
  /** It is refused no more. */
  taken(uid: string): void;
}

export function createRefusals(): Refusals {
  /** Until when each waits, monotonic milliseconds. */
  const waiting = new Map<string, Refused & { readonly until: number }>();
  return {
    delay(refused, times, now) {
      const soon = backoffDelay(FIRST_MILLISECONDS, times - 1, LONGEST_MILLISECONDS);
      if (times <= FREE_TIMES) return soon;
      for (const [uid, { until }] of waiting) {
        if (until + LEFT_MILLISECONDS < now) waiting.delete(uid);
      }
      const others = [...waiting.values()].filter(
        ({ identity, uid }) => identity === refused.identity && uid !== refused.uid,
      );
      const parties = new Set([refused.party, ...others.map(({ party }) => party)]).size;
      const own = 1 + others.filter(({ party }) => party === refused.party).length;
      const delay = Math.max(soon, (own * parties * HOUR_MILLISECONDS) / Math.max(1, refused.limit * SHARE));
      waiting.set(refused.uid, { ...refused, until: now + delay });
      return delay;
    },
    taken: (uid) => void waiting.delete(uid),
  };
}
