import type { AccountApproval } from './approval.ts';
import type { AccountRef, CommonSpec, ManagedObject } from './managed-object.ts';
import type { Hold } from './plan.ts';
import type { AccountSession } from './session.ts';

/** Finds the account of a resource; Reason: why it can't be used. */
export interface AccountResolver<Reason extends string = string> {
  /**
   * `leaving`: why nothing new is taken on, though what is there is still looked after. `isGone`: the account is not there any
   * more, so that nobody can put on record what is sent through it: only what is being deleted goes on.
   *
   * `recorded` is the account the status names: it stays the one, whatever the defaults become.
   */
  resolve(
    namespace: string,
    spec: CommonSpec,
    recorded: AccountRef | undefined,
  ): Resolved<Reason> | { hold: Hold<Reason> };
  /**
   * Why nobody can tell in which account a resource is: it was worked on, and what told the account is gone. Undefined: it
   * can be told.
   */
  unclear(object: ManagedObject): Hold<Reason> | undefined;
  /** Whether that would be so of one that is worked on from now on, without a status that tells the account. */
  isAmbiguous(object: ManagedObject): boolean;
  /**
   * Notes that what has nothing in its account yet is about to get its finalizer, until what is returned is called: an account
   * that is deleted in that moment stays for it. Undefined where the account is deleted already.
   */
  bind(object: ManagedObject, account: AccountRef): (() => void) | undefined;
  /** What has to be approved of all that is done with the account of a resource; undefined: nothing. */
  approvalOf(namespace: string, spec: CommonSpec, recorded: AccountRef | undefined): AccountApproval | undefined;
  /** The account is gone, and nothing uses it. */
  forget(account: string): void;
  /** What a resource is paused by, apart from its own annotation: `Namespace fleet`, or its account; undefined while it is not. */
  pausedBy(namespace: string, spec: CommonSpec, recorded: AccountRef | undefined): string | undefined;
}

/** The account that a resource works with. */
export interface Resolved<Reason extends string> {
  readonly session: AccountSession;
  readonly accountRef: AccountRef;
  readonly leaving?: Hold<Reason> | undefined;
  /** Why nothing is made in it for now: it is not on record which account of the service it is. */
  readonly unrecorded?: Hold<Reason> | undefined;
  readonly isGone?: true;
}
