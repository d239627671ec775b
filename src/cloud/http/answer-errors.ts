import {
  type CloudError,
  type CloudErrorDetails,
  ConflictError,
  CredentialsRejectedError,
  NotFoundError,
  OutcomeUnknownError,
  RejectedError,
  RetryableError,
  ThrottledError,
  UnexpectedResponseError,
} from '../errors.ts';
import { withoutSecrets } from './without-secrets.ts';

/** Whether an operation in its normal form is one of a single resource, and not of a collection of the account. */
export function isOfResource(route: string): boolean {
  return route.includes('/:id');
}

/** What an error says about the call it comes from. */
export interface CallSite {
  /** The operation in its normal form, for example `PUT /commonserviceitem/:id/sim/ip`. */
  readonly route: string;
  /** The same with the IDs filled in. */
  readonly name: string;
  /** Whether the path names one resource, and not a collection of the account. */
  readonly ofResource: boolean;
  /** Whether it changes something. */
  readonly write: boolean;
  /** Whether sending it twice does no more than sending it once. */
  readonly idempotent: boolean;
  /** Values that must not show up in a message, should the service repeat them. */
  readonly secrets: readonly string[];
}

/** An answer that is not a success. */
export interface ErrorAnswer {
  readonly status: number;
  /** The parsed JSON body; undefined when it is not JSON. */
  readonly body: unknown;
  readonly retryAfterSeconds: number | undefined;
}

/** Codes of a 503 that say the operation was not begun. */
const notBegun: ReadonlySet<string> = new Set(['busy', 'service_temporarily_unavailable']);

/** Whether an error answer says that the operation was not even begun. */
export function isNotBegun(status: number, code: string | undefined): boolean {
  if (status === 429) return true;
  return status === 503 && code !== undefined && (code === 'too_many_request' || notBegun.has(code));
}

/** Codes of a 503 that are about the object, not about the service. */
const ofObject: ReadonlySet<string> = new Set(['busy', 'operation_timeout']);

/** Whether an error answer says that the service has too much to do. */
export function isOverload({ status, errorCode }: Pick<CloudError, 'status' | 'errorCode'>): boolean {
  return status === 429 || (status === 503 && !ofObject.has(errorCode ?? ''));
}

/** Of a conflict that the service does not name more exactly: it may pass, or be about something that is taken. */
export const takenAdvice = (where = 'the spec') =>
  `It is tried again. If this persists, something else has what was asked for: change ${where}, or free it there.`;
const waits = 'Nothing to do if it passes: it is tried again.';
const looksFirst = 'Nothing to do: the resource is read again before anything is sent.';
const fixAccount =
  'It is tried again. If this persists, check baseURL, and what stands between this process and the service.';
/** Of a write that is refused as it is. */
export const refusedAdvice = (where = 'the spec or the Secret') =>
  `Correct what the message names in ${where}; nothing is sent again until the spec or a Secret it names changes, or the operator starts anew.`;

const fullAdvice: Readonly<Record<string, string>> = {
  limit_count_in_account:
    "The account has as many as it may have: delete some, or have the account's limit raised. It is tried again.",
  limit_count_in_zone:
    "The zone has as many as it may have: delete some, or have the account's limit raised. It is tried again.",
};

/** The error that an unsuccessful answer means (`api.md`, Errors; the body's shape as its clients know it). */
export function answerError(site: CallSite, answer: ErrorAnswer): CloudError {
  const { status, retryAfterSeconds } = answer;
  const body = readErrorBody(answer.body, site.secrets);
  const details: CloudErrorDetails = {
    route: site.route,
    write: site.write,
    status,
    errorCode: body?.code,
    serial: body?.serial,
    retryAfterSeconds,
  };
  const code = body?.code === undefined ? '' : ` ${body.code}`;
  const text = body?.message === undefined ? '' : `: ${body.message}`;
  const serial = body?.serial === undefined ? '' : ` (serial ${body.serial})`;
  const message = `${site.name}: the service answered ${status}${code}${text}${serial}`;

  if (status === 429 || (status === 503 && body?.code === 'too_many_request')) {
    return new ThrottledError(
      message,
      "Nothing to do: the account's requests wait until the service takes more.",
      details,
    );
  }
  if (status === 401) {
    return new CredentialsRejectedError(
      message,
      "Check accessToken and accessTokenSecret in the account's Secret, and that authentication is the kind the service offers.",
      details,
    );
  }
  if (status === 403) {
    return site.ofResource
      ? new RejectedError(
          `${message}; the account has no access to this resource`,
          'Check the ID: it may belong to another account. Otherwise give the access token permission for it.',
          details,
        )
      : new CredentialsRejectedError(message, 'Give the access token permission for this operation.', details);
  }
  if (status === 404) return missing(site, message, isOfService(answer.body), details);
  if (status === 409 || status === 423) {
    const full = fullAdvice[body?.code ?? ''];
    if (full !== undefined) return new ConflictError(message, full, { ...details, because: 'AccountFull' });
    return new ConflictError(message, site.write ? takenAdvice() : waits, details);
  }
  if (status === 408) return new RetryableError(message, waits, details);
  if (status >= 500) {
    const nothingDone = status === 503 && body?.code !== undefined && notBegun.has(body.code);
    if (!site.write || site.idempotent || nothingDone) return new RetryableError(message, waits, details);
    return new OutcomeUnknownError(`${message}; the change may have been made`, looksFirst, details);
  }
  if (status >= 300 && status < 400) {
    return new RejectedError(
      `${site.name}: the service answered ${status}, a redirect, which is not followed`,
      'Check baseURL: it must be the service itself.',
      details,
    );
  }
  return new RejectedError(message, site.write ? refusedAdvice() : fixAccount, details);
}

/** A 404 is believed only from the service itself and about one resource: a proxy's 404 must not look like a deletion. */
function missing(site: CallSite, message: string, fromService: boolean, details: CloudErrorDetails): CloudError {
  if (!fromService) {
    return new UnexpectedResponseError(
      `${site.name}: a 404 whose body is not the service's`,
      'Check baseURL, and what stands between this process and the service.',
      { ...details, path: '(body)' },
    );
  }
  if (!site.ofResource)
    return new RejectedError(message, 'Check baseURL: this operation does not exist there.', details);
  return new NotFoundError(message, 'Check the ID; the resource may have been deleted.', details);
}

/**
 * Whether a body is the service's own error: what stands before it may answer in JSON too. `api.md` does not show the
 * body, so it is what clients of both interfaces read: `error_code`, and beside it `serial` or `is_fatal`.
 */
function isOfService(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  const code: unknown = Reflect.get(body, 'error_code');
  return typeof code === 'string' && code !== '' && ('serial' in body || 'is_fatal' in body);
}

interface ErrorBody {
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly serial: string | undefined;
}

function readErrorBody(body: unknown, secrets: readonly string[]): ErrorBody | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const read = (name: string, length: number) => {
    const value: unknown = Reflect.get(body, name);
    return typeof value === 'string' && value !== '' ? printable(value, secrets).slice(0, length) : undefined;
  };
  return { code: read('error_code', 60), message: read('error_msg', 300), serial: read('serial', 80) };
}

/** Text of the service made safe to print: on one line, without the secrets that were sent. */
function printable(text: string, secrets: readonly string[]): string {
  return withoutSecrets(text, secrets)
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim();
}
