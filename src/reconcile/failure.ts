import { CloudError, ConflictError } from '../cloud/errors.ts';
import { isOfResource } from '../cloud/http/answer-errors.ts';
import { ServiceFailingError } from '../cloud/http/breaker.ts';
import { EdgelineError, messageOf } from '../errors.ts';
import { isSecretForbidden } from '../kubernetes/errors.ts';
import { FailureReason } from './failure-reason.ts';
import { FinalizerNotKeptError } from './finalizer.ts';
import { DecisionOutdatedError } from './guard.ts';
import type { Hold } from './plan.ts';
import { SecretRefusedError, SecretUnreadableError } from './secrets.ts';

/** What follows from a failed pass. The class of the error alone decides. */
export type Failure<Reason extends string = FailureReason> =
  /** Try again after a growing delay. */
  | { readonly next: 'backoff'; readonly hold: Hold<Reason> }
  /** Try again when the account can take calls again; the resource itself is not to blame. */
  | { readonly next: 'wait-for-account'; readonly afterSeconds: number; readonly hold: Hold<Reason> }
  /** Look at the service before anything else is sent. */
  | { readonly next: 'observe'; readonly hold: Hold<Reason> }
  /** Nothing but a change of the spec, of a Secret or a person's word helps. */
  | { readonly next: 'stall'; readonly hold: Hold<Reason> };

/** The account's limits decide when the next request goes: who asks for it at once waits there, with a place. Seconds. */
const THROTTLED_SECONDS = 1;

/** Classifies what a step or a reading threw. */
export function failureOf(error: unknown): Failure {
  const message = error instanceof EdgelineError ? sentences(error.message, error.advice) : messageOf(error);
  const waiting = (reason: FailureReason): Hold<FailureReason> => ({
    state: 'Waiting',
    reason,
    message,
    keepsReady: true,
  });
  if (isSecretForbidden(error)) {
    return { next: 'backoff', hold: { ...waiting(FailureReason.SecretForbidden), state: 'Stalled' } };
  }
  if (error instanceof SecretRefusedError) {
    return { next: 'backoff', hold: { ...waiting(FailureReason.SecretRefused), state: 'Stalled' } };
  }
  if (error instanceof SecretUnreadableError) {
    return { next: 'backoff', hold: waiting(FailureReason.SecretUnreadable) };
  }
  if (error instanceof FinalizerNotKeptError) {
    return { next: 'backoff', hold: { ...waiting(FailureReason.FinalizerNotKept), state: 'Stalled' } };
  }
  if (!(error instanceof CloudError)) return { next: 'backoff', hold: waiting(FailureReason.InternalError) };
  if (error instanceof ServiceFailingError) {
    const afterSeconds = error.retryAfterSeconds ?? 30;
    return { next: 'wait-for-account', afterSeconds, hold: waiting(FailureReason.ServiceUnavailable) };
  }
  switch (error.class) {
    case 'Retryable':
      return { next: 'backoff', hold: waiting(FailureReason.ServiceUnavailable) };
    case 'UnexpectedResponse':
      return { next: 'backoff', hold: waiting(FailureReason.UnexpectedResponse) };
    case 'Conflict':
      return { next: 'backoff', hold: waiting(conflictReason(error)) };
    case 'Throttled':
      return {
        next: 'wait-for-account',
        afterSeconds: error.retryAfterSeconds ?? THROTTLED_SECONDS,
        hold: waiting(FailureReason.Throttled),
      };
    case 'CredentialsRejected':
      return { next: 'wait-for-account', afterSeconds: 300, hold: waiting(FailureReason.CredentialsRejected) };
    case 'NotFound':
      return { next: 'observe', hold: waiting(FailureReason.NotFound) };
    case 'OutcomeUnknown':
      return { next: 'observe', hold: waiting(FailureReason.OutcomeUnknown) };
    case 'Rejected':
      // What is only read depends on nothing a person wrote: once the service is well again, it answers.
      if (error.write === false) return { next: 'backoff', hold: waiting(FailureReason.Rejected) };
      return { next: 'stall', hold: { state: 'Stalled', reason: FailureReason.Rejected, message } };
  }
}

/** The same, telling also what else failed with it. */
export function withOthers(failure: Failure, others: readonly unknown[]): Failure {
  if (others.length === 0) return failure;
  const also = others.map((error) => failureOf(error).hold.message);
  return { ...failure, hold: { ...failure.hold, message: [failure.hold.message, ...also].join(' Besides, ') } };
}

function conflictReason(error: CloudError): FailureReason {
  return (error instanceof ConflictError ? error.because : undefined) ?? FailureReason.Conflict;
}

const NOT_CARRIED_OUT: ReadonlySet<string> = new Set([
  'Retryable',
  'Throttled',
  'Rejected',
  'CredentialsRejected',
  'Conflict',
]);

/** Whether the service says by this error that it did not do what the request asked for. */
export function wasRefused(error: unknown): boolean {
  return error instanceof CloudError && NOT_CARRIED_OUT.has(error.class);
}

/**
 * Whether other calls about the same resource may well be taken, as far as the error tells: the service answered, and has
 * trouble with this one.
 */
export function isOfItsCall(error: unknown): boolean {
  if (!(error instanceof CloudError)) return false;
  if (error.class === 'Rejected' || error.class === 'Conflict') return true;
  return error instanceof ServiceFailingError || (error.class === 'Retryable' && error.status === 500);
}

/** Whether an error is none of the service's, or says something of all that the account is asked. */
export function isOfAccount(error: unknown): boolean {
  return !(error instanceof CloudError) || error.class === 'Throttled' || error.class === 'CredentialsRejected';
}

/**
 * Whether what failed may well fail again and again by itself, while all else of the account goes on: the service, or what
 * stands before it, answered for this one, and with nothing that is said of the account as a whole.
 */
export function failsByItself(error: unknown): error is CloudError {
  if (!(error instanceof CloudError) || error instanceof ServiceFailingError) return false;
  // A list is all's.
  if (!isOfResource(error.route)) return false;
  switch (error.class) {
    case 'Throttled':
    case 'CredentialsRejected':
      return false;
    case 'Rejected':
      // A write is not sent again unchanged.
      return error.write === false;
    case 'Retryable':
    case 'OutcomeUnknown':
      return error.status !== undefined;
    default:
      return true;
  }
}

/** The code of a 503 that says that the service began what it was asked for, and did not see its end. */
const BEGUN = 'operation_timeout';

/**
 * Whether the service may have done what a call asked for that may be sent any number of times, and was so many times: the
 * error is that of the last, before which another may have got through.
 */
export function mayBeDone(error: unknown, times: number): boolean {
  if (times === 0) return false;
  // Only the last of them was not sent.
  if (error instanceof DecisionOutdatedError) return true;
  if (!(error instanceof CloudError)) return false;
  if (times > 1) return true;
  if (error.status === 503) return error.errorCode === BEGUN;
  return error.class === 'Retryable' || error.class === 'OutcomeUnknown' || error.class === 'UnexpectedResponse';
}

/** What happened and what to do, as two sentences. */
function sentences(message: string, advice: string): string {
  return `${message}${/[.!?…]$/.test(message) ? '' : '.'} ${advice}`;
}
