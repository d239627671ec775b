import type { Clock } from '../clock.ts';

/** So many at once … */
export const AT_ONCE = 50;
/** … and so many a minute from then on. */
export const A_MINUTE = 6;
/** Within so long, one is earned. */
const EACH_MILLISECONDS = 60_000 / A_MINUTE;
/** Between two times that it is news that there are none left. */
const NEWS_MILLISECONDS = 10 * 60_000;
/** Beyond so many names, and whenever there are twice as many as after the last time, those that are as good as new are forgotten. */
const MOST_KEPT = 1000;

/** What became of one that was asked for. */
export type Allowed = 'yes' | 'no' | 'no, which is news';

/** A token bucket, by the moment until which it is empty. Times are monotonic milliseconds. */
interface Bucket {
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
  const buckets = new Map<string, Bucket>();
  let most = MOST_KEPT;

  return function take(name) {
    const now = clock.monotonic();
    const all = now - AT_ONCE * EACH_MILLISECONDS;
    if (buckets.size >= most) {
      for (const [one, { spentUntil }] of buckets) if (spentUntil <= all) buckets.delete(one);
      most = Math.max(MOST_KEPT, 2 * buckets.size);
    }
    const bucket = buckets.get(name) ?? { spentUntil: all, toldAt: Number.NEGATIVE_INFINITY };
    buckets.set(name, bucket);
    const spent = Math.max(bucket.spentUntil, all) + EACH_MILLISECONDS;
    if (spent <= now) {
      bucket.spentUntil = spent;
      return 'yes';
    }
    if (now - bucket.toldAt < NEWS_MILLISECONDS) return 'no';
    bucket.toldAt = now;
    return 'no, which is news';
  };
}
