import { CloudError, NotFoundError } from '../../cloud/errors.ts';
import type { Snapshot } from '../../cloud/list/snapshot.ts';
import type { Pass } from '../../reconcile/kind.ts';
import type { ManagedObject } from '../../reconcile/managed-object.ts';
import type { Hold } from '../../reconcile/plan.ts';
import { holdRestored, type Losses, type Proposal } from './losses.ts';
import type { AccountReason } from './reasons.ts';

/** What resources of a kind have at the service, as far as it is looked for under the ID on record. */
export interface RecordedKind<T extends ManagedObject, Item> {
  /** What it is called in a sentence: `SIM`. */
  readonly what: string;
  /** Asks for the one with this ID, which may throw NotFoundError. */
  read(pass: Pass<T>, id: string): Promise<Item>;
  /** Whether it is the one that was recorded: an ID alone is none. */
  isSame(object: T, item: Item): boolean;
  /** Whether it is what the spec means, by what the spec calls it. */
  isMeant(object: T, item: Item): boolean;
  /** Why nothing is done with one that is another. */
  holdOther(object: T, item: Item, proposal: Proposal): Hold<AccountReason>;
}

/** Looks for what a resource has on record. */
export function createRecorded<T extends ManagedObject, Item>(kind: RecordedKind<T, Item>) {
  /** A list may miss a member once: what was there before is gone only when asking for it says so. */
  async function confirm(pass: Pass<T>, id: string, isAccepted: boolean): Promise<Item | undefined> {
    try {
      return await kind.read(pass, id);
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      // It belongs to another account, which is where a person said it may be lost to.
      if (isAccepted && error instanceof CloudError && error.status === 403) return undefined;
      throw error;
    }
  }

  return {
    /**
     * What the account shows under the ID on record, if that is what was recorded. `anothers`: the status was written for
     * another resource, and what it names is not what this one means; it is as if there were none.
     */
    async find(
      pass: Pass<T>,
      losses: Losses,
      snapshot: Snapshot<Item>,
    ): Promise<{ item: Item | undefined; anothers?: Item } | { hold: Hold<AccountReason> }> {
      const { object, session, progress } = pass;
      const { id } = progress;
      if (id === undefined) return { item: undefined };
      const listed = snapshot.items.get(id);
      const doubt = listed ? undefined : losses.doubt(object, session);
      if (doubt) return { hold: doubt };
      const item = listed ?? (await confirm(pass, id, losses.accepts(object)));
      if (item && progress.restoredFrom !== undefined && !kind.isMeant(object, item)) {
        return { item: undefined, anothers: item };
      }
      if (!item || kind.isSame(object, item)) return { item };
      if (losses.accepts(object)) return { item: undefined };
      return { hold: kind.holdOther(object, item, losses.proposal(object)) };
    },

    /** Why nothing is to be made for the resource, or what it had is not taken for deleted, though nothing is there. */
    doubtOf({ object, session, progress }: Pass<T>, losses: Losses): Hold<AccountReason> | undefined {
      if (progress.id !== undefined && progress.restoredFrom !== undefined && !losses.accepts(object)) {
        return holdRestored(`${kind.what} ${progress.id}`, losses.proposal(object));
      }
      if (progress.id !== undefined) return losses.gone(object, `${kind.what} ${progress.id}`, session);
      const many = losses.remains(object, session);
      return many ?? (losses.isDoubted(object, session) ? losses.doubt(object, session) : undefined);
    },
  };
}
