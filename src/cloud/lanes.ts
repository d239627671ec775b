/**
 * Why a request is made, most urgent first: certificate uploads, other writes and deletes, reads that confirm a write,
 * polls, the slow audit of details, and monthly usage.
 */
export const lanes = ['upload', 'write', 'verify', 'list', 'audit', 'usage'] as const;
export type Lane = (typeof lanes)[number];

/** The two interfaces of the service, each with limits of its own. */
export const apis = ['cloud', 'webaccel'] as const;
export type Api = (typeof apis)[number];

/** The last argument of every operation. */
export interface CallOptions {
  readonly lane: Lane;
  /** Aborts the call: before the request is sent with the signal's reason; a write already sent, as OutcomeUnknown. */
  readonly signal?: AbortSignal | undefined;
  /** Told each time a request of the call leaves, after it had waited for its turn: its answer shows nothing older. */
  readonly onSent?: (() => void) | undefined;
}
