import type { CommonStatus, ManagedObject } from './managed-object.ts';
import { isStatusOfAnother } from './restored.ts';
import type { AccountSession } from './session.ts';

/** Who seals what statuses have on record of the service, as one with the secret of the account can. */
export type Sealer = Pick<AccountSession, 'identity' | 'digest'>;

/** What of a status is sealed: whose it is, and which object of the service it names. */
export type SealedRecord = Readonly<Pick<CommonStatus, 'uid' | 'id' | 'createdAt'>>;

/** Of 6 bits each: a seal can't be guessed, and there is one in each status. */
const SEAL_LENGTH = 22;

/** A digest, and since when: `Xk3…9w.mh2t4c0k`. Earlier versions sealed without a time. */
const SEAL = /^.{22}(?:\.([0-9a-z]{1,10}))?$/s;
const RADIX = 36;

/**
 * The proof that the operator itself found or made the object for the resource with this UID: whoever may write the
 * status, and has not the secret of the account, cannot make one. `since`, in milliseconds since the epoch, is when it got
 * the object: who had it before, and has kept a status of then, may put that back at any time. Pure.
 */
export function sealOf(
  kind: string,
  { identity, digest }: Sealer,
  { uid, id, createdAt }: SealedRecord,
  since: number,
): string {
  const record = [identity, kind, uid, id, createdAt ?? null, ...(since > 0 ? [since] : [])];
  const seal = digest(`record\n${JSON.stringify(record)}`).slice(0, SEAL_LENGTH);
  return since > 0 ? `${seal}.${since.toString(RADIX)}` : seal;
}

/**
 * What a status keeps of a value that was read from a Secret, to tell whether it is another by now. Nothing else that is
 * digested with the account's secret begins so: who may write a Secret must not have the operator sign a record for it. Pure.
 */
export function digestOfSecret({ digest }: Pick<Sealer, 'digest'>, value: string): string {
  return digest(`secret\n${value}`);
}

/** An intent to create: what is to be made, when it was asked for, and what is known not to be it. */
export interface Intent {
  readonly name: string;
  readonly requestedAt: string;
  readonly planID?: number | undefined;
  readonly namesakes?: readonly string[] | undefined;
}

/** The proof that the operator itself put an intent to create on record for the resource with this UID; whoever may write the status cannot make one. Pure. */
export function sealOfIntent({ identity, digest }: Sealer, uid: string, intent: Intent): string {
  const { name, requestedAt, planID, namesakes } = intent;
  // Earlier versions recorded neither.
  const more = planID === undefined && namesakes === undefined ? [] : [planID ?? null, namesakes ?? []];
  return digest(`creation\n${JSON.stringify([identity, uid, name, requestedAt, ...more])}`).slice(0, SEAL_LENGTH);
}

/** Tells seals that were made with the secret of an account from all others. */
export interface SealReader {
  /**
   * Since when the resource has what its status has on record, if the account's operator wrote that for it: milliseconds
   * since the epoch, 0 where an earlier version did. Undefined: anybody may have written it, or copied it from another resource.
   */
  sealedSince(object: ManagedObject, sealer: Sealer): number | undefined;
}

/** One for a kind. A status is looked at once by each: of many rivals each would cost a digest in each pass of all others. */
export function createSealReader(kind: string): SealReader {
  const read = new WeakMap<CommonStatus, WeakMap<Sealer['digest'], { readonly since: number | undefined }>>();
  return {
    sealedSince(object, sealer) {
      const { status } = object;
      if (status?.seal === undefined || status.id === undefined || isStatusOfAnother(object)) return undefined;
      const bySealer = read.get(status) ?? new WeakMap();
      read.set(status, bySealer);
      const known = bySealer.get(sealer.digest) ?? { since: sinceOf(kind, status, sealer) };
      bySealer.set(sealer.digest, known);
      return known.since;
    },
  };
}

function sinceOf(kind: string, status: CommonStatus, sealer: Sealer): number | undefined {
  const { seal = '' } = status;
  const [found, time] = SEAL.exec(seal) ?? [];
  if (found === undefined) return undefined;
  const since = time === undefined ? 0 : Number.parseInt(time, RADIX);
  return seal === sealOf(kind, sealer, status, since) ? since : undefined;
}
