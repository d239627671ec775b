/**
 * The base of every error Edgeline throws on purpose. `code` is stable and safe to show in a condition's reason;
 * `message` says what happened and to which object; `advice` says what a person can do about it. None of the three
 * ever holds a secret.
 */
export abstract class EdgelineError extends Error {
  /** A stable CamelCase identifier, for example `CredentialsRejected`. */
  abstract readonly code: string;
  /** One sentence: what a person can do. */
  readonly advice: string;

  constructor(message: string, advice: string, options?: ErrorOptions) {
    super(message, options);
    this.advice = advice;
    this.name = new.target.name;
  }
}

/** What to print of something caught: the message of an error, or the thing itself as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
