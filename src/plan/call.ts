/** A field of an object of the service, before a call and after it. */
export interface FieldChange {
  /** In the words of the spec. */
  readonly field: string;
  /** Undefined: it is not there. Text as people read it; secrets never. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** A write that the operator would send. */
export interface PlannedCall {
  /** The resource it is for: `Sim fleet/truck-17`. */
  readonly resource: { readonly kind: string; readonly namespace: string; readonly name: string };
  /** The account, as in `CloudAccount fleet/default`. */
  readonly account: string;
  readonly method: string;
  /** As `api.md` spells it, with IDs; of what is not there yet `(new Sim fleet/truck-17)` stands for its ID. */
  readonly path: string;
  /** The operation, as in `PUT /commonserviceitem/:id/sim/ip`. */
  readonly route: string;
  /** Empty of what takes something away, of what puts settings into effect, and of what sends again what is there. */
  readonly fields: readonly FieldChange[];
  /** It leaves everything at the service as it is. */
  readonly isRepeated: boolean;
  /** Seconds after everything was applied, at the account's limits. */
  readonly after: number;
  /** Whether it is sent at all depends on Secrets that could not be read. */
  readonly isUncertain: boolean;
}
