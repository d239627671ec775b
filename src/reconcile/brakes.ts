import type { AccountRef, ManagedObject } from './managed-object.ts';
import type { Hold } from './plan.ts';

/** What is held back where it is too much at once: a deletion at the service, or the creation of what costs money. */
export type Braked = 'Deletion' | 'Creation';

/** That something may be sent, for a while. */
export interface Permit {
  /** Whether it still may; asked right before a request leaves. */
  isGood(): boolean;
}

/** Holds back what would be too much at once. */
export interface Brakes {
  /**
   * Whether this may be done for the resource; that it may is on record in its account when this resolves. `vanished`: the
   * ID of what was there before and is to be created once more. `heldAmong`: with how many it was held before, at most; the
   * answer says with how many it is. Throws KubeErrors of that record, and NotLeaderError.
   */
  ask(request: {
    readonly action: Braked;
    readonly object: ManagedObject;
    readonly account: AccountRef;
    readonly vanished?: string | undefined;
    readonly heldAmong?: number | undefined;
  }): Promise<Permit | { readonly hold: Hold<string>; readonly among: number }>;
}
