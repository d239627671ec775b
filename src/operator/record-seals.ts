import { managedKindNames } from '../reconcile/kind-names.ts';
import type { ManagedObject } from '../reconcile/managed-object.ts';
import type { ObjectKey } from '../reconcile/reconciler.ts';
import { createSealReader, type Sealer, type SealReader } from '../reconcile/seal.ts';

/** An account has had so many secrets before the one it has, as far as their seals are still read. */
const MOST_SEALERS = 4;

/**
 * Tells what the operator has written into statuses from what anybody may have, also once an account's Secret is exchanged:
 * under the secret of before, for as long as this process knows it.
 */
export function createRecordSeals() {
  const readers = new Map<string, SealReader>(managedKindNames.map((kind) => [kind, createSealReader(kind)]));
  /** The newest first. */
  const sealers = new Map<ObjectKey, readonly Sealer[]>();

  function isSealed(object: ManagedObject, sealer: Sealer): boolean {
    return readers.get(object.kind)?.sealedSince(object, sealer) !== undefined;
  }

  return {
    isSealed,

    /** The account was verified, and showed what is on record of it, with this secret. */
    remember(account: ObjectKey, { identity, digest }: Sealer): void {
      const known = sealers.get(account) ?? [];
      if (known[0]?.digest === digest) return;
      const others = known.filter((one) => one.digest !== digest);
      sealers.set(account, [{ identity, digest }, ...others].slice(0, MOST_SEALERS));
    },

    /** Whether the operator wrote it when the account had one of the secrets that this process knows. */
    wasSealed: (account: ObjectKey, object: ManagedObject): boolean =>
      sealers.get(account)?.some((sealer) => isSealed(object, sealer)) === true,

    forget: (account: ObjectKey): void => void sealers.delete(account),
  };
}
