import { type DriftTable, tellsAll } from '../kinds/common/drift-table.ts';
import type { Index } from '../reconcile/indexer.ts';
import type { ManagedObject } from '../reconcile/managed-object.ts';
import { keyOf } from '../reconcile/reconciler.ts';
import type { Wiring } from './wiring.ts';

/**
 * Has those looked at that live in an account which showed another of what they name: an account of somebody else's may be
 * of a service that they made up.
 */
export function lookWhereShown(
  { registry, users, enqueue }: Pick<Wiring, 'registry' | 'users' | 'enqueue'>,
  kind: string,
  identity: string,
  objects: Iterable<ManagedObject>,
): void {
  const accounts = new Set(registry.accountsOf(identity));
  for (const one of objects) if (accounts.has(users.accountOf(one))) enqueue(keyOf(kind, one.metadata), 'observation');
}

/**
 * Looks at each list of an account of the service, and at every resource whose status does not tell what it shows. That a
 * list is like the one before says nothing: between the two the operator may have written, and somebody put back the old.
 */
export function watchLists<T extends ManagedObject, I extends object, S>(
  { registry, users, enqueue }: Pick<Wiring, 'registry' | 'users' | 'enqueue'>,
  kind: string,
  byID: Index<T>,
  table: Pick<DriftTable<T, I, string, string, S>, 'status' | 'seen' | 'moving'>,
): (identity: string, items: ReadonlyMap<string, I>) => void {
  /** Which item the status of an object was last seen to tell all of: it still does while both are the same. */
  const told = new WeakMap<T, I>();
  const isToldBy = tellsAll(table);
  const { moving } = table;

  function isKnownToTell(object: T, status: NonNullable<T['status']>, item: I): boolean {
    const before = told.get(object);
    if (before === item) return true;
    return before !== undefined && moving?.isSame(before, item) === true && moving.isTold(status, item, object);
  }

  return (identity, items) => {
    const accounts = new Set(registry.accountsOf(identity));
    for (const [id, item] of items) {
      const objects = byID.get(id);
      if (objects.length === 0) continue;
      let seen: S | undefined;
      for (const object of objects) {
        const { status } = object;
        if (status?.id !== id || isKnownToTell(object, status, item)) continue;
        if (isToldBy(object, status, (seen ??= table.seen(item)))) told.set(object, item);
        else if (accounts.has(users.accountOf(object))) enqueue(keyOf(kind, object.metadata), 'observation');
      }
    }
  };
}
