import type { Informer } from '../../kubernetes/informer.ts';
import { ownFinalizer } from '../../reconcile/finalizer.ts';
import { createIndex } from '../../reconcile/indexer.ts';
import type { ManagedObject } from '../../reconcile/managed-object.ts';
import { keyOf, type ObjectKey, parseKey } from '../../reconcile/reconciler.ts';
import { type Bindings, createBindings } from './bindings.ts';
import { type AccountSources, accountKey, accountRefOf, DEFAULT, isUnclear } from './resolver.ts';

/** Finds out who uses an account. */
export interface AccountUsers {
  /** Keys of the managed resources that use it, by kind. */
  of(account: ObjectKey): ReadonlyMap<string, readonly ObjectKey[]>;
  /** Those whose account is another once this one comes or goes: they name none, have none on record, and take the default. */
  byDefault(account: ObjectKey): readonly ObjectKey[];
  /**
   * Those that have, may have, or are about to have something at the service in this account: its users, and of the cluster's
   * default also those of which nothing tells any more whether they are in it.
   */
  inNeed(account: ObjectKey): readonly ObjectKey[];
  /** The account a managed resource uses. */
  accountOf(object: ManagedObject): ObjectKey;
}

/** Whether a resource has, or may have, something at the service. */
export function isInNeed(object: ManagedObject): boolean {
  return object.status?.id !== undefined || ownFinalizer(object) !== undefined;
}

/** What is in the index beside keys of accounts: all that take the default, and those of them in a namespace. */
const BY_DEFAULT = 'default';
const byDefaultIn = (namespace: string) => `${BY_DEFAULT}/${namespace}`;

/** Make it before the informers start. */
export function createAccountUsers(
  informers: ReadonlyMap<string, Informer<ManagedObject>>,
  sources: AccountSources,
  bindings: Pick<Bindings, 'of'> = createBindings(),
): AccountUsers {
  function accountOf(object: ManagedObject): ObjectKey {
    const namespace = object.metadata.namespace ?? '';
    return accountKey(accountRefOf(namespace, object.spec, object.status?.accountRef, sources), namespace);
  }
  const ofCluster = accountKey({ kind: 'ClusterCloudAccount', name: DEFAULT }, '');
  const indexes = new Map(
    [...informers].map(([kind, informer]) => {
      const index = createIndex(informer, ({ metadata: { namespace = '' }, spec, status }) => {
        const ref = spec.accountRef ?? status?.accountRef;
        return ref ? [accountKey(ref, namespace)] : [BY_DEFAULT, byDefaultIn(namespace)];
      });
      return [kind, index] as const;
    }),
  );

  /** Those of a kind that take the default, where this is or may be it. */
  function defaultUsers(of: string, account: ObjectKey): readonly ManagedObject[] {
    const { kind, namespace, name } = parseKey(account);
    if (name !== DEFAULT) return [];
    return indexes.get(of)?.get(kind === 'CloudAccount' ? byDefaultIn(namespace) : BY_DEFAULT) ?? [];
  }

  /** Those of a kind that use the account: whoever edits one must not have all there are looked at. */
  function usersOf(of: string, account: ObjectKey): readonly ManagedObject[] {
    const byDefault = defaultUsers(of, account).filter((object) => accountOf(object) === account);
    return [...(indexes.get(of)?.get(account) ?? []), ...byDefault];
  }

  return {
    accountOf,
    byDefault(account) {
      return [...informers.keys()].flatMap((of) =>
        defaultUsers(of, account).map((object) => keyOf(of, object.metadata)),
      );
    },
    inNeed(account) {
      // With the account of the cluster would go what tells that it may be there.
      const mayBeIn = (object: ManagedObject) => account === ofCluster && isUnclear(object, sources);
      const bound = [...informers].flatMap(([kind, informer]) => {
        const objects = account === ofCluster ? informer.list() : usersOf(kind, account);
        return objects
          .filter((object) => isInNeed(object) && (accountOf(object) === account || mayBeIn(object)))
          .map((object) => keyOf(kind, object.metadata));
      });
      return [...new Set([...bound, ...bindings.of(account)])];
    },
    of(account) {
      const users = new Map<string, ObjectKey[]>();
      for (const kind of informers.keys()) {
        users.set(
          kind,
          usersOf(kind, account).map((object) => keyOf(kind, object.metadata)),
        );
      }
      return users;
    },
  };
}
