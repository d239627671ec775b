import type { Clock } from '../clock.ts';
import type { ObjectKey } from '../reconcile/reconciler.ts';

/** With many thousands on record, all are looked at so often at most. Milliseconds. */
const LOOK_MILLISECONDS = 60_000;
/** By then a mark is stored that was decided on before. Milliseconds. */
const WRITTEN_MILLISECONDS = 600_000;

/**
 * Remembers which marks of before say nothing any more (`status.missingSince`), by account at the service: this process saw what
 * had them shown again, or what became of all that was missing with it. A status keeps its mark until a pass writes it, which a
 * pause may put off.
 */
export function createVoided(clock: Clock) {
  /** By account at the service, monotonic milliseconds. */
  const looked = new Map<string, number>();
  /** Since when; milliseconds since the epoch, as marks are. */
  const byIdentity = new Map<string, Map<ObjectKey, number>>();

  function add(identity: string, key: ObjectKey): void {
    const voided = byIdentity.get(identity) ?? new Map<ObjectKey, number>();
    byIdentity.set(identity, voided.set(key, clock.now()));
  }

  return {
    add,
    /** Whether it is time to look at all that is shown. */
    isDue: (identity: string): boolean =>
      clock.monotonic() - (looked.get(identity) ?? Number.NEGATIVE_INFINITY) >= LOOK_MILLISECONDS,
    /** What has marks, and is shown; and whether one has any. */
    look(identity: string, shown: readonly ObjectKey[], isMarked: (key: ObjectKey) => boolean): void {
      looked.set(identity, clock.monotonic());
      for (const key of shown) add(identity, key);
      for (const [key, at] of byIdentity.get(identity) ?? []) {
        if (!isMarked(key) && clock.now() - at > WRITTEN_MILLISECONDS) byIdentity.get(identity)?.delete(key);
      }
    },
    remove: (identity: string, key: ObjectKey): void => void byIdentity.get(identity)?.delete(key),
    /** Whether a mark says nothing any more: one of later does. */
    isVoid: (identity: string, key: ObjectKey, mark: string): boolean =>
      Date.parse(mark) <= (byIdentity.get(identity)?.get(key) ?? Number.NEGATIVE_INFINITY),
    forget(identity: string): void {
      byIdentity.delete(identity);
      looked.delete(identity);
    },
  };
}
