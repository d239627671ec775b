import type { Clock } from '../clock.ts';
import type { Recorded } from '../kinds/cloud-account/losses.ts';
import type { ObjectKey } from '../reconcile/reconciler.ts';

/** What was found gone counts for this long, and for as long as what was lost with it is in doubt. Milliseconds. */
const LATELY_MILLISECONDS = 600_000;

/** What was found gone. */
export interface Loss {
  /** Monotonic milliseconds. */
  readonly at: number;
  /** It, in words, under the ID it had: by now there may be another in its place. */
  readonly what: string;
  readonly account: ObjectKey;
  /** See {@link Recorded}. */
  readonly isUntold: boolean;
}

/**
 * What was found gone of late, one by one, by account at the service (`identity`): one by one must not be another way to
 * lose all.
 */
export function createRecentLosses(options: {
  readonly clock: Clock;
  /** A person said of this account that what is missing is gone. */
  readonly accepts: (account: ObjectKey) => boolean;
  /** Too much was missing at the last look, in the namespace of what has this key, too. */
  readonly isDoubted: (identity: string, key: ObjectKey) => boolean;
}) {
  const { clock, accepts, isDoubted } = options;
  const byIdentity = new Map<string, Map<ObjectKey, Loss>>();

  function isOver(identity: string, key: ObjectKey, { at }: Loss): boolean {
    return clock.monotonic() - at > LATELY_MILLISECONDS && !isDoubted(identity, key);
  }

  return {
    /** What is on record, and what was until it was found gone a moment ago. */
    among(identity: string, recorded: readonly Recorded[]): readonly Recorded[] {
      const lately = byIdentity.get(identity);
      if (!lately) return recorded;
      const lost: Recorded[] = [];
      const byKey = new Map(recorded.map((one) => [one.key, one]));
      for (const [key, loss] of lately) {
        const now = byKey.get(key);
        const isShownAgain = now?.isThere === true && now.what === loss.what;
        if (isOver(identity, key, loss) || accepts(loss.account) || isShownAgain) lately.delete(key);
        else lost.push({ key, what: loss.what, isThere: false, isUntold: loss.isUntold });
      }
      return [...recorded.filter(({ key }) => !lately.has(key)), ...lost];
    },

    /** Whether it counts already. */
    has: (identity: string, key: ObjectKey): boolean => byIdentity.get(identity)?.has(key) === true,

    /** Counts one more, from now on. */
    add(identity: string, key: ObjectKey, loss: Omit<Loss, 'at'>): void {
      for (const [other, losses] of byIdentity) {
        if ([...losses].every(([one, lost]) => isOver(other, one, lost))) byIdentity.delete(other);
      }
      const lately = byIdentity.get(identity) ?? new Map<ObjectKey, Loss>();
      byIdentity.set(identity, lately);
      lately.set(key, { ...loss, at: clock.monotonic() });
    },

    remove: (identity: string, key: ObjectKey): void => void byIdentity.get(identity)?.delete(key),
  };
}
