import { EdgelineError } from '../../errors.ts';

/** What was given is not a state that can be read, or holds nothing to carry over. Neither text quotes the file: it holds secrets. */
export class StateUnreadable extends EdgelineError {
  readonly code = 'StateUnreadable';
}

/** What was to be written can't be written where it was to go. */
export class OutputRefused extends EdgelineError {
  readonly code = 'OutputRefused';
}

/** The command line names an alias of the provider with which nothing was made: its objects would get another account. */
export class AliasUnknown extends EdgelineError {
  readonly code = 'AliasUnknown';
}
