import { EdgelineError } from '../../errors.ts';

/** The state file cannot be used, read or written. */
export class StateFileError extends EdgelineError {
  readonly code = 'StateFileUnusable';

  constructor(
    file: string,
    reason: string,
    advice = 'Give --state another file, or remove this one to start anew.',
    options?: ErrorOptions,
  ) {
    super(`the state file ${file}: ${reason}`, advice, options);
  }
}
