import type { Clock } from '../../clock.ts';
import { apis } from '../../cloud/limiter/lanes.ts';
import type { Limiter } from '../../cloud/limiter/limiter.ts';

/** The hour, and the minute in which requests under way may still end. Milliseconds. */
const HOUR_MILLISECONDS = 3_660_000;
/** They take room in memory: about 30 kB each. */
const MOST_KEPT = 1000;

/**
 * Keeps what accounts that are closed have used of their hour, and what the service asked of them: one that is deleted and
 * made anew goes on with it. Nothing of the credentials is kept. What is used counts for an hour. Of very many, those of the
 * namespace go first that has most, so that nobody's give way to what another makes and deletes; of these those that have
 * used least, where what the service holds back counts as used up.
 */
export function createHours(clock: Clock, kept = MOST_KEPT) {
  const closed = new Map<string, Kept>();
  const namespaces = new WeakMap<Limiter, string>();

  /** Those that were closed first come first, and so do their ends. */
  function prune(): void {
    const now = clock.monotonic();
    for (const [identity, { until }] of closed) {
      if (until > now) break;
      closed.delete(identity);
    }
    if (closed.size > kept) closed.delete(leastUsed(ofWhoHasMost([...closed])));
  }

  return {
    /** Forgets those that are over. */
    prune,
    /** An account in this namespace was closed. Anybody may name a token: whose hour it is say those that have its secret. */
    left(limiter: Limiter, namespace: string, isVerified: boolean): void {
      if (isVerified || !namespaces.has(limiter)) namespaces.set(limiter, namespace);
    },
    keep(identity: string, limiter: Limiter): void {
      if (usedOf(limiter) === 0) return;
      // The record that covered what was to follow goes with the account.
      limiter.forgetRecord();
      closed.delete(identity);
      const namespace = namespaces.get(limiter) ?? '';
      closed.set(identity, { limiter, namespace, until: clock.monotonic() + HOUR_MILLISECONDS });
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
  /** Where its last account was. */
  readonly namespace: string;
  readonly until: number;
}

type Entry = readonly [identity: string, kept: Kept];

function usedOf(limiter: Limiter): number {
  const { used, limit } = limiter.budget();
  const isClosed = apis.some((api) => limiter.closedUntil(api) !== undefined);
  const isHeldBack = isClosed || limiter.rate() < limiter.limits().cloudRequestsPerSecond;
  return isHeldBack ? Math.max(used, limit) : used;
}

function ofWhoHasMost(entries: readonly Entry[]): readonly Entry[] {
  const counts = new Map<string, number>();
  for (const [, { namespace }] of entries) counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return entries.filter(([, { namespace }]) => counts.get(namespace) === most);
}

/** Whose window holds the least; of several, the one that was closed first. */
function leastUsed(entries: readonly Entry[]): string {
  let found = '';
  let least = Number.POSITIVE_INFINITY;
  for (const [identity, { limiter }] of entries) {
    const used = usedOf(limiter);
    if (used < least) [found, least] = [identity, used];
  }
  return found;
}
