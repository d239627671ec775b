import type { ManagedObject } from './managed-object.ts';

/** What speaks for one who may have an object of the service. */
export interface Evidence {
  /** Its record names the object (1), and when it was made (2). */
  readonly proof: 0 | 1 | 2;
  /** That record was written for it. */
  readonly isOwn: boolean;
  /** Since when it has that, if its account has sealed it; milliseconds since the epoch. */
  readonly sealedSince: number | undefined;
  /** That account is the cluster's: no tenant can have made up the service, nor has the secret. Undefined while it can't be told. */
  readonly isOfCluster: boolean | undefined;
  /** Since when it has the object, if this process has seen that; milliseconds since the epoch. */
  readonly knownSince: number | undefined;
}

function isKnown({ knownSince }: Evidence): boolean {
  return knownSince !== undefined;
}

/** The operator wrote the record, for the resource that has it and through the account it is in. Pure. */
export function isProofOf({ sealedSince }: Evidence): boolean {
  return sealedSince !== undefined;
}

/** The operator found it so in an account that no tenant can have made up; of one that can't be told, this process did. Pure. */
export function isOfTheCluster(one: Evidence): boolean {
  if (one.isOfCluster === undefined) return isKnown(one);
  return one.isOfCluster && (isProofOf(one) || isKnown(one));
}

/**
 * What speaks for one among those of one account, the weightiest first: what anybody may write comes last. Who was seen to
 * have it first has not let go of it, or would not be known to have it; of records the last tells. Pure.
 */
export function ranksOf(one: Evidence): readonly number[] {
  const order = one.knownSince === undefined ? (one.sealedSince ?? -1) : -one.knownSince;
  return [
    Number(isKnown(one)),
    Number(isProofOf(one) && one.isOfCluster === true),
    order,
    Number(one.isOwn),
    one.proof,
  ];
}

/** The same among those of several accounts. Pure. */
export function ranksElsewhere(one: Evidence): readonly number[] {
  return [Number(isKnown(one)), Number(isProofOf(one) && one.isOfCluster === true), one.proof];
}

/** The one of the highest rank, of several the oldest: ranks are compared one by one, the first that differs decides. Pure. */
export function firstOf<T extends ManagedObject>(
  all: readonly { readonly object: T; readonly ranks: readonly number[] }[],
): T | undefined {
  const [winner] = [...all].sort((a, b) => compareRanks(b.ranks, a.ranks) || byAge(a.object, b.object));
  return winner?.object;
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((rank, index) => rank !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

/** The oldest first. */
export function byAge(a: ManagedObject, b: ManagedObject): number {
  const age = (a.metadata.creationTimestamp ?? '').localeCompare(b.metadata.creationTimestamp ?? '');
  return age === 0 ? a.metadata.uid.localeCompare(b.metadata.uid) : age;
}
