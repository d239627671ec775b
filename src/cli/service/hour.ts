import { keptForWrites } from '../../cloud/limiter/limits.ts';
import { type Allotment, isSigned, sendableUntil } from '../../kinds/cloud-account/allotments.ts';
import { closedUntil, isSignedRecord, type Signer } from '../../kinds/cloud-account/record.ts';
import type { Account } from '../../kinds/cloud-account/schema.ts';
import type { ObjectKey } from '../../reconcile/reconciler.ts';

/** What is known of an account's hour of web acceleration. */
export interface Hour {
  /** Most requests in any rolling hour. */
  readonly limit: number;
  /** The account's own, where that is higher: another one has the same token, or what it was before is on record. */
  readonly ownLimit?: number;
  /** How many of them only the operator's changes may use. */
  readonly kept: number;
  /** What may have been sent in the last hour, or be sent by what has asked for it; undefined: it may be all of it. */
  readonly spent: number | undefined;
  /** Requests that a command may ask for now. */
  readonly room: number;
  /** When there is more, as far as it is known; milliseconds since the epoch. */
  readonly moreAt: number | undefined;
  /** The service has said that it wants no requests until then; milliseconds since the epoch. */
  readonly closedUntil: number | undefined;
}

const HOUR_MILLISECONDS = 3_600_000;
/** What was reserved is sent within so long of the record. Milliseconds. */
const RESERVED_MILLISECONDS = 360_000;

/** An account and the key that its records are signed with. */
export interface Keyed {
  readonly key: ObjectKey;
  readonly account: Account;
}

/**
 * Judges by what the operator put on record. It sends nothing before that is stored: where an account is older than an
 * hour and nothing is on record, nothing was sent; where it is younger, an account of the same name may have been there
 * before, and its record is lost. Others with the same token have records of the same hour, and the newest says all:
 * `others` may hold any account. `now` is the cluster's time. Pure.
 */
export function hourOf(
  own: Keyed,
  others: readonly Keyed[],
  signer: Signer,
  limits: { readonly webAccelRequestsPerHour: number },
  now: number,
): Hour {
  const asking = [
    own,
    ...others.filter(({ key, account }) => askedOf(account, now).some((one) => isSigned(key, signer, one))),
  ];
  const recorded = [own, ...others].flatMap(({ key, account }) => {
    const { budget } = account.status ?? {};
    return budget && isSignedRecord(key, signer, budget) ? [budget] : [];
  });
  const ownLimit = limits.webAccelRequestsPerHour;
  const limit = Math.min(ownLimit, ...recorded.map((budget) => budget.limit));
  const kept = keptForWrites(limit);
  const asked = asking.flatMap(({ account }) => askedOf(account, now)).reduce((sum, { requests }) => sum + requests, 0);
  const known = recorded.length > 0 ? recorded.map((budget) => ofRecord(budget, now)) : ofAge(own.account, now);
  const spent = known && Math.max(...known.map((one) => one.spent)) + asked;
  const closed = closedOf([own, ...others], signer, now);
  const room = spent === undefined || closed !== undefined ? 0 : Math.max(0, limit - kept - spent);
  const resets = known?.flatMap(({ moreAt }) => moreAt ?? []) ?? [];
  const moreAt = resets.length > 0 ? Math.max(...resets) : freshAt(own.account);
  return {
    limit,
    ...(ownLimit > limit && { ownLimit }),
    kept,
    spent,
    room,
    moreAt: closed === undefined ? moreAt : Math.max(closed, moreAt ?? 0),
    closedUntil: closed,
  };
}

/** The latest that is on record with the token, if it is to come. */
function closedOf(all: readonly Keyed[], signer: Signer, now: number): number | undefined {
  const closings = all.flatMap(({ key, account }) => closedUntil(key, signer, account.status?.closed) ?? []);
  const latest = Math.max(now, ...closings);
  return latest > now ? Math.min(latest, now + HOUR_MILLISECONDS) : undefined;
}

/** Allotments that count, or will. Pure. */
export function askedOf({ status }: Account, now: number): readonly Allotment[] {
  return (status?.allotments ?? []).filter((one) => sendableUntil(one, now) + HOUR_MILLISECONDS >= now);
}

function ofRecord(
  { used, reserved = 0, resetsAt, recordedAt }: NonNullable<NonNullable<Account['status']>['budget']>,
  now: number,
): { spent: number; moreAt: number | undefined } {
  const at = Date.parse(recordedAt);
  const age = Number.isNaN(at) ? 0 : now - at - 1000;
  const reset = resetsAt === undefined ? Number.NaN : Date.parse(resetsAt);
  return {
    spent: (age > HOUR_MILLISECONDS ? 0 : used) + (age > HOUR_MILLISECONDS + RESERVED_MILLISECONDS ? 0 : reserved),
    moreAt: Number.isNaN(reset) ? undefined : Math.max(reset, now),
  };
}

function ofAge(account: Account, now: number): { spent: number; moreAt: undefined }[] | undefined {
  const fresh = freshAt(account);
  return fresh !== undefined && now > fresh ? [{ spent: 0, moreAt: undefined }] : undefined;
}

/** From when on an account without a record cannot have used anything; milliseconds since the epoch. */
function freshAt({ metadata }: Account): number | undefined {
  const created = Date.parse(metadata.creationTimestamp ?? '');
  return Number.isNaN(created) ? undefined : created + HOUR_MILLISECONDS + RESERVED_MILLISECONDS;
}
