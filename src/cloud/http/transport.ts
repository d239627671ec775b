import type { Dispatcher } from 'undici';
import type { Clock } from '../../clock.ts';
import { type AnswerBound, AnswerTooLarge, LONGEST_RETRY_AFTER_SECONDS } from './answer-bounds.ts';
import type { CallSite } from './answer-errors.ts';
import type { AnswerPool } from './answer-pool.ts';
import { ConnectFailure, connectionError, timeoutError, tooLargeError, unanswered } from './connection-errors.ts';
import type { WireDispatcher } from './dispatcher.ts';
import { startExchange } from './exchange.ts';

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

/** What one exchange is given beside its request. */
export interface ExchangeOptions {
  readonly bound: AnswerBound;
  /**
   * Called when a connection is open and the request is written next, in the same turn of the event loop. Where it
   * throws nothing is sent, and the exchange ends with what it threw.
   */
  readonly onWire: () => void;
  readonly signal?: AbortSignal | undefined;
}

/** One exchange with one host: no retries, no authentication, no limits. */
export interface Transport {
  /**
   * @throws RetryableError | OutcomeUnknownError by whether the request may have arrived; UnexpectedResponseError for a
   * read that is answered with too much; the signal's reason for a read, and for what was not sent yet; what `onWire` throws.
   */
  exchange(site: CallSite, request: WireRequest, options: ExchangeOptions): Promise<WireAnswer>;
  close(): Promise<void>;
}

/** Exchanges on the connections of a dispatcher, which it closes. */
export function createTransport(options: {
  readonly origin: string;
  readonly hostname: string;
  readonly clock: Clock;
  readonly requestTimeoutSeconds: number;
  readonly dispatcher: WireDispatcher;
  readonly pool: AnswerPool;
}): Transport {
  const { origin, hostname, clock, requestTimeoutSeconds, pool, dispatcher } = options;
  /** What a failed exchange means; what was not written may be sent again, whatever it is. */
  function failure(site: CallSite, error: unknown, isWritten: boolean): unknown {
    if (error instanceof TimeUp) return timeoutError(site, requestTimeoutSeconds, isWritten);
    if (error instanceof AnswerTooLarge) return tooLargeError(site, error);
    if (isWritten || error instanceof ConnectFailure) return connectionError(site, hostname, error);
    return connectionError(site, hostname, new ConnectFailure('not connected', { cause: error }));
  }

  return {
    async exchange(site, request, { bound, onWire, signal }) {
      signal?.throwIfAborted();
      let refusal: { readonly reason: unknown } | undefined;
      const exchange = startExchange(
        dispatcher,
        {
          origin,
          path: request.target,
          method: request.method,
          headers: request.headers,
          body: request.body === undefined ? null : Buffer.from(request.body),
        },
        {
          bytes: bound.bytes,
          pool,
          onWire() {
            try {
              onWire();
            } catch (reason) {
              refusal = { reason };
              throw reason;
            }
          },
        },
      );
      const abort = () => exchange.end(signal?.reason);
      signal?.addEventListener('abort', abort, { once: true });
      const stopTimer = clock.after(requestTimeoutSeconds * 1000, () => exchange.end(new TimeUp()));
      try {
        const { status, headers, body } = await exchange.answer;
        return {
          status,
          contentType: text(headers['content-type']),
          challenges: [headers['www-authenticate'] ?? []].flat(),
          retryAfterSeconds: retryAfter(text(headers['retry-after']), timeOf(text(headers.date)) ?? clock.now()),
          body,
        };
      } catch (error) {
        if (refusal) throw refusal.reason;
        if (signal?.aborted && error === signal.reason) {
          throw site.write && exchange.isWritten() ? unanswered(site, 'aborted while under way', error) : error;
        }
        throw failure(site, error, exchange.isWritten());
      } finally {
        stopTimer();
        signal?.removeEventListener('abort', abort);
      }
    },
    close: () => dispatcher.destroy(),
  };
}

/** The time for a request is over. */
class TimeUp extends Error {}

function text(header: string | string[] | undefined): string {
  return (Array.isArray(header) ? header[0] : header) ?? '';
}

/** `Fri, 31 Dec 2027 23:59:59 GMT` (RFC 9110, 5.6.7): to the parser almost anything is a date, "1.5" among it. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} /;

/** Milliseconds since the epoch, by the clock of who sent it. */
function timeOf(header: string): number | undefined {
  const time = HTTP_DATE.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** `now`: when it was sent, by the clock of who sent it, which may be an hour off. */
function retryAfter(header: string, now: number): number | undefined {
  if (/^\d+$/.test(header)) return Math.min(LONGEST_RETRY_AFTER_SECONDS, Number(header));
  const time = timeOf(header);
  if (time === undefined) return undefined;
  return Math.min(LONGEST_RETRY_AFTER_SECONDS, Math.max(0, Math.ceil((time - now) / 1000)));
}
