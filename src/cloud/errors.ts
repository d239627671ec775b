import { EdgelineError } from '../errors.ts';

/**
 * The classes of everything that can go wrong with the service. The class alone decides what a caller does:
 *
 * - `Retryable`: nothing was done, or doing it twice is harmless; try again with backoff.
 * - `Throttled`: the account waits; no retry of its own for the object.
 * - `Rejected`: the request is wrong; a write is not repeated until the spec or a secret changes, a read is.
 * - `CredentialsRejected`: the whole account waits (see circuit.ts).
 * - `NotFound`: the resource is not there.
 * - `Conflict`: the resource is busy or not ready; try again soon.
 * - `OutcomeUnknown`: a write may or may not have happened; observe before acting.
 * - `UnexpectedResponse`: an answer that cannot be read, named by the path inside it.
 */
export type CloudErrorClass =
  | 'Retryable'
  | 'Throttled'
  | 'Rejected'
  | 'CredentialsRejected'
  | 'NotFound'
  | 'Conflict'
  | 'OutcomeUnknown'
  | 'UnexpectedResponse';

/** What is known about a failed call. */
export interface CloudErrorDetails {
  /** The operation in its normal form, for example `PUT /commonserviceitem/:id/sim/ip`. */
  readonly route: string;
  /** Whether the call would have changed something; undefined where that says nothing. */
  readonly write?: boolean | undefined;
  /** The HTTP status, where there was an answer. */
  readonly status?: number | undefined;
  /** `error_code` of the answer's body. */
  readonly errorCode?: string | undefined;
  /** `serial` of the answer's body: what the service's support asks for. */
  readonly serial?: string | undefined;
  /** Seconds until another attempt makes sense, where the service or the circuit says so. */
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** The base of all errors of the service's client. `code` is the class unless a subclass is more exact. */
export abstract class CloudError extends EdgelineError {
  abstract readonly class: CloudErrorClass;
  readonly route: string;
  readonly write?: boolean;
  readonly status?: number;
  readonly errorCode?: string;
  readonly serial?: string;
  readonly retryAfterSeconds?: number;

  constructor(message: string, advice: string, details: CloudErrorDetails) {
    super(message, advice, details.cause === undefined ? undefined : { cause: details.cause });
    this.route = details.route;
    if (details.write !== undefined) this.write = details.write;
    if (details.status !== undefined) this.status = details.status;
    if (details.errorCode !== undefined) this.errorCode = details.errorCode;
    if (details.serial !== undefined) this.serial = details.serial;
    if (details.retryAfterSeconds !== undefined) this.retryAfterSeconds = details.retryAfterSeconds;
  }

  get code(): string {
    return this.class;
  }

  /** What an error is made of that gives better advice in place of this one. */
  details(): CloudErrorDetails {
    const { route, write, status, errorCode, serial, retryAfterSeconds } = this;
    return { route, write, status, errorCode, serial, retryAfterSeconds, cause: this };
  }
}

/** Nothing was done, or the operation can be repeated without harm. */
export class RetryableError extends CloudError {
  readonly class = 'Retryable';
}

/** Each nonce of the service expired before the request was sent with it: that is of the line it waited in, and of nothing it asked for. */
export class NonceExpiredError extends RetryableError {}

/** The service wants fewer requests: 429, or 503 `too_many_request`. */
export class ThrottledError extends CloudError {
  readonly class = 'Throttled';
}

/** The service refuses the request as it is. */
export class RejectedError extends CloudError {
  readonly class = 'Rejected';
}

/** The service refuses the account's access token. */
export class CredentialsRejectedError extends CloudError {
  readonly class = 'CredentialsRejected';
}

/** The resource does not exist. */
export class NotFoundError extends CloudError {
  readonly class = 'NotFound';
}

/** The resource is being created, is locked, or is in a state that does not allow the operation: 409 and 423. */
export class ConflictError extends CloudError {
  readonly class = 'Conflict';
  readonly because: ConflictCause | undefined;

  constructor(
    message: string,
    advice: string,
    details: CloudErrorDetails & { readonly because?: ConflictCause | undefined },
  ) {
    super(message, advice, details);
    this.because = details.because;
  }
}

/** Why a conflict does not pass by itself, where that is known. */
export type ConflictCause = 'AccountFull' | 'AddressTaken';

/** A write whose answer never came or could not be read: it may have happened. */
export class OutcomeUnknownError extends CloudError {
  readonly class = 'OutcomeUnknown';
}

/** An answer that does not have the expected shape. */
export class UnexpectedResponseError extends CloudError {
  readonly class = 'UnexpectedResponse';
  /** Where in the answer, for example `CommonServiceItems[3].ID`; `(body)` for the answer as a whole. */
  readonly path: string;

  constructor(message: string, advice: string, details: CloudErrorDetails & { readonly path: string }) {
    super(message, advice, details);
    this.path = details.path;
  }
}

/** The account's settings cannot be used; thrown before any request is sent. */
export class ConfigurationError extends RejectedError {
  override get code(): string {
    return 'InvalidConfiguration';
  }
}

/** The operation does not exist in the account's dialect; thrown before any request is sent. */
export class NotInDialectError extends RejectedError {
  override get code(): string {
    return 'NotInDialect';
  }
}
