import { CloudError } from '../cloud/errors.ts';
import { EdgelineError, messageOf } from '../errors.ts';
import { isSecretForbidden } from '../kubernetes/errors.ts';
import type { Hold } from './kind.ts';

/** What follows from a failed pass. The class of the error alone decides (design, Decisions). */
export type Failure =
  /** Try again after a growing delay. */
  | { readonly next: 'backoff'; readonly hold: Hold }
  /** Try again when the account can take calls again; the resource itself is not to blame. */
  | { readonly next: 'wait-for-account'; readonly afterSeconds: number; readonly hold: Hold }
  /** Look at the service before anything else is sent. */
  | { readonly next: 'observe'; readonly hold: Hold }
  /** Nothing but a change of the spec, of a Secret or a person's word helps. */
  | { readonly next: 'stall'; readonly hold: Hold };

/** Reasons that come from errors, the same for all kinds. */
export const FailureReason = {
  /** The service did not answer, or answered that it can't just now. Retried with growing delays. */
  ServiceUnavailable: 'ServiceUnavailable',
  /** The account has used up what it may ask for now. */
  Throttled: 'Throttled',
  /** The service refused the request; the message is its own. */
  Rejected: 'Rejected',
  /** The account's credentials were refused; see the account. */
  CredentialsRejected: 'CredentialsRejected',
  /** The service is busy with the resource; tried again soon. */
  Conflict: 'Conflict',
  /** A request may or may not have been carried out; the service is looked at before anything is sent again. Do: Nothing: it looks before it sends anything again. */
  OutcomeUnknown: 'OutcomeUnknown',
  /** The service answered in a way the interface does not describe. */
  UnexpectedResponse: 'UnexpectedResponse',
  /** What was to be changed is not there any more; it is looked for again. Do: Nothing: it is found or made again. */
  NotFound: 'NotFound',
  /** The operator may not read a Secret that the resource or its account names: somebody has to grant it. Do: Give the ServiceAccount `get` on Secrets in that namespace: [permissions](permissions.md). */
  SecretForbidden: 'SecretForbidden',
  /** An error of the operator itself. Do: Report it, with the line of the log. */
  InternalError: 'InternalError',
} as const;

/** Classifies what a step or a reading threw. */
export function failureOf(error: unknown): Failure {
  const message = error instanceof EdgelineError ? sentences(error.message, error.advice) : messageOf(error);
  const waiting = (reason: string): Hold => ({ kind: 'Waiting', reason, message, keepsReady: true });
  if (isSecretForbidden(error)) {
    return { next: 'backoff', hold: { ...waiting(FailureReason.SecretForbidden), kind: 'Stalled' } };
  }
  if (!(error instanceof CloudError)) return { next: 'backoff', hold: waiting(FailureReason.InternalError) };
  switch (error.class) {
    case 'Retryable':
      return { next: 'backoff', hold: waiting(FailureReason.ServiceUnavailable) };
    case 'UnexpectedResponse':
      return { next: 'backoff', hold: waiting(FailureReason.UnexpectedResponse) };
    case 'Conflict':
      return { next: 'backoff', hold: waiting(FailureReason.Conflict) };
    case 'Throttled':
      return {
        next: 'wait-for-account',
        afterSeconds: error.retryAfterSeconds ?? 30,
        hold: waiting(FailureReason.Throttled),
      };
    case 'CredentialsRejected':
      return { next: 'wait-for-account', afterSeconds: 300, hold: waiting(FailureReason.CredentialsRejected) };
    case 'NotFound':
      return { next: 'observe', hold: waiting(FailureReason.NotFound) };
    case 'OutcomeUnknown':
      return { next: 'observe', hold: waiting(FailureReason.OutcomeUnknown) };
    case 'Rejected':
      return { next: 'stall', hold: { kind: 'Stalled', reason: FailureReason.Rejected, message } };
  }
}

/** What happened and what to do, as two sentences. */
function sentences(message: string, advice: string): string {
  return `${message}${/[.!?…]$/.test(message) ? '' : '.'} ${advice}`;
}
