import { backoffDelay } from '../backoff.ts';

/** What is refused for now is mostly taken moments later: so many times it is tried at once. */
const FREE_TIMES = 2;
/** The part of an hour's requests that all that is refused may take of it. */
const SHARE = 1 / 5;
const FIRST_MILLISECONDS = 1000;
const HOUR_MILLISECONDS = 3_600_000;
/** One alone is tried again after this at the latest. Milliseconds. */
const LONGEST_MILLISECONDS = 300_000;

/**
 * When what the service refused for now is sent again, where each try costs a request of an hour's: much that is refused
 * again and again must not use up what others need.
 */
export interface Refusals {
  /**
   * Notes a refusal in the account of that identity, which has so many requests an hour. Gives after how long it is tried
   * again, in milliseconds, by how often it was refused in a row.
   */
  note(identity: string, uid: string, at: number, limit: number): (times: number) => number;
}

/** `at` is in monotonic milliseconds. */
export function createRefusals(): Refusals {
  const refused = new Map<string, Map<string, number>>();
  return {
    note(identity, uid, at, limit) {
      const those = refused.get(identity) ?? new Map<string, number>();
      refused.set(identity, those);
      for (const [one, since] of those) {
        if (since < at - 2 * HOUR_MILLISECONDS) those.delete(one);
      }
      those.set(uid, at);
      const fair = (those.size * HOUR_MILLISECONDS) / Math.max(1, limit * SHARE);
      return (times) =>
        Math.max(backoffDelay(FIRST_MILLISECONDS, times - 1, LONGEST_MILLISECONDS), times > FREE_TIMES ? fair : 0);
    },
  };
}
