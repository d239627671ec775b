import { EdgelineError } from '../errors.ts';
import { SECRETS } from './resource.ts';

/** What a `KubeError` is made of. */
export interface KubeErrorDetails {
  /** HTTP status; 0 when no answer came. */
  status: number;
  /** The apiserver's `reason`, such as `NotFound` or `Conflict`; ours is `ConnectionFailed` or `UnexpectedAnswer`. */
  reason: string;
  message: string;
  /** The resource and object asked for, when known. */
  kind?: string;
  objectName?: string;
  /** Seconds the apiserver asked to wait before the next try. */
  retryAfterSeconds?: number;
  /** True when the request is known not to have reached the apiserver. */
  notSent?: boolean;
  cause?: unknown;
}

/** Anything between may ask for any time; longer is no answer to who waits. Seconds. */
const MOST_RETRY_SECONDS = 30;

/** Milliseconds the apiserver asked to wait before the next try, as far as that is heeded; undefined: it did not. */
export function askedMilliseconds(error: unknown): number | undefined {
  if (!(error instanceof KubeError) || error.retryAfterSeconds === undefined) return undefined;
  return Math.min(error.retryAfterSeconds, MOST_RETRY_SECONDS) * 1000;
}

/** The apiserver refused a request, or could not be reached. Told apart by `reason`. */
export class KubeError extends EdgelineError {
  readonly code: string;
  readonly status: number;
  readonly reason: string;
  readonly kind: string | undefined;
  readonly objectName: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly notSent: boolean;

  constructor(details: KubeErrorDetails) {
    super(
      withSubject(details),
      adviceFor(details.reason),
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    this.code = `Kubernetes${details.reason}`;
    this.status = details.status;
    this.reason = details.reason;
    this.kind = details.kind;
    this.objectName = details.objectName;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.notSent = details.notSent ?? false;
  }
}

/** The apiserver names the object without its namespace, and a list not at all. */
function withSubject({ kind, objectName, message }: KubeErrorDetails): string {
  if (objectName !== undefined) return `${kind ?? 'object'} ${objectName}: ${message}`;
  return kind === undefined || message.includes(kind) ? message : `${kind}: ${message}`;
}

/** This process does not hold the Lease (any more), so it must not write. */
export class NotLeaderError extends EdgelineError {
  readonly code = 'NotLeader';

  constructor(lease: string) {
    super(`not the leader: this process does not hold Lease ${lease}`, 'Nothing: the replica that holds it acts.');
  }
}

/** The kubeconfig or the service account cannot be used. */
export class KubeconfigError extends EdgelineError {
  readonly code = 'KubeconfigUnusable';
}

export function isNotFound(error: unknown): boolean {
  return error instanceof KubeError && error.status === 404;
}

/** The object changed since it was read, or (on create) is already there: see `isAlreadyExists`. */
export function isConflict(error: unknown): boolean {
  return error instanceof KubeError && error.reason === 'Conflict';
}

export function isAlreadyExists(error: unknown): boolean {
  return error instanceof KubeError && error.reason === 'AlreadyExists';
}

/** The resource version or the continue token is too old: list again. */
export function isGone(error: unknown): boolean {
  return error instanceof KubeError && error.status === 410;
}

/** A permission is missing that a person has to grant. */
export function isForbidden(error: unknown): error is KubeError {
  return error instanceof KubeError && error.status === 403;
}

/** Nothing new is made in a namespace that is being deleted: no permission is missing. */
export function isOfTerminating(error: unknown): boolean {
  return isForbidden(error) && error.message.includes('because it is being terminated');
}

/** The operator may not read a Secret: of this a status can tell, while writing the status itself is allowed. */
export function isSecretForbidden(error: unknown): boolean {
  return isForbidden(error) && error.kind === SECRETS.kind;
}

/** Another try may well succeed: overload, a server's fault, or no answer at all. */
export function isTransient(error: unknown): boolean {
  return error instanceof KubeError && (error.status === 0 || error.status === 429 || error.status >= 500);
}

const REASONS_BY_STATUS: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** The reason for an answer that named none, as a proxy's own error page. */
export function reasonForStatus(status: number): string {
  return REASONS_BY_STATUS[status] ?? 'Unknown';
}

function adviceFor(reason: string): string {
  switch (reason) {
    case 'Unauthorized':
      return 'Check the credentials of the kubeconfig or the service account token.';
    case 'Forbidden':
      return 'Grant it to the ServiceAccount: the roles that deploy/ and the chart bring hold all that is needed.';
    case 'NotFound':
      return 'Check that the object exists and that its CustomResourceDefinition is installed.';
    case 'Invalid':
      return 'Correct the fields the message names.';
    case 'ConnectionFailed':
      return 'Check that the Kubernetes API server can be reached from here.';
    default:
      return 'Nothing, if it passes on its own; otherwise look at the logs of the Kubernetes API server.';
  }
}
