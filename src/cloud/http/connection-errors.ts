import { messageOf } from '../../errors.ts';
import { byUntrustedCode } from '../../tls-errors.ts';
import { OutcomeUnknownError, RetryableError, UnexpectedResponseError } from '../errors.ts';
import { AnswerGaveWay, type AnswerTooLarge, sizeText } from './answer-bounds.ts';
import type { CallSite } from './answer-errors.ts';

/** A connection that was never made: no request can have left. Internal to the client. */
export class ConnectFailure extends Error {}

/** Why a proxy did not open the way: the cause of a `ConnectFailure`. Internal to the client. */
export class ProxyFailure extends Error {
  /** `proxy`: its host and port. */
  constructor(proxy: string, what: string, options?: ErrorOptions) {
    super(`the proxy ${proxy} ${what}`, options);
  }
}

interface Explanation {
  readonly what: string;
  readonly advice: string;
}

const checkNetwork = 'Check baseURL, and that the network lets this process reach the service.';
const plainHTTP: Explanation = {
  what: 'the port does not speak TLS (plain HTTP?)',
  advice: 'Check the port in baseURL; the service takes https only.',
};
const untrusted: Explanation = {
  what: 'its certificate is not trusted',
  advice: "Put the service's CA certificate into a Secret and name it in caBundleSecretRef.",
};
const unreachable: Explanation = { what: 'the network has no way to the host', advice: checkNetwork };

const explanations: Readonly<Record<string, Explanation>> = {
  ECONNREFUSED: {
    what: 'the connection was refused',
    advice: 'Check the host and port in baseURL; nothing listens there.',
  },
  ENOTFOUND: { what: 'the host name was not found', advice: 'Check the host in baseURL, and name resolution.' },
  EAI_AGAIN: { what: 'name resolution failed', advice: 'Name resolution does not answer; it may only be for a while.' },
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ETIMEDOUT: { what: 'the connection timed out', advice: checkNetwork },
  UND_ERR_CONNECT_TIMEOUT: { what: 'the connection timed out', advice: checkNetwork },
  ECONNRESET: { what: 'the connection was closed before TLS was established', advice: plainHTTP.advice },
  ...byUntrustedCode(untrusted),
  CERT_HAS_EXPIRED: {
    what: 'its certificate has expired',
    advice: "Tell the service's operator, and check this machine's time.",
  },
  CERT_NOT_YET_VALID: {
    what: 'its certificate is not valid yet',
    advice: "Check this machine's time.",
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    what: 'its certificate is for another name',
    advice: 'Write the host in baseURL as the certificate has it.',
  },
  EPROTO: plainHTTP,
  ERR_SSL_WRONG_VERSION_NUMBER: plainHTTP,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: plainHTTP,
  ERR_SSL_HTTP_REQUEST: plainHTTP,
};

/** The first error code along the causes; several addresses tried at once come as an AggregateError. */
function codeOf(error: unknown, depth = 0): string | undefined {
  if (!(error instanceof Error) || depth > 5) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  return codeOf(inner, depth + 1);
}

/**
 * Turns a failed exchange into an error. Before the connection stood nothing was sent: Retryable. After it, a read is
 * Retryable and a write OutcomeUnknown.
 */
export function connectionError(site: CallSite, host: string, error: unknown): RetryableError | OutcomeUnknownError {
  if (error instanceof ConnectFailure && error.cause instanceof ProxyFailure) {
    const { message, cause } = error.cause;
    const why = cause === undefined ? '' : `: ${explanations[codeOf(cause) ?? '']?.what ?? messageOf(cause)}`;
    return new RetryableError(
      `${site.name}: cannot connect to ${host}: ${message}${why}`,
      `Check HTTPS_PROXY and NO_PROXY of the operator, and that the proxy lets it connect to ${host}.`,
      { route: site.route, cause: error.cause },
    );
  }
  if (error instanceof ConnectFailure) {
    const code = codeOf(error.cause);
    const known = code === undefined ? undefined : explanations[code];
    const what = known?.what ?? messageOf(error.cause);
    return new RetryableError(`${site.name}: cannot connect to ${host}: ${what}`, known?.advice ?? checkNetwork, {
      route: site.route,
      cause: error.cause,
    });
  }
  if (error instanceof AnswerGaveWay) {
    return unanswered(site, 'too many large answers came in at the same time, and this was the largest', undefined);
  }
  const what =
    codeOf(error) === 'UND_ERR_HEADERS_OVERFLOW'
      ? 'the headers of the answer are too large'
      : `the connection to ${host} broke before the answer was complete (${messageOf(error)})`;
  return unanswered(site, what, error);
}

/** More came than is read of an operation. Asking again would bring the same. */
export function tooLargeError(
  site: CallSite,
  { announced, bound }: AnswerTooLarge,
): UnexpectedResponseError | OutcomeUnknownError {
  const most = `${sizeText(bound)} is the most that is read of this operation`;
  const what =
    announced === undefined
      ? `the answer is larger than ${sizeText(bound)}, which is the most that is read of this operation`
      : `the answer is ${sizeText(announced)} large, and ${most}`;
  if (site.write) return sentForNothing(site, what, undefined);
  return new UnexpectedResponseError(
    `${site.name}: ${what}`,
    'Check baseURL, and what stands between this process and the service.',
    { route: site.route, path: '(body)' },
  );
}

/** A request that was not answered, or not even sent, within the time. */
export function timeoutError(
  site: CallSite,
  seconds: number,
  isWritten: boolean,
): RetryableError | OutcomeUnknownError {
  if (isWritten) return unanswered(site, `no answer within ${seconds} s`, undefined);
  return new RetryableError(`${site.name}: it could not be sent within ${seconds} s`, checkNetwork, {
    route: site.route,
  });
}

/** What a sent request without a usable answer means: nothing for a read, doubt for a write. */
export function unanswered(site: CallSite, what: string, cause: unknown): RetryableError | OutcomeUnknownError {
  if (site.write) return sentForNothing(site, what, cause);
  const details = { route: site.route, cause };
  return new RetryableError(`${site.name}: ${what}`, 'Nothing to do if it passes: the request is repeated.', details);
}

function sentForNothing(site: CallSite, what: string, cause: unknown): OutcomeUnknownError {
  return new OutcomeUnknownError(
    `${site.name}: ${what}; the change may have been made`,
    'Nothing to do: the resource is read again before anything is sent.',
    { route: site.route, cause },
  );
}
