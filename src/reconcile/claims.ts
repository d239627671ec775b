import type { AccountResolver } from './account.ts';
import { Annotation, isSet } from './annotations.ts';
import type { ManagedObject } from './managed-object.ts';
import { isStatusOfAnother } from './restored.ts';

/** One object of the service: an ID alone is none, for another account or service may give the same. */
export interface Counterpart {
  readonly id: string;
  /** When the service made it, as it says; undefined where it doesn't. */
  readonly createdAt?: string | undefined;
}

/** What a resource has on record under this ID, if anything. */
export function recordedCounterpart({ status }: ManagedObject, id: string | undefined): Counterpart | undefined {
  return id === undefined ? undefined : { id, createdAt: status?.id === id ? status.createdAt : undefined };
}

/** When this process learnt that what has this ID was made: a status that tells of the one has to tell of the other. */
export function learntCreation<T extends ManagedObject>(
  claims: Pick<Claims<T>, 'of'>,
  { metadata }: T,
  id: string,
): { createdAt: string } | undefined {
  const known = claims.of(metadata.uid);
  return known?.id === id && known.createdAt !== undefined ? { createdAt: known.createdAt } : undefined;
}

/** Whether two objects are the same, as far as both tell: a time that one of them doesn't know says nothing. */
export function isSameCounterpart(a: Counterpart, b: Counterpart): boolean {
  if (a.id !== b.id) return false;
  return a.createdAt === undefined || b.createdAt === undefined || sameTime(a.createdAt, b.createdAt);
}

function sameTime(a: string, b: string): boolean {
  return a === b || Date.parse(a) === Date.parse(b);
}

/** Who may have what is claimed, as far as it is known. */
export interface Rival {
  /** What it has: recorded in its status, or found a moment ago. */
  readonly has: Counterpart | undefined;
  /** The account it lives in; undefined while that can't be told. */
  readonly identity: string | undefined;
}

/**
 * Whether a rival competes for the object `wanted` in the account `identity`. What one account and one of another host
 * or token show is the same object when the service made it at the same time; of a rival whose account can't be told
 * its record counts, for when in doubt nobody else may write. Pure.
 */
export function competes(rival: Rival, wanted: Counterpart, identity: string): boolean {
  const { has } = rival;
  if (has === undefined) return rival.identity === identity;
  if (!isSameCounterpart(has, wanted)) return false;
  if (rival.identity === identity) return true;
  // Anybody may have a service that gives any ID: without the time, a record of elsewhere proves nothing.
  if (rival.identity === undefined && wanted.createdAt === undefined) return true;
  return isProven(has, wanted);
}

function isProven(has: Counterpart, wanted: Counterpart): boolean {
  return isSameCounterpart(has, wanted) && has.createdAt !== undefined && wanted.createdAt !== undefined;
}

/** Who has which object of the service: one of Kubernetes each. */
export interface Claims<T extends ManagedObject> {
  /**
   * Claims `wanted` for the object: undefined, or who has it. Of several the one that has it on record, a record
   * of its own before a copied one of the same account, with its time before one without, else the oldest.
   * What is claimed counts from now on, also before it is on record.
   */
  claim(object: T, wanted: Counterpart, identity: string, candidates: readonly T[]): T | undefined;
  /** Who would have it, though it is not there yet; what the object claimed before is there no more. */
  holder(object: T, identity: string, candidates: readonly T[]): T | undefined;
  /** What it claimed last, as far as this process knows: of what was just made, the time that no list shows yet, too. */
  of(uid: string): Counterpart | undefined;
  /** The resource is gone. */
  drop(uid: string): void;
}

export function createClaims<T extends ManagedObject>(accounts: AccountResolver): Claims<T> {
  const claimed = new Map<string, Counterpart>();

  /** What it has: as its status tells, or as this process knows where the status does not tell it, or not its time. */
  function hasOf({ metadata, status }: T): Counterpart | undefined {
    const { id, createdAt } = status ?? {};
    const known = claimed.get(metadata.uid);
    if (id === undefined) return known;
    return createdAt === undefined && known?.id === id ? known : { id, createdAt };
  }

  function rivalOf(object: T): Rival {
    const resolved = accounts.resolve(object.metadata.namespace ?? '', object.spec, object.status?.accountRef);
    return {
      has: hasOf(object),
      identity: 'session' in resolved ? resolved.session.identity : undefined,
    };
  }

  function first(object: T, rivals: readonly T[], rank: (one: T) => number): T | undefined {
    const [winner] = [...rivals, object].sort((a, b) => rank(b) - rank(a) || byAge(a, b));
    return winner?.metadata.uid === object.metadata.uid ? undefined : winner;
  }

  const others = (object: T, candidates: readonly T[]) =>
    candidates.filter((one) => one.metadata.uid !== object.metadata.uid && !isSet(one, Annotation.abandon));

  return {
    claim(object, wanted, identity, candidates) {
      const rivals = others(object, candidates).filter((one) => competes(rivalOf(one), wanted, identity));
      const proofOf = (one: T) => {
        const { has } = rivalOf(one);
        if (has === undefined || !isSameCounterpart(has, wanted)) return 0;
        return isProven(has, wanted) ? 2 : 1;
      };
      const isOwn = (one: T) => proofOf(one) > 0 && !isStatusOfAnother(one);
      const isWithin = (one: T) => rivalOf(one).identity === identity;
      // A copy of a status is no proof against the one that it was copied from.
      const equals = rivals.filter((one) => isOwn(one) || !isOwn(object));
      // That a record is no copy says nothing where another service may have shown what it is of: anybody may have one.
      const [within, elsewhere] = [equals.filter(isWithin), equals.filter((one) => !isWithin(one))];
      const winner =
        first(object, within, (one) => proofOf(one) + (isOwn(one) ? 2 : 0)) ?? first(object, elsewhere, proofOf);
      if (winner) claimed.delete(object.metadata.uid);
      else claimed.set(object.metadata.uid, wanted);
      return winner;
    },

    holder(object, identity, candidates) {
      // What it had is gone: a claim of that would keep nobody from what it is about to make.
      claimed.delete(object.metadata.uid);
      const rivals = others(object, candidates).filter((one) => rivalOf(one).identity === identity);
      return first(object, rivals, (one) => Number(one.status?.id !== undefined));
    },

    of: (uid) => claimed.get(uid),

    drop: (uid) => void claimed.delete(uid),
  };
}

function byAge(a: ManagedObject, b: ManagedObject): number {
  const age = (a.metadata.creationTimestamp ?? '').localeCompare(b.metadata.creationTimestamp ?? '');
  return age === 0 ? a.metadata.uid.localeCompare(b.metadata.uid) : age;
}
