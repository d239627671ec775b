import type { HourFor } from '../cloud/limiter/limiter.ts';
import { timestamp } from '../kubernetes/objects.ts';
import type { Hold } from './plan.ts';
import { CommonReason } from './verdict.ts';

/** A hold that ends at a time. */
type Queued = Hold<CommonReason> & { readonly retryAfterSeconds: number };

/** Who waits looks again no more often than this, for each look may write a status. Seconds. */
const LEAST_SECONDS = 30;
/** Of many who wait for the hour each goes with a request that leaves it: who is told when is told to so much. Milliseconds. */
const ROUNDED_MILLISECONDS = 5 * 60_000;

/**
 * Says that a call waits for the hour, where the account has used up what its lane and its namespace may use of it, or
 * because the service asked for fewer requests. `now`: milliseconds since the epoch.
 */
export function holdForHour(hour: HourFor, now: number): Queued | undefined {
  const { closedUntil } = hour;
  const why = closedUntil !== undefined && closedUntil > now ? closed(closedUntil) : usedUp(hour);
  if (!why) return undefined;
  const { message, until, told } = why;
  const seconds = until === undefined ? LEAST_SECONDS : Math.ceil((until - now) / 1000);
  return {
    state: 'Waiting',
    reason: CommonReason.Queued,
    message: `Waiting for its turn: ${message}${told === undefined ? '' : ` It continues ${told}.`}`,
    isProgress: true,
    keepsReady: true,
    retryAfterSeconds: Math.max(LEAST_SECONDS, seconds),
  };
}

const KEPT_FOR = {
  changes: 'changes',
  certificates: 'certificates',
  others: 'namespaces that had less of it than this one',
} satisfies Record<Exclude<HourFor['rest'], 'nobody'>, string>;

interface Why {
  readonly message: string;
  readonly until: number | undefined;
  /** The same in words. */
  readonly told: string | undefined;
}

function closed(until: number): Why {
  const message = 'the service has asked the account for fewer web acceleration requests.';
  return { message, until, told: `at ${timestamp(until)}` };
}

function usedUp({ used, limit, most, rest, opensAt }: HourFor): Why | undefined {
  if (used < most) return undefined;
  const message =
    used < limit && rest !== 'nobody'
      ? `the account has used ${most} of the ${limit} web acceleration requests of an hour, and the rest is kept for ${KEPT_FOR[rest]}.`
      : `the account has used up the ${limit} web acceleration requests of an hour.`;
  if (opensAt === undefined) return { message, until: undefined, told: undefined };
  const rounded = Math.ceil(opensAt / ROUNDED_MILLISECONDS) * ROUNDED_MILLISECONDS;
  return { message, until: opensAt, told: `at about ${timestamp(rounded)}` };
}
