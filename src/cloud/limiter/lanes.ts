import type { WriteReport } from '../write-report.ts';

/**
 * Why a request is made, most urgent first: certificate uploads and the looks without which none may go, other writes and
 * deletes, reads that confirm a write, polls, the slow audit of details, and monthly usage.
 */
export const lanes = ['upload', 'write', 'verify', 'list', 'audit', 'usage'] as const;
export type Lane = (typeof lanes)[number];

/** Whether a request of this lane neither changes anything nor confirms a change. */
export function isRead(lane: Lane): boolean {
  return lane === 'list' || lane === 'audit' || lane === 'usage';
}

/** The two interfaces of the service, each with limits of its own. */
export const apis = ['cloud', 'webaccel'] as const;
export type Api = (typeof apis)[number];

/**
 * How pressing the work is that a call belongs to, most pressing first: something is to be taken out of service, something
 * that exists is to be changed, something new is to be made.
 */
export const urgencies = ['urgent', 'change', 'creation'] as const;
export type Urgency = (typeof urgencies)[number];

/** The call that failed in an earlier process, as its resource's status tells: `PUT /site/1133/certificate`. */
interface FailedBefore {
  readonly call: string;
  /** Monotonic milliseconds. */
  readonly since: number;
}

/** Where a call stands among those of its lane that wait for their turn too. */
export interface Turn {
  readonly urgency: Urgency;
  /** Of calls equally pressing those go first whose work has the smaller number: what was begun is finished first. */
  readonly began: number;
  readonly failedBefore?: FailedBefore | undefined;
}

/** The last argument of every operation. */
export interface CallOptions {
  readonly lane: Lane;
  /** Whose work it is: where few requests of an account may go, its parties take turns. A namespace. */
  readonly party?: string | undefined;
  /** At whose cost it goes in the turns, where that is not whose work it is: a list that one waits for shows what is all's. */
  readonly payer?: string | undefined;
  /** Without one a call is as pressing as a change, and goes first among those. */
  readonly turn?: Turn | undefined;
  /**
   * Told when the call begins to wait for the service, for its turn or for the answer; what it returns is called when that
   * is over. Nothing scarce should be held meanwhile: it can take an hour.
   */
  readonly onWait?: (() => () => void) | undefined;
  /** Aborts the call: before the request is sent with the signal's reason; a write already sent, as OutcomeUnknown. */
  readonly signal?: AbortSignal | undefined;
  /** Told each time a request of the call begins to wait for its turn, also after another was answered and did not suffice. */
  readonly onQueued?: (() => void) | undefined;
  /** Told each time right before a request of the call is written: its answer shows nothing older. */
  readonly onSent?: (() => void) | undefined;
  /** Of a write: told once of each request that left, when its outcome is known, or known to stay unknown. */
  readonly onWrite?: ((report: WriteReport) => void) | undefined;
  /** Told the size of an answer that is a success, in bytes. */
  readonly onAnswer?: ((bytes: number) => void) | undefined;
  /**
   * For writes: throws when the decision that led to the call no longer holds. Called beside the fence when the request
   * is about to be written, however long it had waited, and again for each repetition; what it throws ends the call.
   */
  readonly guard?: (() => void) | undefined;
  /**
   * Has a listener called when the guard may throw by now, until what is returned is called: a call that waits for its turn,
   * were it a read, is called off then with what the guard throws.
   */
  readonly onDoubt?: ((listener: () => void) => () => void) | undefined;
}
