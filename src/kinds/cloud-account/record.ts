import type { RestoredBudget, SentByAge } from '../../cloud/limiter/limiter.ts';
import { timestamp } from '../../kubernetes/objects.ts';
import type { ObjectKey } from '../../reconcile/reconciler.ts';
import type { OpenSession } from './members.ts';
import type { Account } from './schema.ts';

/** Who an account is at the service, as one with the token's secret can tell it. */
export type Signer = Pick<OpenSession, 'identity' | 'digest'>;

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
  /** When those used were sent; undefined: nobody knows. */
  readonly sent?: SentByAge | undefined;
  /** When this was counted, at the latest, by the cluster's clock; milliseconds since the epoch. */
  readonly at: number;
  /** The latest allotments that are counted in it, by ID; absent: none. */
  readonly counted?: readonly string[] | undefined;
}

/** The record to store. Pure. */
export function budgetOf(
  key: ObjectKey,
  signer: Signer,
  { used, limit, resetsAt, reserved, sent, at, counted = [] }: Spent,
): Budget {
  const record = {
    used,
    limit,
    ...(reserved > 0 && { reserved }),
    ...(used > 0 && resetsAt !== undefined && { resetsAt: timestamp(resetsAt) }),
    recordedAt: timestamp(at),
    ...(counted.length > 0 && { counted: [...counted] }),
  };
  const identity = signatureOf(key, signer, record);
  const isSpread = sent !== undefined && sent.counts.slice(1).some((count) => count > 0);
  return { ...record, identity, ...(isSpread && { sent: sentOf(signer, identity, sent) }) };
}

/** A signature of its own: versions before this one must find that of the record as they sign it. Pure. */
function sentOf(signer: Signer, record: string, { counts, latest }: SentByAge): NonNullable<Budget['sent']> {
  const latestSeconds = Math.floor(latest / 1000);
  const text = JSON.stringify(['sent', record, counts, latestSeconds]);
  return { byAge: [...counts], latestSeconds, identity: `${hintOf(signer)}.${signer.digest(text)}` };
}

/** When those used were sent, if that was written with this very record. Pure. */
export function sentByAge(signer: Signer, { identity = '', sent }: Budget): SentByAge | undefined {
  if (!sent) return undefined;
  const { byAge: counts, latestSeconds = 0 } = sent;
  const known = { counts, latest: latestSeconds * 1000 };
  return sent.identity === sentOf(signer, identity, known).identity ? known : undefined;
}

/** A keyed digest has 43 characters, and the field has room for 64. */
const HINT_LENGTH = 20;

/** What all records of one token begin with. Pure. */
export function hintOf({ identity, digest }: Signer): string {
  return digest(identity).slice(0, HINT_LENGTH);
}

/**
 * Whether the record was made by who has the token's secret, for this account, and says what it said then. Whoever may
 * write the status, and no more, can neither use up an hour that others share by what is written there, nor copy to
 * another account what was true of this one. Pure.
 */
export function isSignedRecord(key: ObjectKey, signer: Signer, budget: Budget): boolean {
  return budget.identity === signatureOf(key, signer, budget);
}

/** What it is signed with. Pure. */
export function signatureOf(key: ObjectKey, signer: Signer, record: Omit<Budget, 'identity' | 'sent'>): string {
  const { used, limit, reserved = 0, resetsAt = null, recordedAt, counted = [] } = record;
  // Without any, as versions signed it that named none.
  const named = counted.length > 0 ? [counted] : [];
  const text = JSON.stringify(['budget', signer.identity, key, used, limit, reserved, resetsAt, recordedAt, ...named]);
  return `${hintOf(signer)}.${signer.digest(text)}`;
}

/** What an account has on record of a service that wants no web acceleration requests. */
export type Closing = NonNullable<NonNullable<Account['status']>['closed']>;

/**
 * The record of it to store, apart from that of the budget, whose signature versions before this one must find as they
 * sign it. `until` is by the cluster's clock; milliseconds since the epoch. Pure.
 */
export function closingOf(key: ObjectKey, signer: Signer, until: number): Closing {
  // Written in whole seconds, and not before it is over.
  const text = timestamp(Math.ceil(until / 1000) * 1000);
  return { until: text, identity: signatureOfClosing(key, signer, text) };
}

/** Until when it says so, by the cluster's clock, if it was written for this account by who has the token's secret. Pure. */
export function closedUntil(key: ObjectKey, signer: Signer, closing: Closing | undefined): number | undefined {
  if (!closing || closing.identity !== signatureOfClosing(key, signer, closing.until)) return undefined;
  return Date.parse(closing.until);
}

function signatureOfClosing(key: ObjectKey, signer: Signer, until: string): string {
  return `${hintOf(signer)}.${signer.digest(JSON.stringify(['closed', signer.identity, key, until]))}`;
}

/** More than any hour has: larger numbers count as this. */
const MOST = 1000;

/** What a record says that was used, by who may have signed it; its time is that of the cluster. Pure. */
export function restoredFrom(signer: Signer, budget: Budget): RestoredBudget {
  const { used, reserved = 0, recordedAt } = budget;
  const time = Date.parse(recordedAt);
  const sent = sentByAge(signer, budget);
  return {
    used: Math.min(used, MOST),
    reserved: Math.min(reserved, MOST),
    ...(sent && { sent }),
    // The time is written in whole seconds, so it may have been almost one later. What is no time is as late as can be.
    at: Number.isNaN(time) ? Number.POSITIVE_INFINITY : time + 1000,
  };
}
