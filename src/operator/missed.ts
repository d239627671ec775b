import { concerns, type Doubt, type Recorded } from '../kinds/cloud-account/losses.ts';
import type { AccountUsers } from '../kinds/cloud-account/users.ts';
import { Annotation, isSet } from '../reconcile/annotations.ts';
import type { ManagedObject } from '../reconcile/managed-object.ts';
import { type ObjectKey, parseKey } from '../reconcile/reconciler.ts';
import type { Informers } from './informers.ts';
import type { createRecentLosses } from './recent-losses.ts';

/** What was missing at the last look that found too much missing. */
interface Missed extends Omit<Recorded, 'isThere'> {
  readonly id: string;
  readonly account: ObjectKey;
}

/**
 * Remembers what is missing while there is doubt, by account at the service (`identity`). A person who lets go of one of
 * that, abandoned or orphaned, has not said that the others are gone: it counts as lost of late, and makes few of many no
 * sooner than the doubt would end.
 */
export function createMissed(options: {
  readonly informers: Pick<Informers, 'managed'>;
  readonly users: Pick<AccountUsers, 'accountOf'>;
  readonly recentLosses: Pick<ReturnType<typeof createRecentLosses>, 'add' | 'has'>;
  /** A person said of this account that what is missing is gone. */
  readonly accepts: (account: ObjectKey) => boolean;
}) {
  const { informers, users, recentLosses, accepts } = options;
  const byIdentity = new Map<string, readonly Missed[]>();
  /** How what was let go while there was doubt is counted no more. */
  const letGo = new Map<string, (() => void)[]>();

  function objectOf(key: ObjectKey): ManagedObject | undefined {
    const { kind, namespace, name } = parseKey(key);
    return informers.managed.get(kind)?.get(namespace, name);
  }

  return {
    /**
     * Takes in what a look found; nothing is missed without doubt. What was let go counts no longer than anything else is missed.
     * Gives whether something counts no more.
     */
    note(identity: string, recorded: readonly Recorded[], doubt: Doubt | undefined): boolean {
      if (doubt === undefined) {
        byIdentity.delete(identity);
        letGo.delete(identity);
        return false;
      }
      const missed = recorded.flatMap((one): Missed[] => {
        const isMissed = !one.isThere && concerns(doubt, parseKey(one.key).namespace);
        if (!isMissed || recentLosses.has(identity, one.key)) return [];
        const object = objectOf(one.key);
        const id = object?.status?.id;
        return object && id !== undefined ? [{ ...one, id, account: users.accountOf(object) }] : [];
      });
      byIdentity.set(identity, missed);
      if (missed.length > 0) return false;
      for (const takeBack of letGo.get(identity) ?? []) takeBack();
      return letGo.delete(identity);
    },

    /** Counts as lost what was let go since. `wasDeleted`: this process deleted what has the ID, which is no loss. */
    settle(identity: string, wasDeleted: (id: string) => boolean): void {
      for (const { key, what, id, account, isUntold = false } of byIdentity.get(identity) ?? []) {
        const isKept = isHeld(objectOf(key), id) || wasDeleted(id) || accepts(account);
        if (isKept) continue;
        const takeBack = recentLosses.add(identity, key, { what, account, isUntold });
        letGo.set(identity, [...(letGo.get(identity) ?? []), takeBack]);
      }
    },
  };
}

/** Whether a resource still has the object with this ID on record, and means to keep it. */
function isHeld(object: ManagedObject | undefined, id: string): boolean {
  return object?.status?.id === id && !isSet(object, Annotation.abandon);
}
