import { EdgelineError } from '../../errors.ts';

/** The account cannot be opened with what is in the cluster. */
export class AccountUnusable extends EdgelineError {
  readonly code = 'AccountUnusable';
}

/** The hour of web acceleration has no room for a request, or nobody can say that it has. Nothing was sent. */
export class HourRefused extends EdgelineError {
  readonly code = 'HourRefused';
}

/** The service asked for a pause that is longer than a person waits. */
export class ServicePaused extends EdgelineError {
  readonly code = 'ServicePaused';
}
