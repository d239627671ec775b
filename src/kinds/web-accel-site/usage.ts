import type { Clock } from '../../clock.ts';
import type { SiteUsage } from '../../cloud/site/types.ts';
import type { AccountSession } from '../../reconcile/session.ts';

/** Between two looks at an account's usage. Milliseconds. */
export const USAGE_INTERVAL_MILLISECONDS = 30 * 60_000;
/** After a look that failed. Milliseconds. */
const RETRY_MILLISECONDS = 5 * 60_000;

/** What the last look that succeeded showed; times are monotonic milliseconds. */
export interface UsageLook {
  readonly startedAt: number;
  readonly seconds: number;
  /** Of the current month, by ID of the site: one without is one that nobody visited. */
  readonly bySite: ReadonlyMap<string, SiteUsage>;
}

/** Monthly usage: one call shows every site of an account (`api.md`, Monthly usage). */
export interface UsagePoll {
  /** The last look of the account, and whether the one after it failed; undefined before the first. */
  last(session: Pick<AccountSession, 'changes'>): { readonly look?: UsageLook; readonly failed: boolean } | undefined;
  /** Looks again if it is time. Never throws. */
  refresh(session: Pick<AccountSession, 'changes' | 'client'>): Promise<void>;
}

interface State {
  readonly nextAt: number;
  readonly look?: UsageLook;
  readonly failed: boolean;
}

export function createUsagePoll(clock: Clock): UsagePoll {
  /** By what accounts that are one share: with another token in a Secret again and again, there is any number of identities. */
  const states = new WeakMap<AccountSession['changes'], State>();
  return {
    last: ({ changes }) => states.get(changes),
    async refresh({ changes, client }) {
      const state: State = states.get(changes) ?? { nextAt: Number.NEGATIVE_INFINITY, failed: false };
      const startedAt = clock.monotonic();
      if (startedAt < state.nextAt) return;
      states.set(changes, { ...state, nextAt: Number.POSITIVE_INFINITY });
      try {
        const { usages } = await client.sites.monthlyUsage({}, { lane: 'usage' });
        const now = clock.monotonic();
        const bySite = new Map(usages.map((usage) => [usage.siteID, usage]));
        const look = { startedAt, seconds: (now - startedAt) / 1000, bySite };
        states.set(changes, { look, nextAt: now + USAGE_INTERVAL_MILLISECONDS, failed: false });
      } catch {
        // Usage is nice to have: it says nothing about any site, and the next look tells.
        states.set(changes, { ...state, nextAt: clock.monotonic() + RETRY_MILLISECONDS, failed: true });
      }
    },
  };
}
