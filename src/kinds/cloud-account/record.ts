import type { RestoredBudget } from '../../cloud/limiter/limiter.ts';
import { timestamp } from '../../kubernetes/objects.ts';
import type { ObjectKey } from '../../reconcile/reconciler.ts';
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
  /** Whose it is: see {@link signatureOf}. */
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

/** Who an account is at the service, as one with the token's secret can tell it. */
export type Signer = Pick<OpenSession, 'identity' | 'digest'>;

/** A keyed digest has 43 characters, and the field has room for 64. */
const HINT_LENGTH = 20;

/** What all records of one token begin with. Pure. */
export function hintOf({ identity, digest }: Signer): string {
  return digest(identity).slice(0, HINT_LENGTH);
}

/**
 * Whose the record of an account is: keyed with the token's secret, and good in this account alone. Who may read it, and
 * write the status of another account, can't have something count by copying it there. Pure.
 */
export function signatureOf(key: ObjectKey, signer: Signer): string {
  return `${hintOf(signer)}.${signer.digest(`${signer.identity}\n${key}`)}`;
}

/**
 * What an earlier process put on record of the hour, as far as it counts: for who has the token's secret, and for the
 * account at the service of which it was written. What an account used at another service, or says to have used of a token
 * that it only names, must not use up the hour of others. `isSameAccount`: another token, but found to be of the account
 * it was written of. Its time is that of the cluster. Pure.
 */
export function recordOf(
  key: ObjectKey,
  account: Account,
  session: Signer & Pick<OpenSession, 'verified'>,
  isSameAccount: boolean,
): RestoredBudget | undefined {
  const budget = account.status?.budget;
  if (!budget || !session.verified) return undefined;
  const isOfIt = isSignedBy(key, account, session) || isSameAccount;
  return isOfIt ? restoredFrom(budget) : undefined;
}

/** Older versions wrote whose a record is beside it, or not at all. */
function isSignedBy(key: ObjectKey, { status }: Account, session: Signer): boolean {
  const signature = status?.budget?.identity;
  if (signature !== undefined) return signature === signatureOf(key, session);
  return status?.identity === undefined || status.identity === session.digest(session.identity);
}

/** More than any hour has: larger numbers count as this. */
const MOST = 1000;

/** What a record says that was used; its time is that of the cluster. Pure. */
export function restoredFrom({ used, reserved = 0, recordedAt }: Budget): RestoredBudget {
  const time = Date.parse(recordedAt);
  return {
    used: Math.min(used, MOST),
    reserved: Math.min(reserved, MOST),
    // The time is written in whole seconds, so it may have been almost one later. What is no time is as late as can be.
    at: Number.isNaN(time) ? Number.POSITIVE_INFINITY : time + 1000,
  };
}
