import type { Limiter } from '../../cloud/limiter/limiter.ts';
import type { KubeClient } from '../../kubernetes/client.ts';
import type { ClusterTime } from '../../kubernetes/cluster-time.ts';
import { isConflict, isNotFound, KubeError } from '../../kubernetes/errors.ts';
import { diff, isEqual } from '../../kubernetes/merge-patch.ts';
import { newestOf } from '../../reconcile/newest.ts';
import type { ObjectKey } from '../../reconcile/reconciler.ts';
import { type Allotment, countedIn, sendableUntil } from './allotments.ts';
import { type AccountsOfKind, createHourRecords, type Hour, hourOf, signedAllotments } from './hour-records.ts';
import type { LeftHour, LeftHours } from './left-hours.ts';
import { type Budget, budgetOf, closedUntil, hintOf, isSignedRecord, restoredFrom, sentByAge } from './record.ts';
import type { AccountRegistry, OpenSession } from './registry.ts';
import type { Account } from './schema.ts';

/** So many times a record is sent while others write, too. */
const TRIES = 4;

const HOUR_MILLISECONDS = 3_600_000;

/**
 * What accounts of both kinds have on record of their hours. Accounts with one token share an hour, and each record says
 * what was used of it when it was written: only the newest of them says all.
 */
export interface Records {
  /**
   * Has the hour of a session count what is on record of it: in its own account, and in all others with its token, whether
   * or not the service has taken their credentials again; and what commands are about to send of it.
   * So does what its account has of another token, which may be one of the same account at the service: nothing tells for sure
   * that it is not.
   */
  takeIn(key: ObjectKey, account: Account, session: OpenSession): Promise<void>;
  /** A record of the session's hour is about to be stored in this account, and may be seen there before the answer. */
  writes(key: ObjectKey, session: OpenSession, budget: Budget | undefined): void;
  /** A record of the session's hour is stored in this account. */
  wrote(key: ObjectKey, session: OpenSession, budget: Budget | undefined): void;
  /** Whether the hour of the account's session has what is on record in the account. */
  isKnown(key: ObjectKey, budget: Budget | undefined): boolean;
  /** Whether it has another, which this process stored or counted last: a backup was restored, or somebody has put an older one back. */
  isReplaced(key: ObjectKey, budget: Budget | undefined): boolean;
  /**
   * Before the record of an account is lost, with it or to another token: another account of the same hour, if there is
   * any, records all that is known of it; else it is kept apart from accounts, as is what no hour here has counted. With
   * `session`, the record is lost only if it is of another hour than that.
   * @throws KubeError when it could not be stored, and may be later
   */
  handOver(key: ObjectKey, account: Account | undefined, session?: OpenSession): Promise<void>;
  forget(key: ObjectKey): void;
}

/** What an hour has of an account's record: as it was stored, and as it was sent to be stored since. */
interface Known extends Hour {
  readonly stored: Budget | undefined;
  readonly sent: readonly (Budget | undefined)[];
}

