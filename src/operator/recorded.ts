import type { Api } from '../cloud/limiter/lanes.ts';
import type { ObservedList } from '../cloud/list/snapshot.ts';
import type { Recorded } from '../kinds/cloud-account/losses.ts';
import type { ManagedObject } from '../reconcile/managed-object.ts';
import { keyOf } from '../reconcile/reconciler.ts';
import type { AccountSession } from '../reconcile/session.ts';

/** What resources have on record in one list of the service. */
export interface Part {
  /** Takes the list anew. */
  take(after: number, signal?: AbortSignal): Promise<unknown>;
  /** Whether there is a list, and whether it shows all there is. */
  isListed(): boolean;
  isWhole(): boolean;
  /**
   * As the last list tells. Of what that leaves open nothing is told; with `since`, in monotonic milliseconds, it counts as
   * missing, and so does all that was not looked for from then on.
   */
  recorded(since?: number): readonly Recorded[];
  /** Its list comes out of the budget of an hour. */
  readonly isCostly: boolean;
}

type IsNew<T> = (object: T, listedAt: number) => boolean;

/** How what a kind's resources have on record is compared with what the service lists. */
export interface RecordedIn<T extends ManagedObject> {
  /**
   * The parts of the lists that these objects are in, all of one account at the service. `isNew`: it was made a moment
   * before a list was asked for, in monotonic milliseconds, and may not be in it yet, whatever asking for it by its ID shows.
   */
  readonly partsOf: (objects: readonly T[], session: AccountSession, isNew: IsNew<T>) => Part[];
}

/** The same for a kind each of whose objects is in one list. */
export function recordedIn<T extends ManagedObject, I extends { readonly id: string }>(options: {
  readonly api: Api;
  /** What a person calls it, before its ID. */
  readonly word: string;
  /** Objects with the same answer are in one list; by default all are. */
  readonly placeOf?: (object: T) => string;
  /** Asked for only when the list is needed: some lists are polled from then on. */
  readonly list: (session: AccountSession, place: string) => ObservedList<I>;
  /** Whether there is such a place, as far as known: in one that is none nothing can be lost. By default there is. */
  readonly isPlace?: (session: AccountSession, place: string) => boolean;
  readonly isIt: (object: T, item: I) => boolean;
}): RecordedIn<T> {
  const { api, word, placeOf = () => '', isPlace = () => true, isIt } = options;

  function partIn(objects: readonly T[], list: () => ObservedList<I>, isNew: IsNew<T>): Part {
    return {
      isCostly: api === 'webaccel',
      isListed: () => list().snapshot() !== undefined,
      isWhole: () => list().snapshot()?.complete === true,
      take: (after, signal) => list().observeAfter(after, signal),
      recorded(since) {
        const last = list().snapshot();
        const snapshot = since !== undefined && last && last.startedAt < since ? undefined : last;
        if (!snapshot && since === undefined) return [];
        return objects.flatMap((object) => {
          const id = object.status?.id ?? '';
          const item = snapshot?.items.get(id);
          // What a list that is not whole doesn't show says nothing.
          const isOpen = !item && (!snapshot?.complete || (isNew(object, snapshot.startedAt) && !list().hasShown(id)));
          if (isOpen && since === undefined) return [];
          const isThere = item !== undefined && isIt(object, item);
          return [{ key: keyOf(object.kind, object.metadata), what: `${word} ${id}`, isThere }];
        });
      },
    };
  }

  return {
    partsOf: (objects, session, isNew) =>
      [...Map.groupBy(objects, placeOf)]
        .filter(([place]) => isPlace(session, place))
        .map(([place, members]) => partIn(members, () => options.list(session, place), isNew)),
  };
}
