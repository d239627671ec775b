import type { Verdict } from '../../reconcile/conditions.ts';
import type { ManagedObject } from '../../reconcile/managed-object.ts';
import type { ObjectKey } from '../../reconcile/reconciler.ts';
import type { Stored } from './ledger-page.ts';
import type { Account } from './schema.ts';

/** What an account has to say of what is held. */
export interface AccountBrakes {
  /** The condition of the account; undefined where nothing is held. */
  verdict(account: ObjectKey): Verdict | undefined;
  /** What is to be on record of the account where it lacks something that counts, as when it was made anew; else undefined. */
  unrecorded(key: ObjectKey, account: Account): readonly Stored[] | undefined;
  /** The account is gone: nothing is kept of it but what counts if it is made anew. */
  forget(account: ObjectKey): void;
}

/** What the brakes have to know of a kind; absent: it makes and deletes nothing at the service. */
export interface BrakedKind<T extends ManagedObject> {
  /** Whether a resource that has nothing at the service is to have it made, at a cost. */
  readonly isToBeCreated: (object: T) => boolean;
}