export function createRecords(options: {
  readonly kinds: readonly AccountsOfKind[];
  readonly client: KubeClient;
  readonly registry: Pick<AccountRegistry, 'get'>;
  readonly time: Pick<ClusterTime, 'latest' | 'toOwn'>;
  readonly left: LeftHours;
  readonly isOthers: (kind: AccountsOfKind['kind'], account: Account) => boolean;
}): Records {
  const { client, registry, time, left, isOthers } = options;
  const hours = createHourRecords(options);
  const known = new Map<ObjectKey, Known>();
  /** The allotments that each hour has counted, and until when they may be sent; milliseconds since the epoch. */
  const allotted = new WeakMap<Limiter, Map<string, number>>();
  /** Hours that this process has come to know of, until they have what was on record then. */
  const begun = new WeakMap<Limiter, Promise<void>>();

  function has(key: ObjectKey, limiter: Limiter, budget: Budget | undefined): boolean {
    const one = known.get(key);
    return one?.limiter === limiter && isAmong(one, budget);
  }

  /**
   * Whether what an account has on record of another token counts. Nobody can tell any more who made it, so it does where
   * this process has written or counted it; or, where the hour is new here, if nobody else has it whom it could harm.
   */
  function countsOfBefore(key: ObjectKey, account: Account, hour: Hour, isNew: boolean): boolean {
    const { budget } = account.status ?? {};
    if (hours.isRecord(hour, key, account)) return false;
    const before = known.get(key);
    if (before && isAmong(before, budget)) return true;
    if (!isNew || !budget?.identity || budget.identity.startsWith(hour.hint)) return false;
    const isOfHour = (other: ObjectKey) => registry.get(other)?.limiter === hour.limiter;
    return !hours
      .all()
      .some((one) => one.key !== key && (isOfHour(one.key) || hours.isRecord(hour, one.key, one.account)));
  }

  function wrote(key: ObjectKey, hour: Hour, budget: Budget | undefined): void {
    known.set(key, { ...hour, stored: budget, sent: [] });
  }

  function writes(key: ObjectKey, hour: Hour, budget: Budget | undefined): void {
    const before = known.get(key);
    const own = before?.limiter === hour.limiter ? before : undefined;
    known.set(key, { ...hour, stored: own?.stored, sent: [...(own?.sent ?? []), budget].slice(-TRIES) });
  }

  function restore({ limiter, signer }: Hour, budget: Budget): void {
    const found = restoredFrom(signer, budget);
    limiter.restore({ ...found, at: time.toOwn(found.at) });
  }

  function restoreClosing({ limiter, signer }: Hour, key: ObjectKey, { closed }: Pick<LeftHour, 'closed'>): void {
    const until = closedUntil(key, signer, closed);
    if (until !== undefined) limiter.restoreClosing(time.toOwn(until));
  }

  function count(key: ObjectKey, { status }: Account, hour: Hour): void {
    const { budget } = status ?? {};
    if (!budget || has(key, hour.limiter, budget)) return;
    restore(hour, budget);
    wrote(key, hour, budget);
  }

  /** The same where the record says whose it is, whatever hour the account's own session is of; and its allotments. */
  function countRecord(key: ObjectKey, account: Account, hour: Hour): void {
    if (hours.isRecord(hour, key, account)) count(key, account, hour);
    for (const one of signedAllotments(hour, key, account)) allot(hour, one);
  }

  function allot({ limiter }: Hour, { identity, requests, at }: Allotment): void {
    const counted = allotted.get(limiter) ?? new Map<string, number>();
    allotted.set(limiter, counted);
    if (counted.has(identity)) return;
    const now = time.latest();
    for (const [other, until] of counted) if (until + HOUR_MILLISECONDS < now) counted.delete(other);
    const until = sendableUntil({ at }, now);
    counted.set(identity, until);
    limiter.allot(requests, time.toOwn(until));
  }

  /** Has an hour count what there is of it. What an earlier process stored last may not have been seen yet. */
  async function begin(hour: Hour): Promise<void> {
    const kept = await left.of(hour.hint);
    const records = hours.recorded(hour);
    // Whoever recorded the hour later had counted what was kept.
    const recordedAt = Math.max(
      0,
      ...records.flatMap(({ key, account }) =>
        hours.isRecord(hour, key, account) ? [Date.parse(account.status?.budget?.recordedAt ?? '')] : [],
      ),
    );
    for (const { account, ...status } of kept) {
      const { budget } = status;
      const isNewest = budget && Date.parse(budget.recordedAt) >= recordedAt;
      if (isNewest && isSignedRecord(account, hour.signer, budget)) restore(hour, budget);
      restoreClosing(hour, account, status);
      for (const one of signedAllotments(hour, account, { status })) allot(hour, one);
    }
    const found = new Map([...records, ...hours.closed(hour)].map((one) => [one.key, one]));
    await Promise.all(
      [...found.values()].map(async ({ key, account, of }) => {
        // One that has gone meanwhile may have been put on record after that was read.
        const stored = (await newest(of, account)) ?? account;
        countRecord(key, stored, hour);
        restoreClosing(hour, key, stored.status ?? {});
      }),
    );
  }

  async function newest({ resource, informer }: AccountsOfKind, seen: Account): Promise<Account | undefined> {
    const { namespace, name } = seen.metadata;
    try {
      const account = await client.get<Account>(resource, namespace, name);
      informer.put(account);
      return account;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Has an account record all that is known of an hour. */
  async function store(key: ObjectKey, account: Account, of: AccountsOfKind, hour: Hour, tries = 1): Promise<void> {
    countRecord(key, account, hour);
    const record = hour.limiter.record();
    const budget = budgetOf(key, hour.signer, {
      ...record,
      at: time.latest(),
      counted: countedIn(key, hour.signer, account),
    });
    const { namespace, name, uid, resourceVersion } = account.metadata;
    const patch = {
      metadata: { uid, resourceVersion },
      status: { budget: diff(account.status?.budget ?? {}, budget) },
    };
    writes(key, hour, budget);
    try {
      const written = await client.mergePatch<Account>(of.resource, namespace, name, patch, { subresource: 'status' });
      of.informer.put(written);
      wrote(key, hour, written.status?.budget);
    } catch (error) {
      if (!isConflict(error) || tries === TRIES) throw error;
      return store(key, await newestOf({ client, ...of }, account, error), of, hour, tries + 1);
    }
    // Only what is stored covers requests; see the limiter.
    if (record.wanted) record.confirm();
  }

  /** The same; false: it could not, as where the account is gone, or its status is of somebody who has it refused. */
  async function storeIfTaken(...args: Parameters<typeof store>): Promise<boolean> {
    try {
      await store(...args);
      return true;
    } catch (error) {
      if (error instanceof KubeError) return false;
      throw error;
    }
  }

  /** Keeps what an account has on record, where there is anything. */
  async function keep(key: ObjectKey, { budget, closed, allotments = [] }: Omit<LeftHour, 'account'>): Promise<void> {
    const isSpent = budget !== undefined && budget.used + (budget.reserved ?? 0) > 0;
    if (!isSpent && !closed && allotments.length === 0) return;
    await left.keep({ account: key, budget, closed, ...(allotments.length > 0 && { allotments }) });
  }

  /** What this process knows of an hour. Once its last account is closed nothing is reserved of it any more. */
  function lastOf(key: ObjectKey, { limiter, signer, stored }: Known, account: Account | undefined): Budget {
    const record = limiter.record();
    const counted = account && countedIn(key, signer, account);
    // Dated anew, what is on record would count for longer each time. Of what was reserved then, as much may have been sent
    // since as has left the hour.
    const at = stored?.used === record.used ? Date.parse(stored.recordedAt) : Number.NaN;
    if (Number.isNaN(at)) return budgetOf(key, signer, { ...record, at: time.latest(), counted });
    const reserved = Math.max(record.reserved, stored?.reserved ?? 0);
    const sent = stored && sentByAge(signer, stored);
    return budgetOf(key, signer, { ...record, sent, reserved, at, counted });
  }

  return {
    async takeIn(key, account, session) {
      const hour = hourOf(session);
      const isNew = !begun.has(hour.limiter);
      const beginning = begun.get(hour.limiter) ?? begin(hour);
      begun.set(hour.limiter, beginning);
      beginning.catch(() => begun.delete(hour.limiter));
      await beginning;
      for (const one of hours.recorded(hour)) countRecord(one.key, one.account, hour);
      countRecord(key, account, hour);
      if (countsOfBefore(key, account, hour, isNew)) count(key, account, hour);
    },

    writes: (key, session, budget) => writes(key, hourOf(session), budget),
    wrote: (key, session, budget) => wrote(key, hourOf(session), budget),

    isKnown(key, budget) {
      const session = registry.get(key);
      return session !== undefined && has(key, session.limiter, budget);
    },

    isReplaced(key, budget) {
      const limiter = registry.get(key)?.limiter;
      return limiter !== undefined && known.get(key)?.limiter === limiter && !has(key, limiter, budget);
    },

    async handOver(key, account, session) {
      const hour = known.get(key);
      const { budget, closed, allotments } = account?.status ?? {};
      if (!hour) {
        // Nobody here has counted it.
        const isOfSession = session !== undefined && budget?.identity?.startsWith(hintOf(session)) === true;
        return isOfSession ? undefined : keep(key, { budget, closed, allotments });
      }
      const { limiter } = hour;
      if (limiter === session?.limiter) return;
      const heirs = hours.all().filter((other) => {
        // What is about to go, too, may be handed over to this one at the same moment.
        const isGoing = other.account.metadata.deletionTimestamp !== undefined;
        if (isGoing || isOthers(other.of.kind, other.account)) return false;
        const heir = registry.get(other.key);
        const shares = heir?.verified ? heir.limiter === limiter : known.get(other.key)?.limiter === limiter;
        return other.key !== key && shares;
      });
      // One that cannot be used now keeps a record, too; but nobody writes it again until it can be.
      const isUsed = (other: (typeof heirs)[number]) => registry.get(other.key)?.verified === true;
      for (const heir of heirs.toSorted((one, other) => Number(isUsed(other)) - Number(isUsed(one)))) {
        if (await storeIfTaken(heir.key, heir.account, heir.of, hour)) return;
      }
      await keep(key, { budget: lastOf(key, hour, account), closed, allotments });
    },

    forget(key) {
      known.delete(key);
      hours.forget(key);
    },
  };
}

function isAmong({ stored, sent }: Known, budget: Budget | undefined): boolean {
  return [stored, ...sent].some((one) => isEqual(one, budget));
}
