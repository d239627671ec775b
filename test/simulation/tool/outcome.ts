/** A promise that was not kept. */
export interface Violation {
  /** The promise, such as `a SIM is made once`. */
  readonly invariant: string;
  /** What happened, to which object. */
  readonly message: string;
  /** Virtual milliseconds since the start of the life. */
  readonly at: number;
}

/** What is known of a life that was lived. */
export interface Outcome {
  readonly seed: number;
  /** In the order in which they were noticed. */
  readonly violations: readonly Violation[];
  readonly messages: number;
  readonly virtualMilliseconds: number;
  /** How often each kind of fault met each operation, and what else happened: `fault × operation` → count. */
  readonly coverage: Readonly<Record<string, number>>;
}
