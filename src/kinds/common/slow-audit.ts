import type { ManagedObject } from '../../reconcile/kind.ts';

/** Everything is looked at again within 12 hours; the rest of them is for waiting in the lowest lanes. Milliseconds. */
const CYCLE = 11 * 3_600_000;

/**
 * Spreads looks at details over half a day, one resource at a time, so that the whole costs a small and steady part of
 * an hourly budget: there is no burst, neither at a start nor when a thousand resources come at once.
 */
export function createSlowAudit(random: () => number) {
  const dueAt = new Map<string, number>();
  return {
    /** Those that are due at `now` (milliseconds); they count as looked at. */
    due<T extends ManagedObject>(objects: readonly T[], now: number): T[] {
      return objects.filter(({ metadata: { uid, deletionTimestamp }, status }) => {
        if (status?.id === undefined || deletionTimestamp !== undefined) return false;
        const known = dueAt.get(uid);
        // When it was looked at last is not known: somewhere in the cycle, for each by chance.
        if (known === undefined) dueAt.set(uid, now + random() * CYCLE);
        if (known === undefined || known > now) return false;
        dueAt.set(uid, now + CYCLE);
        return true;
      });
    },
    forget: (uid: string): void => void dueAt.delete(uid),
  };
}
