import type { Clock } from '../clock.ts';
import { isNotFound, isOfTerminating } from './errors.ts';
import type { Informer } from './informer.ts';
import type { KubernetesObject } from './objects.ts';

/** See {@link createClosedNamespaces}. */
export type HasLiving = (namespace: string, since: number | undefined) => boolean;

/** Where namespaces are not watched, a refusal counts so long: over a few tries, and not for one that is made anew later. */
const REFUSAL_MILLISECONDS = 30_000;

/**
 * Namespaces in which nobody can make a Lease. One of the same name that is made anew is another, in which whoever is first
 * makes it: so which one it was is kept, and compared with what is there.
 */
export interface ClosedNamespaces {
  /** What the apiserver answered to who wanted to make a Lease; whether that is because of the namespace. */
  refused(namespace: string, error: unknown): boolean;
  /** A Lease could be made, or nobody wants one. */
  opened(namespace: string): void;
  /** The one that refused is being deleted. */
  isGoing(namespace: string): boolean;
  /** There was none, and none is seen since. */
  isMissing(namespace: string): boolean;
}

/**
 * `namespaces`: undefined where they are not watched. `hasLiving`: whether anything in one is not being deleted, of what was
 * made since then (milliseconds since the epoch; undefined: whenever).
 */
export function createClosedNamespaces(
  namespaces: Pick<Informer<KubernetesObject>, 'get'> | undefined,
  hasLiving: HasLiving,
  clock: Pick<Clock, 'monotonic'>,
): ClosedNamespaces {
  /** When each refused, and which one that was, as far as they are watched. */
  const going = new Map<string, { readonly uid: string | undefined; readonly at: number }>();
  const missing = new Set<string>();

  /** The UID of the namespace while it is being deleted. */
  function uidOfGoing(namespace: string): string | undefined {
    const { deletionTimestamp, uid } = namespaces?.get(undefined, namespace)?.metadata ?? {};
    return deletionTimestamp === undefined ? undefined : uid;
  }

  /** Since when it is being deleted. Another watch may show what is in one that was made anew before this shows that. */
  function timeOfGoing(namespace: string): number {
    return Date.parse(namespaces?.get(undefined, namespace)?.metadata.deletionTimestamp ?? '');
  }

  return {
    refused(namespace, error) {
      const isGone = isNotFound(error);
      if (!isGone && !isOfTerminating(error)) return false;
      const uid = uidOfGoing(namespace);
      if (!isGone && (!namespaces || uid !== undefined)) going.set(namespace, { uid, at: clock.monotonic() });
      else going.delete(namespace);
      if (isGone) missing.add(namespace);
      else missing.delete(namespace);
      return true;
    },

    opened(namespace) {
      going.delete(namespace);
      missing.delete(namespace);
    },

    isGoing(namespace) {
      const found = going.get(namespace);
      if (!found) return false;
      // Nothing can be made in one that is going: what is not being deleted may be of one that was made anew.
      if (!namespaces) return clock.monotonic() - found.at < REFUSAL_MILLISECONDS && !hasLiving(namespace, undefined);
      return uidOfGoing(namespace) === found.uid && !hasLiving(namespace, timeOfGoing(namespace));
    },

    isMissing: (namespace) =>
      missing.has(namespace) && namespaces !== undefined && namespaces.get(undefined, namespace) === undefined,
  };
}
