import type { Clock } from '../../clock.ts';
import type { MonthlyUsage } from '../../cloud/site/types.ts';
import type { AccountSession } from '../../reconcile/session.ts';
import type { UsageFacts } from './facts.ts';

/** Between two looks at an account's usage. Milliseconds. */
const INTERVAL_MILLISECONDS = 30 * 60_000;
/** After a look that failed. Milliseconds. */
const RETRY_MILLISECONDS = 5 * 60_000;

/** Monthly usage: one call shows every site of an account (`api.md`, Monthly usage). */
export interface UsagePoll {
  of(session: AccountSession, siteID: string): UsageFacts | undefined;
  /** Looks again if it is time; resolves to whether there is news. Never throws. */
  refresh(session: AccountSession): Promise<boolean>;
}

interface Look {
  nextAt: number;
  bySite: ReadonlyMap<string, UsageFacts>;
}

export function createUsagePoll(clock: Clock): UsagePoll {
  const looks = new Map<string, Look>();
  return {
    of: (session, siteID) => looks.get(session.identity)?.bySite.get(siteID),
    async refresh(session) {
      const look = looks.get(session.identity) ?? { nextAt: Number.NEGATIVE_INFINITY, bySite: new Map() };
      if (clock.monotonic() < look.nextAt) return false;
      look.nextAt = Number.POSITIVE_INFINITY;
      looks.set(session.identity, look);
      try {
        look.bySite = bySite(await session.client.sites.monthlyUsage({}, { lane: 'usage' }));
        look.nextAt = clock.monotonic() + INTERVAL_MILLISECONDS;
        return true;
      } catch {
        // Usage is nice to have: it says nothing about any site, and the next look tells.
        look.nextAt = clock.monotonic() + RETRY_MILLISECONDS;
        return false;
      }
    },
  };
}

function bySite({ year, month, usages }: MonthlyUsage): ReadonlyMap<string, UsageFacts> {
  const name = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;
  return new Map(
    usages.map((usage) => [
      usage.siteID,
      {
        month: name,
        accessCount: usage.accessCount,
        bytesSent: usage.bytesSent,
        cacheMissBytesSent: usage.cacheMissBytesSent,
        cacheHitRatioPercent: usage.cacheHitRatioPercent,
        bytesCacheHitRatioPercent: usage.bytesCacheHitRatioPercent,
        price: usage.price,
      },
    ]),
  );
}
