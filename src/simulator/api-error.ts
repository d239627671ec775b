import { STATUS_CODES } from 'node:http';
import { EdgelineError } from '../errors.ts';

/** An answer other than success, with the body clients of the service read (`api.md`, Errors). */
export class ApiError extends EdgelineError {
  readonly code = 'SimulatedRefusal';
  /** HTTP status. */
  readonly status: number;
  /** The service's own word: `not_found`, `conflict`, `still_creating`, … */
  readonly errorCode: string;
  /** Seconds, for the header `Retry-After`. */
  readonly retryAfter: number | undefined;
  /** More response headers, such as `WWW-Authenticate`. */
  readonly headers: Record<string, string | string[]> | undefined;

  constructor(
    status: number,
    errorCode: string,
    message: string,
    more: { retryAfter?: number; headers?: Record<string, string | string[]>; cause?: unknown } = {},
  ) {
    super(message, 'Compare the request with the interface of the service.', { cause: more.cause });
    this.status = status;
    this.errorCode = errorCode;
    this.retryAfter = more.retryAfter;
    this.headers = more.headers;
  }
}

/** 400: the message names the member and says what belongs there. */
export function badRequest(message: string): ApiError {
  return new ApiError(400, 'bad_request', message);
}

/** 404. */
export function notFound(what: string): ApiError {
  return new ApiError(404, 'not_found', `${what} does not exist`);
}

/** 403: the object belongs to another account. */
export function forbidden(what: string): ApiError {
  return new ApiError(403, 'forbidden', `${what} belongs to another member`);
}

/** 409, `conflict` unless the service has a closer word for it. */
export function conflict(message: string, errorCode = 'conflict'): ApiError {
  return new ApiError(409, errorCode, message);
}

/** The body of every error, 401 included. */
export function errorBody(status: number, errorCode: string, message: string, serial: string): Record<string, unknown> {
  return {
    is_fatal: status >= 500,
    serial,
    status: `${status} ${STATUS_CODES[status] ?? 'Unknown'}`,
    error_code: errorCode,
    error_msg: message,
  };
}
