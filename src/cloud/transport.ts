import { Agent, buildConnector, type Dispatcher } from 'undici';
import type { Clock } from '../clock.ts';
import { after } from './after.ts';
import type { CallSite } from './answer-errors.ts';
import { ConnectFailure, connectionError, timeoutError, unanswered } from './connection-errors.ts';
import { UnexpectedResponseError } from './errors.ts';
import { secureContextWith } from './tls.ts';

/** One HTTP request as it goes over the wire. */
export interface WireRequest {
  readonly method: Dispatcher.HttpMethod;
  /** Path and query, as sent. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** An answer, read to its end. */
export interface WireAnswer {
  readonly status: number;
  readonly contentType: string;
  /** Every WWW-Authenticate header. */
  readonly challenges: readonly string[];
  /** Retry-After, in seconds, whether it came as seconds or as a date. */
  readonly retryAfterSeconds: number | undefined;
  readonly body: Buffer;
}

/** One exchange with one host: no retries, no authentication, no limits. */
export interface Transport {
  /** @throws RetryableError | OutcomeUnknownError by whether the request may have arrived; the signal's reason for a read. */
  exchange(site: CallSite, request: WireRequest, signal?: AbortSignal): Promise<WireAnswer>;
  close(): Promise<void>;
}

const connectTimeoutMilliseconds = 10_000;
const responseLimitBytes = 64 * 1024 * 1024;

/** Connections are kept alive and verified always; HTTP/1.1. */
export function createTransport(options: {
  readonly origin: string;
  readonly hostname: string;
  readonly ca: string | undefined;
  readonly clock: Clock;
  readonly requestTimeoutSeconds: number;
  readonly connections: number;
}): Transport {
  const { origin, hostname, clock, requestTimeoutSeconds } = options;
  const secureContext = secureContextWith(options.ca);
  const connect = buildConnector({
    timeout: connectTimeoutMilliseconds,
    allowH2: false,
    rejectUnauthorized: true,
    ...(secureContext && { secureContext }),
  });
  const agent = new Agent({
    connections: options.connections,
    allowH2: false,
    maxResponseSize: responseLimitBytes,
    headersTimeout: requestTimeoutSeconds * 1000,
    bodyTimeout: requestTimeoutSeconds * 1000,
    connect: (target, callback) =>
      connect(target, (error, socket) => {
        if (error) callback(new ConnectFailure('not connected', { cause: error }), null);
        else callback(null, socket);
      }),
  });

  return {
    async exchange(site, request, signal) {
      signal?.throwIfAborted();
      const ending = new AbortController();
      const abort = () => ending.abort(signal?.reason);
      signal?.addEventListener('abort', abort, { once: true });
      let timedOut = false;
      const stopTimer = after(clock, requestTimeoutSeconds * 1000, () => {
        timedOut = true;
        ending.abort();
      });
      try {
        const answer = await agent.request({
          origin,
          path: request.target,
          method: request.method,
          headers: request.headers,
          body: request.body ?? null,
          signal: ending.signal,
        });
        return {
          status: answer.statusCode,
          contentType: text(answer.headers['content-type']),
          challenges: [answer.headers['www-authenticate'] ?? []].flat(),
          retryAfterSeconds: retryAfter(text(answer.headers['retry-after']), clock.now()),
          body: Buffer.from(await answer.body.arrayBuffer()),
        };
      } catch (error) {
        if (timedOut) throw timeoutError(site, requestTimeoutSeconds);
        if (signal?.aborted) throw site.write ? unanswered(site, 'aborted while under way', error) : signal.reason;
        throw connectionError(site, hostname, error);
      } finally {
        stopTimer();
        signal?.removeEventListener('abort', abort);
      }
    },
    close: () => agent.destroy(),
  };
}

function text(header: string | string[] | undefined): string {
  return (Array.isArray(header) ? header[0] : header) ?? '';
}

function retryAfter(header: string, now: number): number | undefined {
  if (/^\d+$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return header === '' || Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}

/**
 * The JSON of a body.
 * @throws OutcomeUnknownError for a write, UnexpectedResponseError for a read
 */
export function parseJSON(site: CallSite, answer: WireAnswer): unknown {
  try {
    return JSON.parse(answer.body.toString('utf8'));
  } catch {
    // Without the parser's own error as cause: its message quotes the body.
    const what = `the service answered ${answer.status} with a body that is not JSON`;
    if (site.write) throw unanswered(site, what, undefined);
    throw new UnexpectedResponseError(
      `${site.name}: ${what}`,
      'Check baseURL, and what stands between this process and the service.',
      { route: site.route, status: answer.status, path: '(body)' },
    );
  }
}
