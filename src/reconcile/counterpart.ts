import type { ManagedObject } from './managed-object.ts';

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

/** Whether both tell when it was made, and the same. Pure. */
export function isProven(has: Counterpart, wanted: Counterpart): boolean {
  return isSameCounterpart(has, wanted) && has.createdAt !== undefined && wanted.createdAt !== undefined;
}
