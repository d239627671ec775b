import type { Clock } from '../clock.ts';

/** So many at once … */
export const AT_ONCE = 50;
/** … and so many a minute from then on. */
export const A_MINUTE = 6;
/** Within so many milliseconds, one is earned. */
const EACH = 60_000 / A_MINUTE;
/** Milliseconds between two times that it is news that there are none left. */
const NEWS = 10 * 60_000;
/** Beyond so many names, those that are as good as new are forgotten. */
const MOST_KEPT = 1000;

/** What became of one that was asked for. */
export type Allowed = 'yes' | 'no' | 'no, which is news';

/** Times are monotonic milliseconds. */
interface Account {
  /** What was earned until then is spent. */
  spentUntil: number;
  /** When it was news last that nothing was left. */
  toldAt: number;
}

/**
 * Lets through, of each name, {@link AT_ONCE} at once and {@link A_MINUTE} a minute from then on. It costs nothing between the
 * calls: what has been earned meanwhile is reckoned when it is asked for.
 */
export function createAllowance(clock: Pick<Clock, 'monotonic'>): (name: string) => Allowed {
  const accounts = new Map<string, Account>();

  return function take(name) {
    const now = clock.monotonic();
    const all = now - AT_ONCE * EACH;
    if (accounts.size >= MOST_KEPT) {
      for (const [one, { spentUntil }] of accounts) if (spentUntil <= all) accounts.delete(one);
    }
    const account = accounts.get(name) ?? { spentUntil: all, toldAt: Number.NEGATIVE_INFINITY };
    accounts.set(name, account);
    const spent = Math.max(account.spentUntil, all) + EACH;
    if (spent <= now) {
      account.spentUntil = spent;
      return 'yes';
    }
    if (now - account.toldAt < NEWS) return 'no';
    account.toldAt = now;
    return 'no, which is news';
  };
}
