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

  /** See {@link SealReader}. */
  const sealedSince = (object: ManagedObject, sealer: Sealer) => readers.get(object.kind)?.sealedSince(object, sealer);

  function isSealed(object: ManagedObject, sealer: Sealer): boolean {
    return sealedSince(object, sealer) !== undefined;
  }

  return {
    isSealed,

    /** Of those whose records name one object it is the last that had it: each may have been put back, to have one loss be few of many. */
    lastHolders<T extends ManagedObject>(members: readonly T[], sealer: Sealer): readonly T[] {
      const last = new Map<string, { readonly member: T; readonly since: number }>();
      for (const member of members) {
        const id = member.status?.id ?? '';
        const since = sealedSince(member, sealer) ?? -1;
        if (since >= (last.get(id)?.since ?? -1)) last.set(id, { member, since });
      }
      return last.size === members.length ? members : [...last.values()].map(({ member }) => member);
    },

    /** The account was verified, and showed what is on record of it, with this secret. */
    remember(account: ObjectKey, { identity, digest }: Sealer): void {
      const known = sealers.get(account) ?? [];
      if (known[0]?.digest === digest) return;
      // An account that is opened again, say with other limits, signs with another function what has the same secret.
      const signature = digest(identity);
      const others = known.filter((one) => one.identity !== identity || one.digest(identity) !== signature);
      sealers.set(account, [{ identity, digest }, ...others].slice(0, MOST_SEALERS));
    },

    /** Whether the operator wrote it when the account had one of the secrets that this process knows. */
    wasSealed: (account: ObjectKey, object: ManagedObject): boolean =>
      sealers.get(account)?.some((sealer) => isSealed(object, sealer)) === true,

    forget: (account: ObjectKey): void => void sealers.delete(account),
  };
}

/** See {@link createRecordSeals}. */
export type RecordSeals = ReturnType<typeof createRecordSeals>;
