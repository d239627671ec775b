import type { RestoredBudget } from '../../cloud/limiter/limiter.ts';
import { timestamp } from '../../kubernetes/objects.ts';
import type { OpenSession } from './members.ts';
import type { Account } from './schema.ts';

/** What of an hour is on record. */
export type Budget = NonNullable<NonNullable<Account['status']>['budget']>;

/** What an account has used of its hour, as it is to be put on record. */
export interface Spent {
  readonly used: number;
  readonly limit: number;
  /** When the oldest counts no more; milliseconds since the epoch. */
  readonly resetsAt?: number | undefined;
  /** More that may be sent before this is written again. */
  readonly reserved: number;
  /** A keyed digest of who the account is at the service. */
  readonly identity: string;
  /** When this was counted, at the latest, by the cluster's clock; milliseconds since the epoch. */
  readonly at: number;
}

/** The record to store. Pure. */
export function budgetOf({ used, limit, resetsAt, reserved, identity, at }: Spent): Budget {
  return {
    used,
    limit,
    ...(reserved > 0 && { reserved }),
    ...(used > 0 && resetsAt !== undefined && { resetsAt: timestamp(resetsAt) }),
    identity,
    recordedAt: timestamp(at),
  };
}

/** Of which account at the service a record is; undefined where an older version did not say so. Pure. */
export function identityOfRecord({ status }: Account): string | undefined {
  return status?.budget?.identity ?? status?.identity;
}

/**
 * What an earlier process put on record of the hour, as far as it counts: for who has the token's secret, and for the
 * account at the service of which it was written. What an account used at another service, or says to have used of a token
 * that it only names, must not use up the hour of others. `isSameAccount`: another token, but found to be of the account
 * it was written of. Its time is that of the cluster. Pure.
 */
export function recordOf(
  account: Account,
  session: Pick<OpenSession, 'verified' | 'identity' | 'digest'>,
  isSameAccount: boolean,
): RestoredBudget | undefined {
  const budget = account.status?.budget;
  const identity = identityOfRecord(account);
  if (!budget || !session.verified) return undefined;
  // Older versions wrote no identity.
  const isOfIt = identity === undefined || identity === session.digest(session.identity) || isSameAccount;
  if (!isOfIt) return undefined;
  return restoredFrom(budget);
}

/** What a record says that was used; its time is that of the cluster. Pure. */
export function restoredFrom({ used, reserved = 0, recordedAt }: Budget): RestoredBudget {
  // The time is written in whole seconds, so it may have been almost one later.
  return { used, reserved, at: Date.parse(recordedAt) + 1000 };
}
