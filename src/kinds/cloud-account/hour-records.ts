import type { Limiter } from '../../cloud/limiter/limiter.ts';
import type { Informer } from '../../kubernetes/informer.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import { keyOf, type ObjectKey } from '../../reconcile/reconciler.ts';
import { type Allotment, isPutBack, isSigned } from './allotments.ts';
import { type Budget, closedUntil, hintOf, isSignedRecord, type Signer } from './record.ts';
import type { OpenSession } from './registry.ts';
import type { Account } from './schema.ts';

/** Accounts of one kind, and where they are. */
export interface AccountsOfKind {
  readonly kind: 'CloudAccount' | 'ClusterCloudAccount';
  readonly resource: Resource;
  readonly informer: Informer<Account>;
}

/** An account, its key, and what is beside it. */
export interface FoundAccount {
  readonly key: ObjectKey;
  readonly account: Account;
  readonly of: AccountsOfKind;
}

/** An hour, who signs its records, and what they begin with. */
export interface Hour {
  readonly limiter: Limiter;
  readonly signer: Signer;
  readonly hint: string;
}

export function hourOf({ limiter, identity, digest }: OpenSession): Hour {
  const signer = { identity, digest };
  return { limiter, signer, hint: hintOf(signer) };
}

/** The allotments of an account that are signed with the hour's token, and still stand. Pure. */
export function signedAllotments(
  { hint, signer }: Hour,
  key: ObjectKey,
  account: Pick<Account, 'status'>,
): readonly Allotment[] {
  return (account.status?.allotments ?? []).filter(
    (one) => one.identity.startsWith(hint) && isSigned(key, signer, one) && !isPutBack(key, signer, one, account),
  );
}

/** What accounts have on record of an hour. */
export interface HourRecords {
  all(): readonly FoundAccount[];
  /** Those with a record of the hour, or an allotment. */
  recorded(hour: Hour): readonly FoundAccount[];
  /** Those that say until when the service wants nothing of the hour. */
  closed(hour: Hour): readonly FoundAccount[];
  /** Whether an account has a record of the hour that was written for this account. */
  isRecord(hour: Hour, key: ObjectKey, account: Account): boolean;
  forget(key: ObjectKey): void;
}

/** `isOthers`: another installation looks after the account: its hour is told of there again and again, and is not this one's. */
export function createHourRecords(options: {
  readonly kinds: readonly AccountsOfKind[];
  readonly isOthers: (kind: AccountsOfKind['kind'], account: Account) => boolean;
}): HourRecords {
  const { kinds, isOthers } = options;
  /** Records that were found to be good in their accounts: with one token in many accounts they are looked at often. */
  const seals = new Map<ObjectKey, Budget>();

  const all = () =>
    kinds.flatMap((of) =>
      of.informer.list().map((account) => ({ key: keyOf(of.kind, account.metadata), account, of })),
    );

  const ownWhere = (holds: (one: FoundAccount) => boolean) =>
    all().filter((one) => holds(one) && !isOthers(one.of.kind, one.account));

  function isRecord({ hint, signer }: Hour, key: ObjectKey, { status }: Account): boolean {
    const { budget } = status ?? {};
    if (!budget?.identity?.startsWith(hint)) return false;
    if (seals.get(key) === budget) return true;
    if (!isSignedRecord(key, signer, budget)) return false;
    seals.set(key, budget);
    return true;
  }

  /** What a closing begins with is compared first: whoever writes many of no hour's must not cost each hour a digest of each. */
  const isClosing = ({ hint, signer }: Hour, key: ObjectKey, { status }: Account) =>
    status?.closed?.identity.startsWith(hint) === true && closedUntil(key, signer, status.closed) !== undefined;

  return {
    all,
    recorded: (hour) =>
      ownWhere(({ key, account }) => isRecord(hour, key, account) || signedAllotments(hour, key, account).length > 0),
    closed: (hour) => ownWhere(({ key, account }) => isClosing(hour, key, account)),
    isRecord,
    forget: (key) => void seals.delete(key),
  };
}
