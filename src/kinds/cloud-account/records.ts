import type { Limiter } from '../../cloud/limiter/limiter.ts';
import type { KubeClient } from '../../kubernetes/client.ts';
import type { ClusterTime } from '../../kubernetes/cluster-time.ts';
import { isConflict, isNotFound } from '../../kubernetes/errors.ts';
import type { Informer } from '../../kubernetes/informer.ts';
import { diff, isEqual } from '../../kubernetes/merge-patch.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import { newestOf } from '../../reconcile/newest.ts';
import { keyOf, type ObjectKey } from '../../reconcile/reconciler.ts';
import { type Budget, budgetOf, identityOfRecord, recordOf } from './record.ts';
import type { AccountRegistry, OpenSession } from './registry.ts';
import type { Account } from './schema.ts';

/** So many times a record is sent while others write, too. */
const TRIES = 4;

/** Accounts of one kind, and where they are. */
export interface AccountsOfKind {
  readonly kind: 'CloudAccount' | 'ClusterCloudAccount';
  readonly resource: Resource;
  readonly informer: Informer<Account>;
}

/**
 * What accounts of both kinds have on record of their hours. Accounts with one token share an hour, and each record says
 * what was used of it when it was written: only the newest of them says all.
 */
export interface Records {
  /**
   * Has the hour of a session count what is on record of it: in its own account, and in all others with its token, whether
   * or not the service has taken their credentials again. `isSameAccount`: see {@link recordOf}.
   */
  takeIn(key: ObjectKey, account: Account, session: OpenSession, isSameAccount: boolean): Promise<void>;
  /** A record of the session's hour is about to be stored in this account, and may be seen there before the answer. */
  writes(key: ObjectKey, session: OpenSession, budget: Budget | undefined): void;
  /** A record of the session's hour is stored in this account. */
  wrote(key: ObjectKey, session: OpenSession, budget: Budget | undefined): void;
  /** Whether the hour of the account's session has what is on record in the account. */
  isKnown(key: ObjectKey, budget: Budget | undefined): boolean;
  /**
   * Before the record of an account is lost, with it or to another token: another account of the same hour, if there is
   * any, records all that is known of it. With `session`, the record is lost only if it is of another hour than that.
   */
  handOver(key: ObjectKey, session?: OpenSession): Promise<void>;
  forget(key: ObjectKey): void;
}

/** What an hour has of a record: as it was stored, and as it was sent to be stored since. */
interface Known {
  readonly limiter: Limiter;
  readonly stored: Budget | undefined;
  readonly sent: readonly (Budget | undefined)[];
}

export function createRecords(options: {
  readonly kinds: readonly AccountsOfKind[];
  readonly client: KubeClient;
  readonly registry: Pick<AccountRegistry, 'get'>;
  readonly time: Pick<ClusterTime, 'latest' | 'toOwn'>;
  /** Another installation looks after the account: its hour is told of there again and again, and is not this one's. */
  readonly isOthers: (kind: AccountsOfKind['kind'], account: Account) => boolean;
}): Records {
  const { kinds, client, registry, time, isOthers } = options;
  const known = new Map<ObjectKey, Known>();
  /** The hours that have what was on record when this process came to know of them. */
  const begun = new WeakSet<Limiter>();

  const accounts = () =>
    kinds.flatMap((of) =>
      of.informer.list().map((account) => ({ key: keyOf(of.kind, account.metadata), account, of })),
    );

  const has = (key: ObjectKey, limiter: Limiter, budget: Budget | undefined) => {
    const one = known.get(key);
    return one?.limiter === limiter && [one.stored, ...one.sent].some((other) => isEqual(other, budget));
  };

  function wrote(key: ObjectKey, { limiter }: OpenSession, budget: Budget | undefined): void {
    known.set(key, { limiter, stored: budget, sent: [] });
  }

  function writes(key: ObjectKey, { limiter }: OpenSession, budget: Budget | undefined): void {
    const before = known.get(key);
    const own = before?.limiter === limiter ? before : undefined;
    known.set(key, { limiter, stored: own?.stored, sent: [...(own?.sent ?? []), budget].slice(-TRIES) });
  }

  function count(key: ObjectKey, account: Account, session: OpenSession, isSameAccount: boolean): void {
    const budget = account.status?.budget;
    const found = recordOf(account, session, isSameAccount);
    if (!found || has(key, session.limiter, budget)) return;
    session.limiter.restore({ ...found, at: time.toOwn(found.at) });
    wrote(key, session, budget);
  }

  /** What an earlier process stored last may not have been seen yet. */
  async function readAnew({ resource, informer }: AccountsOfKind, seen: Account): Promise<Account | undefined> {
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

  return {
    async takeIn(key, account, session, isSameAccount) {
      const { limiter } = session;
      count(key, account, session, isSameAccount);
      const identity = session.digest(session.identity);
      const isBegun = begun.has(limiter);
      for (const other of accounts()) {
        if (other.key === key || identityOfRecord(other.account) !== identity) continue;
        if (isOthers(other.of.kind, other.account)) continue;
        const isNew = !isBegun && known.get(other.key)?.limiter !== limiter;
        const found = isNew ? await readAnew(other.of, other.account) : other.account;
        if (found && identityOfRecord(found) === identity) count(other.key, found, session, false);
      }
      begun.add(limiter);
    },

    writes,
    wrote,

    isKnown(key, budget) {
      const session = registry.get(key);
      return session !== undefined && has(key, session.limiter, budget);
    },

    async handOver(key, session) {
      const limiter = known.get(key)?.limiter;
      if (!limiter || limiter === session?.limiter) return;
      for (const { key: other, account, of } of accounts()) {
        const heir = registry.get(other);
        if (other === key || !heir?.verified || heir.limiter !== limiter) continue;
        return store(other, account, of, heir);
      }
    },

    forget: (key) => void known.delete(key),
  };

  async function store(
    key: ObjectKey,
    account: Account,
    of: AccountsOfKind,
    session: OpenSession,
    tries = 1,
  ): Promise<void> {
    const record = session.limiter.record();
    const identity = session.digest(session.identity);
    const budget = budgetOf({ ...record, identity, at: time.latest() });
    const { namespace, name, uid, resourceVersion } = account.metadata;
    const patch = {
      metadata: { uid, resourceVersion },
      status: { budget: diff(account.status?.budget ?? {}, budget) },
    };
    writes(key, session, budget);
    try {
      const written = await client.mergePatch<Account>(of.resource, namespace, name, patch, { subresource: 'status' });
      of.informer.put(written);
      wrote(key, session, written.status?.budget);
    } catch (error) {
      if (!isConflict(error) || tries === TRIES) throw error;
      return store(key, await newestOf({ client, ...of }, account, error), of, session, tries + 1);
    }
    // Only what is stored covers requests; see the limiter.
    if (record.wanted) record.confirm();
  }
}
