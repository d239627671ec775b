import type { Informer } from '../../kubernetes/informer.ts';
import { ownFinalizer } from '../../reconcile/finalizer.ts';
import type { ManagedObject } from '../../reconcile/managed-object.ts';
import { keyOf, type ObjectKey, parseKey } from '../../reconcile/reconciler.ts';
import { type AccountSources, accountKey, accountRefOf, DEFAULT, isUnclear } from './resolver.ts';

/** Finds out who uses an account. */
export interface AccountUsers {
  /** Keys of the managed resources that use it, by kind. */
  of(account: ObjectKey): ReadonlyMap<string, readonly ObjectKey[]>;
  /** Those whose account is another once this one comes or goes: they name none, have none on record, and take the default. */
  byDefault(account: ObjectKey): readonly ObjectKey[];
  /**
   * Those that have, or may have, something at the service in this account: its users, and of the cluster's default also those of
   * which nothing tells any more whether they are in it.
   */
  inNeed(account: ObjectKey): readonly ObjectKey[];
  /** The account a managed resource uses. */
  accountOf(object: ManagedObject): ObjectKey;
}

export function createAccountUsers(
  informers: ReadonlyMap<string, Informer<ManagedObject>>,
  sources: AccountSources,
): AccountUsers {
  function accountOf(object: ManagedObject): ObjectKey {
    const namespace = object.metadata.namespace ?? '';
    return accountKey(accountRefOf(namespace, object.spec, object.status?.accountRef, sources), namespace);
  }
  const ofCluster = accountKey({ kind: 'ClusterCloudAccount', name: DEFAULT }, '');
  return {
    accountOf,
    byDefault(account) {
      const { kind, namespace, name } = parseKey(account);
      if (name !== DEFAULT) return [];
      const takesDefault = ({ spec, status }: ManagedObject) => !spec.accountRef && !status?.accountRef;
      return [...informers].flatMap(([of, informer]) => {
        const objects = kind === 'CloudAccount' ? informer.byNamespace(namespace) : informer.list();
        return objects.filter(takesDefault).map((object) => keyOf(of, object.metadata));
      });
    },
    inNeed(account) {
      const isInNeed = (object: ManagedObject) => object.status?.id !== undefined || ownFinalizer(object) !== undefined;
      // With the account of the cluster would go what tells that it may be there.
      const mayBeIn = (object: ManagedObject) => account === ofCluster && isUnclear(object, sources);
      return [...informers].flatMap(([kind, informer]) =>
        informer
          .list()
          .filter((object) => isInNeed(object) && (accountOf(object) === account || mayBeIn(object)))
          .map((object) => keyOf(kind, object.metadata)),
      );
    },
    of(account) {
      const users = new Map<string, ObjectKey[]>();
      for (const [kind, informer] of informers) {
        const keys = informer.list().filter((object) => accountOf(object) === account);
        users.set(
          kind,
          keys.map((object) => keyOf(kind, object.metadata)),
        );
      }
      return users;
    },
  };
}
