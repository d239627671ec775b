import type { CommonStatus } from './managed-object.ts';
import type { AccountSession } from './session.ts';

/** Who seals what statuses have on record of the service, as one with the secret of the account can. */
export type Sealer = Pick<AccountSession, 'identity' | 'digest'>;

/** What of a status is sealed: whose it is, and which object of the service it names. */
export type SealedRecord = Readonly<Pick<CommonStatus, 'uid' | 'id' | 'createdAt'>>;

/** Of 6 bits each: a seal can't be guessed, and there is one in each status. */
const SEAL_LENGTH = 22;

/**
 * The proof that the operator itself found or made the object for the resource with this UID: whoever may write the
 * status, and has not the secret of the account, cannot make one. Pure.
 */
export function sealOf(kind: string, { identity, digest }: Sealer, { uid, id, createdAt }: SealedRecord): string {
  return digest(`record\n${JSON.stringify([identity, kind, uid, id, createdAt ?? null])}`).slice(0, SEAL_LENGTH);
}

/**
 * What a status keeps of a value that was read from a Secret, to tell whether it is another by now. Nothing else that is
 * digested with the account's secret begins so: who may write a Secret must not have the operator sign a record for it. Pure.
 */
export function digestOfSecret({ digest }: Pick<Sealer, 'digest'>, value: string): string {
  return digest(`secret\n${value}`);
}

/** Tells seals that were made with the secret of an account from all others. */
export interface SealReader {
  /** Whether the account's operator wrote what the status has on record. */
  isSealed(status: CommonStatus | undefined, sealer: Sealer): boolean;
}

/** One for a kind. A status is looked at once: of many rivals each would cost a digest in each pass of all others. */
export function createSealReader(kind: string): SealReader {
  const read = new WeakMap<CommonStatus, { readonly digest: Sealer['digest']; readonly isGood: boolean }>();
  return {
    isSealed(status, sealer) {
      if (status?.seal?.length !== SEAL_LENGTH || status.id === undefined) return false;
      const known = read.get(status);
      if (known?.digest === sealer.digest) return known.isGood;
      const isGood = status.seal === sealOf(kind, sealer, status);
      read.set(status, { digest: sealer.digest, isGood });
      return isGood;
    },
  };
}
