import { ConfigurationError } from '../../cloud/errors.ts';
import { CircuitOpenError } from '../../cloud/http/circuit.ts';
import { type Failure, failureOf } from '../../reconcile/failure.ts';
import { FailureReason } from '../../reconcile/failure-reason.ts';
import type { Hold } from '../../reconcile/plan.ts';
import { AccountReason } from './reasons.ts';

type Reason = FailureReason | AccountReason;

/**
 * What follows for an account from a call that failed. Resources wait for an account whose credentials are refused; the
 * account itself is where a person has to do something.
 */
export function accountFailure(error: unknown): Failure<Reason> {
  // While the circuit is open the account goes on telling why it opened.
  const failure = failureOf(error instanceof CircuitOpenError ? error.cause : error);
  const { message, reason } = failure.hold;
  if (error instanceof ConfigurationError) return stalled(failure, AccountReason.InvalidConfiguration, message);
  // It is asked again all the same: it may have been the service.
  return reason === FailureReason.CredentialsRejected || reason === FailureReason.Rejected
    ? stalled(failure, reason, message)
    : failure;
}

function stalled(failure: Failure, reason: Reason, message: string): Failure<Reason> {
  const hold: Hold<Reason> = { state: 'Stalled', reason, message };
  return { ...failure, hold };
}
