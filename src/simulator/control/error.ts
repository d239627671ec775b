import { EdgelineError } from '../../errors.ts';

/** A request to the control port that cannot be followed. */
export class ControlError extends EdgelineError {
  readonly code = 'ControlRequestInvalid';
  /** HTTP status. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message, 'GET / of the control port describes everything it takes.');
    this.status = status;
  }
}
