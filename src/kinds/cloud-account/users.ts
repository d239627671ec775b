import type { Informer } from '../../kubernetes/informer.ts';
import type { ManagedObject } from '../../reconcile/kind.ts';
import { keyOf, type ObjectKey } from '../../reconcile/reconciler.ts';
import { type AccountSources, accountKey, accountRefOf } from './resolver.ts';

/** Finds out who uses an account. */
export interface AccountUsers {
  /** Keys of the managed resources that use it, by kind. */
  of(account: ObjectKey): ReadonlyMap<string, readonly ObjectKey[]>;
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
  return {
    accountOf,
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
