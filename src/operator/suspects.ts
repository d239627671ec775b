import type { Clock } from '../clock.ts';
import type { ObjectKey } from '../reconcile/reconciler.ts';

/** Who is found gone and not made again is looked at more often than this; else it was there meanwhile. Milliseconds. */
const FORGOTTEN_MILLISECONDS = 60_000;

interface Suspect {
  readonly what: string;
  /** Monotonic milliseconds, as `at`: when it was found gone first, and last. */
  readonly since: number;
  readonly at: number;
}

/** Remembers since when something is known to be gone: no list from before then tells what went with it. */
export function createSuspects(clock: Clock) {
  /** What was found gone longest ago first. */
  const suspects = new Map<ObjectKey, Suspect>();

  return {
    /** It (`what`, in words) is found gone, again or for the first time. Monotonic milliseconds. */
    notice(key: ObjectKey, what: string): { readonly since: number; readonly isFirst: boolean } {
      const at = clock.monotonic();
      for (const [other, one] of suspects) {
        if (at - one.at < FORGOTTEN_MILLISECONDS) break;
        suspects.delete(other);
      }
      const known = suspects.get(key);
      const since = known?.what === what ? known.since : at;
      suspects.delete(key);
      suspects.set(key, { what, since, at });
      return { since, isFirst: known?.what !== what };
    },

    forget: (key: ObjectKey): void => void suspects.delete(key),
  };
}
