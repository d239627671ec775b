import { EdgelineError } from '../errors.ts';

/** The manifests cannot be read. */
export class ManifestsUnreadable extends EdgelineError {
  readonly code = 'ManifestsUnreadable';
}
