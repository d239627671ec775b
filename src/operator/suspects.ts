import type { Clock } from '../clock.ts';
import type { ObjectKey } from '../reconcile/reconciler.ts';
import type { Loss } from './recent-losses.ts';

/** Who is found gone and waits is looked at more often than this; else it was there meanwhile. Milliseconds. */
const FORGOTTEN_MILLISECONDS = 180_000;

/** What was found gone, and may be one of many. */
export interface Found extends Omit<Loss, 'at'> {
  /** The account at the service. */
  readonly identity: string;
  readonly key: ObjectKey;
  readonly id: string | undefined;
}

interface Suspect extends Found {
  /** Monotonic milliseconds, as `at`: when it was found gone first, and last. */
  readonly since: number;
  readonly at: number;
}

/** Remembers since when something is known to be gone: no list from before then tells what went with it. */
export function createSuspects(clock: Clock) {
  /** What was found gone longest ago first. */
  const suspects = new Map<ObjectKey, Suspect>();

  return {
    /** It is found gone, again or for the first time: since when. Monotonic milliseconds. */
    notice(found: Found): { readonly since: number; readonly isFirst: boolean } {
      const { key, what, identity } = found;
      const at = clock.monotonic();
      for (const [other, one] of suspects) {
        if (at - one.at < FORGOTTEN_MILLISECONDS) break;
        suspects.delete(other);
      }
      const known = suspects.get(key);
      const isFirst = known?.what !== what || known.identity !== identity;
      const since = isFirst ? at : known.since;
      suspects.delete(key);
      suspects.set(key, { ...found, since, at });
      return { since, isFirst };
    },

    /** What a person let go of since: it is lost, too. */
    takeLetGo(identity: string, isHeld: (key: ObjectKey, id: string) => boolean): readonly Found[] {
      const gone = [...suspects.values()].filter(
        (one) => one.identity === identity && one.id !== undefined && !isHeld(one.key, one.id),
      );
      for (const { key } of gone) suspects.delete(key);
      return gone;
    },

    forget: (key: ObjectKey): void => void suspects.delete(key),
  };
}
