import { type Doubt, isMissingWidely, type Recorded } from '../kinds/cloud-account/losses.ts';
import type { ObjectKey } from '../reconcile/reconciler.ts';

/**
 * Tells apart what has been missing for long: it says nothing of what other namespaces lose now, so that who has two things
 * stay missing keeps nobody else's from being made again. By account at the service (`identity`).
 */
export function createLongMissing() {
  /** What is missing in several namespaces all at once, or is all there was: it counts for as long as it is. */
  const wide = new Map<string, ReadonlySet<ObjectKey>>();

  return {
    /** `isSteady`: the lists of the account were taken for so long that what went at the same time shows by now. */
    apart(identity: string, recorded: readonly Recorded[], isSteady: () => boolean): readonly Recorded[] {
      const counts = ({ key, isOld }: Recorded) => isOld !== true || wide.get(identity)?.has(key) === true;
      if (recorded.every(counts) || !isSteady()) return recorded;
      return recorded.map((one) => (counts(one) ? one : { ...one, isUntold: true }));
    },

    /** Takes in what a look found. */
    note(identity: string, recorded: readonly Recorded[], doubt: Doubt | undefined): void {
      if (doubt !== 'all' && !isMissingWidely(recorded)) wide.delete(identity);
      else wide.set(identity, new Set(recorded.filter(({ isThere }) => !isThere).map(({ key }) => key)));
    },

    /** No account has this access any more. */
    forget: (identity: string): void => void wide.delete(identity),
  };
}
