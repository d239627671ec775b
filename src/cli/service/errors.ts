import { CloudError } from '../../cloud/errors.ts';
import { EdgelineError } from '../../errors.ts';

/** The account cannot be opened with what is in the cluster. */
export class AccountUnusable extends EdgelineError {
  readonly code = 'AccountUnusable';
}

/** The hour of web acceleration has no room for a request, or nobody can say that it has. Nothing was sent. */
export class HourRefused extends EdgelineError {
  readonly code = 'HourRefused';
}

/** A person has stopped the account, or the namespace. Nothing was sent. */
export class AccountStopped extends EdgelineError {
  readonly code = 'AccountStopped';
}

/** The service asked for a pause that is longer than a person waits. */
export class ServicePaused extends EdgelineError {
  readonly code = 'ServicePaused';
}

const WAY = 'check baseURL of the account, and what stands between this machine and the service.';

/** What is in one zone, and not found in another; the interface spells gateways in two ways. */
const ZONED = /\/(server|appliance|applience)\b/;

/**
 * What whoever ran a command can do. The advice of the service's errors is that of the operator, which sends again what
 * failed; a command has ended. Pure.
 */
export function adviceAtTerminal(error: EdgelineError): string {
  if (!(error instanceof CloudError)) return error.advice;
  switch (error.class) {
    case 'Retryable':
      return `Run it again in a while. If this persists, ${WAY}`;
    case 'Throttled':
      return 'Run it again in a minute. If this persists, something else uses up what the account may send.';
    case 'OutcomeUnknown':
      return 'It may have been done: look before you run it again.';
    case 'Conflict':
      return 'See what the message says of its state. If it is busy, run it again in a while; if this persists, something else has what was asked for.';
    case 'Rejected':
      if (error.status === undefined || error.status < 400 || error.status === 403) return error.advice;
      if (error.status === 400 && !error.write)
        return `Correct what the message names. If nothing of it was typed, ${WAY}`;
      return error.write ? 'Correct what the message names.' : `If this persists, ${WAY}`;
    case 'NotFound':
      return ZONED.test(error.route)
        ? 'Check the ID and the zone (--zone): it is looked for in that zone alone. It may have been deleted.'
        : error.advice;
    default:
      return error.advice;
  }
}
