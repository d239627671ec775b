import type { Informer } from '../kubernetes/informer.ts';
import type { Claims } from '../reconcile/claims.ts';
import { createIndex } from '../reconcile/indexer.ts';
import type { ManagedObject } from '../reconcile/managed-object.ts';
import { isStatusOfAnother } from '../reconcile/restored.ts';
import { createSealReader, type Sealer } from '../reconcile/seal.ts';

/** Tells who has what its status names from who only names it: anybody may write the status of their own. */
export interface Holders<T extends ManagedObject> {
  /**
   * Whether the resource has the object with the ID in its status, in the account of this session: as this process has seen
   * it, or, of one that no pass has looked at yet, as an earlier one has sealed it and nobody else was found to have it since.
   */
  has(object: T, session: Sealer): boolean;
}

/** `claims` are those of the kind. Make it before the informer starts. */
export function createHolders<T extends ManagedObject>(
  kind: string,
  informer: Informer<T>,
  claims: Pick<Claims<T>, 'of' | 'has'>,
): Holders<T> {
  const seals = createSealReader(kind);
  const byID = createIndex(informer, ({ status }) => (status?.id === undefined ? [] : [status.id]));

  return {
    has(object, session) {
      const { metadata, status } = object;
      const id = status?.id;
      if (id === undefined || isStatusOfAnother(object)) return false;
      if (claims.of(metadata.uid)) return claims.has(object, { id, createdAt: status?.createdAt });
      // First the seal: of those that only name the ID there may be thousands, and each would look at all others.
      const since = seals.sealedSince(object, session);
      if (since === undefined) return false;
      const comesBefore = (other: T) =>
        claims.has(other, { id, createdAt: status?.createdAt }) || (seals.sealedSince(other, session) ?? -1) > since;
      return !byID.get(id).some(comesBefore);
    },
  };
}
