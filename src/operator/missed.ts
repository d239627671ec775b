import type { Clock } from '../clock.ts';
import { concerns, type Doubt, MANY, type Recorded } from '../kinds/cloud-account/losses.ts';
import type { AccountUsers } from '../kinds/cloud-account/users.ts';
import { Annotation, isSet } from '../reconcile/annotations.ts';
import type { ManagedObject } from '../reconcile/managed-object.ts';
import { keyOf, type ObjectKey, parseKey } from '../reconcile/reconciler.ts';
import { isOver } from './on-record.ts';
import type { createRecentLosses, Loss } from './recent-losses.ts';
import { createVoided } from './voided.ts';

/** More than these are not remembered of an account; few decide. */
const MOST_LET_GO = 1000;

/** What was missing at the last look that found too much missing. */
interface Missed extends Omit<Loss, 'at'> {
  readonly key: ObjectKey;
  readonly id: string;
}

/**
 * Remembers what is missing while there is doubt, by account at the service (`identity`). A person who lets go of one of
 * that, abandoned or orphaned, has not said that the others are gone: it counts as lost for as long as any of them is missed.
 */
export function createMissed(options: {
  readonly objectOf: (key: ObjectKey) => ManagedObject | undefined;
  readonly users: Pick<AccountUsers, 'accountOf'>;
  readonly recentLosses: Pick<ReturnType<typeof createRecentLosses>, 'add' | 'remove' | 'has'>;
  readonly clock: Clock;
  /** A person said of this account that what is missing is gone. */
  readonly accepts: (account: ObjectKey) => boolean;
}) {
  const { objectOf, users, recentLosses, clock, accepts } = options;
  const byIdentity = new Map<string, readonly Missed[]>();
  /** What was let go while there was doubt. */
  const letGo = new Map<string, readonly Missed[]>();
  /** What was missing while there was doubt, and still is: of what it was lost with, nothing was let go unseen. */
  const followed = new Map<string, Set<ObjectKey>>();
  /** What was missing with more than is missing by now, which went unseen. */
  const left = new Map<string, Set<ObjectKey>>();
  const voided = createVoided(clock);

  /** What is shown again, or is nobody's any more, is not missing. */
  function keepMissing(identity: string, recorded: readonly Recorded[]): void {
    if (voided.isDue(identity)) {
      // Its own pass takes the mark off; paused, it has none.
      const isMarked = (key: ObjectKey) => objectOf(key)?.status?.missingSince !== undefined;
      voided.look(identity, shownOf(recorded).filter(isMarked), isMarked);
    }
    if (!followed.has(identity) && !left.has(identity)) return;
    const missing = new Set(recorded.filter(({ isThere }) => !isThere).map(({ key }) => key));
    const shown = new Set(shownOf(recorded));
    for (const known of [followed, left]) {
      const all = [...(known.get(identity) ?? [])];
      for (const key of all) if (shown.has(key)) voided.add(identity, key);
      const kept = all.filter((key) => missing.has(key));
      if (kept.length > 0) known.set(identity, new Set(kept));
      else known.delete(identity);
    }
  }

  /** How much of what was missed at the last look was not shown since: doubt may end because less of it is counted, or more is there. */
  function unresolved(identity: string, recorded: readonly Recorded[]): number {
    const shown = new Set(shownOf(recorded));
    const missing = (byIdentity.get(identity) ?? []).filter(({ key }) => !shown.has(key));
    const gone = (letGo.get(identity) ?? []).filter(({ key }) => recentLosses.has(identity, key));
    return missing.length + gone.length;
  }

  /** What is left waits for a word, whatever of the rest was let go. Gives whether something counts no more. */
  function forget(identity: string): boolean {
    const before = letGo.get(identity) ?? [];
    for (const { key } of before) recentLosses.remove(identity, key);
    for (const known of [byIdentity, letGo, followed]) known.delete(identity);
    return before.length > 0;
  }

  return {
    /**
     * Takes in what a look found; nothing is missed without doubt. What was let go counts no longer than anything else is missed.
     * Gives whether something counts no more.
     */
    note(identity: string, recorded: readonly Recorded[], doubt: Doubt | undefined): boolean {
      keepMissing(identity, recorded);
      if (doubt === undefined) {
        if (unresolved(identity, recorded) >= MANY) return forget(identity);
        // What became of the others was seen: what is left may be few.
        for (const key of followed.get(identity) ?? []) voided.add(identity, key);
        followed.delete(identity);
        byIdentity.delete(identity);
        letGo.delete(identity);
        return false;
      }
      const concerned = recorded.filter(({ key, isThere }) => !isThere && concerns(doubt, parseKey(key).namespace));
      const missed = concerned.flatMap((one): Missed[] => {
        if (recentLosses.has(identity, one.key)) return [];
        const object = objectOf(one.key);
        const id = object?.status?.id;
        const { key, what, isUntold = false } = one;
        return object && id !== undefined ? [{ key, what, isUntold, id, account: users.accountOf(object) }] : [];
      });
      byIdentity.set(identity, missed);
      const fresh = concerned.map(({ key }) => key).filter((key) => left.get(identity)?.has(key) !== true);
      for (const { key } of concerned) voided.remove(identity, key);
      followed.set(identity, new Set([...(followed.get(identity) ?? []), ...fresh]));
      const before = letGo.get(identity) ?? [];
      const after = missed.length > 0 ? before.filter(({ key }) => recentLosses.has(identity, key)) : [];
      if (missed.length === 0) for (const { key } of before) recentLosses.remove(identity, key);
      if (after.length > 0) letGo.set(identity, after);
      else letGo.delete(identity);
      return after.length < before.length;
    },

    /**
     * Whether it was missing together with many, as its status has on record, and this process has not seen since what became of
     * the others: a person may have let go of some, and that few are left then says nothing of these.
     */
    isOneOfMany(identity: string, { kind, metadata, status }: ManagedObject): boolean {
      const key = keyOf(kind, metadata);
      if (status?.missingSince === undefined || voided.isVoid(identity, key, status.missingSince)) return false;
      return followed.get(identity)?.has(key) !== true;
    },

    isHeld: (key: ObjectKey, id: string): boolean => isHeld(objectOf(key), id),

    /** All lists are there, and it is one of what is left of many: it stays so, whatever else is lost and shown again. */
    leave: (identity: string, key: ObjectKey): void =>
      void left.set(identity, (left.get(identity) ?? new Set()).add(key)),

    /** No account has this access any more: what becomes of it there goes unseen. */
    forget(identity: string): void {
      forget(identity);
      left.delete(identity);
      voided.forget(identity);
    },

    /**
     * Counts as lost what was let go since, and still what was before, however long ago the last look was. `wasDeleted`: this process
     * deleted what has the ID, which is no loss.
     */
    settle(identity: string, wasDeleted: (id: string) => boolean): void {
      const gone = (byIdentity.get(identity) ?? []).filter(
        ({ key, id, account }) => !isHeld(objectOf(key), id) && !wasDeleted(id) && !accepts(account),
      );
      const all = [...(letGo.get(identity) ?? []), ...gone].slice(-MOST_LET_GO);
      for (const one of all) recentLosses.add(identity, one.key, one);
      if (all.length > 0) letGo.set(identity, all);
    },
  };
}

function shownOf(recorded: readonly Recorded[]): ObjectKey[] {
  return recorded.filter(({ isThere }) => isThere).map(({ key }) => key);
}

/** Whether a resource still has the object with this ID on record, and means to keep it, or the operator has not let go of it yet. */
function isHeld(object: ManagedObject | undefined, id: string): boolean {
  return object?.status?.id === id && !isSet(object, Annotation.abandon) && !isOver(object);
}
