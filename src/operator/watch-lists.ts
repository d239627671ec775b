import { type DriftTable, tellsAll } from '../kinds/common/drift-table.ts';
import type { Index } from '../reconcile/indexer.ts';
import type { ManagedObject } from '../reconcile/managed-object.ts';
import { keyOf } from '../reconcile/reconciler.ts';
import type { Wiring } from './wiring.ts';

/**
 * Looks at each list of an account of the service, and at every resource whose status does not tell what it shows. That a
 * list is like the one before says nothing: between the two the operator may have written, and somebody put back the old.
 */
export function watchLists<T extends ManagedObject, I, S>(
  { registry, users, enqueue }: Pick<Wiring, 'registry' | 'users' | 'enqueue'>,
  kind: string,
  byID: Index<T>,
  table: Pick<DriftTable<T, I, string, string, S>, 'status' | 'seen'>,
): (identity: string, items: ReadonlyMap<string, I>) => void {
  return (identity, items) => {
    const accounts = new Set(registry.accountsOf(identity));
    for (const [id, item] of items) {
      const objects = byID.get(id);
      if (objects.length === 0) continue;
      const seen = table.seen(item);
      for (const object of objects) {
        const { status } = object;
        if (status?.id !== id || tellsAll(table, object, status, seen) || !accounts.has(users.accountOf(object)))
          continue;
        enqueue(keyOf(kind, object.metadata), 'observation');
      }
    }
  };
}
