import type { Clock } from '../../clock.ts';
import type { Limiter } from '../../cloud/limiter/limiter.ts';

/** The hour, and the minute in which requests under way may still end. Milliseconds. */
const HOUR_MILLISECONDS = 3_660_000;
const MOST_KEPT = 1000;

/**
 * Keeps what accounts that are closed have used of their hour: one that is deleted and made anew goes on with it. Nothing
 * of the credentials is kept, and of many those that were closed first are dropped.
 */
export function createHours(clock: Clock, kept = MOST_KEPT) {
  const closed = new Map<string, { readonly limiter: Limiter; readonly until: number }>();

  function prune(): void {
    const now = clock.monotonic();
    for (const [identity, { until }] of closed) {
      if (until > now && closed.size <= kept) break;
      closed.delete(identity);
    }
  }

  return {
    keep(identity: string, limiter: Limiter): void {
      if (limiter.budget().used === 0) return;
      // The record that covered what was to follow goes with the account.
      limiter.forgetRecord();
      closed.delete(identity);
      closed.set(identity, { limiter, until: clock.monotonic() + HOUR_MILLISECONDS });
      prune();
    },
    takeBack(identity: string): Limiter | undefined {
      prune();
      const found = closed.get(identity);
      closed.delete(identity);
      found?.limiter.resume();
      return found?.limiter;
    },
  };
}
