/** What became of one write request that left the process. */
export interface WriteReport {
  /** The operation in its normal form, for example `PUT /commonserviceitem/:id/sim/ip`. */
  readonly route: string;
  /** The same with the IDs filled in. */
  readonly request: string;
  /** Which of the requests of its call it was, from 1. */
  readonly attempt: number;
  /** `refused`: the service says that it did not do it. `unclear`: it may have done it. */
  readonly outcome: 'done' | 'refused' | 'unclear';
  /** The HTTP status; undefined where no answer came. */
  readonly status: number | undefined;
  /** `error_code` of the answer; `challenge`: it was sent again with what the service asked for to let it in. */
  readonly code: string | undefined;
  /** `serial` of the answer: what the service's support asks for. */
  readonly serial: string | undefined;
  /** From sending to the answer, or to when it was given up. */
  readonly milliseconds: number;
}
