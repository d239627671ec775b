import { EdgelineError } from '../errors.ts';

/** The seed cannot be used; the message names the place and says what to write there. */
export class SeedError extends EdgelineError {
  readonly code = 'SeedInvalid';

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(`the seed file: ${problems.join('; ')}`, 'Correct the seed file; docs/simulator.md describes it.', options);
  }
}
