import { LONGEST_UNSENT_MILLISECONDS } from '../../cloud/limiter/limiter.ts';
import { timestamp } from '../../kubernetes/objects.ts';
import type { ObjectKey } from '../../reconcile/reconciler.ts';
import { hintOf, isSignedRecord, type Signer } from './record.ts';
import type { Account } from './schema.ts';
import { MOST_COUNTED } from './status-schema.ts';

/** Web acceleration requests that a command asks for before it sends them. */
export type Allotment = NonNullable<NonNullable<Account['status']>['allotments']>[number];

/** How long after it was asked for the requests of an allotment may be sent. Milliseconds. */
export const ALLOTMENT_VALID_MILLISECONDS = 5 * 60_000;

/**
 * What to store: signed with the token's secret, and good in this account alone, so that whoever may only write its status
 * can use up nobody's hour. `at` is the cluster's time, at the latest; milliseconds since the epoch. Pure.
 */
export function allotmentOf(
  key: ObjectKey,
  signer: Signer,
  asked: { readonly id: string; readonly requests: number; readonly at: number },
): Allotment {
  const { id, requests } = asked;
  const at = timestamp(asked.at);
  return { id, requests, at, identity: signatureOf(key, signer, { id, requests, at }) };
}

/** Whether it was asked for by who has the token's secret, in this account. Pure. */
export function isSigned(key: ObjectKey, signer: Signer, allotment: Allotment): boolean {
  return allotment.identity === signatureOf(key, signer, allotment);
}

/** By how much the clocks of a command and of the operator may tell the cluster's time differently. Milliseconds. */
const CLOCKS_APART_MILLISECONDS = 60_000;

/**
 * Whether it was counted before: each write of a record goes against the account as it was read, and counts what is on the
 * list there, as a command's write does, which dates what it asks for after reading. So what is older than the record is on
 * it, and was put back by somebody. Of another's record nothing follows. Pure.
 */
export function isPutBack(
  key: ObjectKey,
  signer: Signer,
  { at }: Pick<Allotment, 'at'>,
  { status }: Pick<Account, 'status'>,
): boolean {
  const { budget } = status ?? {};
  if (!budget || !isSignedRecord(key, signer, budget)) return false;
  return Date.parse(at) + CLOCKS_APART_MILLISECONDS < Date.parse(budget.recordedAt);
}

/** Until when its requests may be sent, by the cluster's time; one of no time, or from the future, counts as of now. Pure. */
export function sendableUntil({ at }: Pick<Allotment, 'at'>, now: number): number {
  const asked = Date.parse(at);
  // The time is written in whole seconds, so it may have been almost one later.
  const latest = Number.isNaN(asked) ? now : Math.min(asked + 1000, now);
  return latest + ALLOTMENT_VALID_MILLISECONDS + LONGEST_UNSENT_MILLISECONDS;
}

/**
 * What stays of an account's allotments once the signed ones are counted, or none: those that another process may know how
 * to read, as of a Secret that is just being changed. Pure.
 */
export function uncounted(
  key: ObjectKey,
  signer: Signer,
  { status }: Account,
  now: number,
): readonly Allotment[] | undefined {
  const left = status?.allotments?.filter(
    (one) => !isSigned(key, signer, one) && Math.abs(Date.parse(one.at) - now) <= 2 * ALLOTMENT_VALID_MILLISECONDS,
  );
  return left && left.length > 0 ? left : undefined;
}

/**
 * The IDs to name in a record that counts what is on the account's list: a command must not take it for counted only because
 * somebody has taken it from the list. Those that were named before stay, as far as there is room. Pure.
 */
export function countedIn(key: ObjectKey, signer: Signer, { status }: Account): readonly string[] {
  const { budget, allotments = [] } = status ?? {};
  const before = budget && isSignedRecord(key, signer, budget) ? (budget.counted ?? []) : [];
  const now = allotments.filter((one) => isSigned(key, signer, one)).map(({ id }) => id);
  return [...new Set([...before.filter((id) => !now.includes(id)), ...now])].slice(-MOST_COUNTED);
}

function signatureOf(key: ObjectKey, signer: Signer, { id, requests, at }: Omit<Allotment, 'identity'>): string {
  const text = JSON.stringify(['allotment', signer.identity, key, id, requests, at]);
  return `${hintOf(signer)}.${signer.digest(text)}`;
}
