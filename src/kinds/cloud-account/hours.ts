import type { Clock } from '../../clock.ts';
import { type Api, apis } from '../../cloud/limiter/lanes.ts';
import type { Limiter } from '../../cloud/limiter/limiter.ts';

/** The hour, and the minute in which requests under way may still end. Milliseconds. */
const HOUR_MILLISECONDS = 3_660_000;
/** They take room in memory: about 30 kB each. */
const MOST_KEPT = 1000;

/**
 * Keeps what accounts that are closed have used of their hour, and what the service asked of them: one that is deleted and
 * made anew goes on with it. Nothing of the credentials is kept. What is used counts for an hour; of very many, those go
 * first that have used least.
 */
export function createHours(clock: Clock, kept = MOST_KEPT) {
  const closed = new Map<string, Kept>();

  /** Those that were closed first come first, and so do their ends. */
  function prune(): void {
    const now = clock.monotonic();
    for (const [identity, { until }] of closed) {
      if (until > now) break;
      closed.delete(identity);
    }
    if (closed.size > kept) closed.delete(leastUsed(closed));
  }

  return {
    keep(identity: string, limiter: Limiter): void {
      if (limiter.budget().used === 0 && !apis.some((api) => isHeldBack(limiter, api))) return;
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

interface Kept {
  readonly limiter: Limiter;
  readonly until: number;
}

function isHeldBack(limiter: Limiter, api: Api): boolean {
  const { closedUntil, isSlowed } = limiter.outlook(api, 'write');
  return closedUntil !== undefined || isSlowed;
}

/** Whose window holds the least; of several, the one that was closed first. */
function leastUsed(closed: ReadonlyMap<string, Kept>): string {
  let found = '';
  let least = Number.POSITIVE_INFINITY;
  for (const [identity, { limiter }] of closed) {
    const { used } = limiter.budget();
    if (used < least) [found, least] = [identity, used];
  }
  return found;
}
