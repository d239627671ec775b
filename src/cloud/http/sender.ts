import type { Clock } from '../../clock.ts';
import { CloudError, CredentialsRejectedError, NonceExpiredError } from '../errors.ts';
import { ClosedMeanwhileError, type Permit } from '../limiter/gate.ts';
import type { Api, CallOptions } from '../limiter/lanes.ts';
import type { Limiter } from '../limiter/limiter.ts';
import type { AnswerBound } from './answer-bounds.ts';
import { answerError, type CallSite, isOverload } from './answer-errors.ts';
import type { Authenticator } from './authenticator.ts';
import type { Blame } from './blame.ts';
import type { Breaker, Outcome } from './breaker.ts';
import type { Circuit } from './circuit.ts';
import type { Transport, WireAnswer, WireRequest } from './transport.ts';

/** What each request on the wire reports; `code` is the status, the class of an error without one, or `challenge`. */
export interface RequestEvent {
  readonly api: Api;
  /** For example `PUT /commonserviceitem/:id/sim/ip`. */
  readonly route: string;
  readonly code: string;
  /** The service refused it for being one too many. */
  readonly throttled: boolean;
  readonly seconds: number;
}

interface SendOptions extends CallOptions {
  readonly bound: AnswerBound;
}

/** Sends one request with the account's permission: circuit, breaker, limiter, fence and authentication around the transport. */
export interface Sender {
  /** Any answer but a refusal of the account. */
  send(site: CallSite, api: Api, request: WireRequest, options: SendOptions): Promise<WireAnswer>;
  /** See {@link Breaker}. */
  hasFailed(site: CallSite): boolean;
}

/** What is settled when a request is written. Internal. */
interface Leaving {
  readonly options: SendOptions;
  /** Throws when the request must not leave after all. */
  readonly onWire: () => void;
}

/** A nonce may go stale under way, twice at most in a row for a working server. */
const LONGEST_EXCHANGE = 4;
/** A nonce that waited longer for its request may have gone stale for that, which says nothing of the credentials. Milliseconds. */
const PROMPT_MILLISECONDS = 1000;

export function createSender(options: {
  readonly transport: Transport;
  readonly authenticator: Authenticator;
  readonly limiter: Pick<Limiter, 'acquire' | 'throttled' | 'overloaded'> & Partial<Pick<Limiter, 'acquireNow'>>;
  readonly clock: Clock;
  readonly circuit: Circuit | undefined;
  readonly breaker: Breaker;
  readonly blame: Blame;
  readonly beforeWrite: (() => void) | undefined;
  /** Throws while no request at all may leave. */
  readonly mayLeave: (() => void) | undefined;
  readonly onRequest: ((event: RequestEvent) => void) | undefined;
}): Sender {
  const { transport, authenticator, limiter, clock, circuit, breaker, blame } = options;

  async function timed(site: CallSite, api: Api, request: WireRequest, { options: o, onWire }: Leaving) {
    const started = clock.monotonic();
    const report = (code: string, throttled = false) =>
      options.onRequest?.({ api, route: site.route, code, throttled, seconds: (clock.monotonic() - started) / 1000 });
    let isRefused = false;
    try {
      const answer = await transport.exchange(site, request, {
        bound: o.bound,
        signal: o.signal,
        onWire() {
          isRefused = true;
          onWire();
          isRefused = false;
        },
      });
      return { answer, report };
    } catch (error) {
      if (!isRefused) report(error instanceof CloudError ? error.class : 'Aborted');
      throw error;
    }
  }

  return {
    hasFailed: breaker.hasFailed,
    async send(site, api, request, o) {
      const { party, signal, turn, onQueued, onSent, guard } = o;
      options.mayLeave?.();
      let probe = circuit?.check(api, site.route) ?? false;
      /** The circuit may have opened while this call waited. */
      const checkAgain = () => {
        if (!probe) probe = circuit?.check(api, site.route) ?? false;
      };
      breaker.check(site, party, turn);
      let challengedAt = Number.POSITIVE_INFINITY;
      for (let exchanges = 1; ; ) {
        onQueued?.();
        const permit = await acquire(api, o);
        let asked: (() => void) | undefined;
        let tell: ((outcome: Outcome) => void) | undefined;
        let isAnswered = false;
        try {
          checkAgain();
          breaker.check(site, party, turn);
          asked = await authenticator.asking(signal);
          const authorization = authenticator.authorize(request.method, request.target);
          const headers = authorization ? { ...request.headers, authorization: authorization.header } : request.headers;
          // Asked when the request is really written: until then a connection may take ten seconds, or the process may
          // have stood still while another took its place.
          let sentAt = clock.monotonic();
          const onWire = (): void => {
            checkAgain();
            options.mayLeave?.();
            if (site.write) {
              options.beforeWrite?.();
              guard?.();
            }
            tell = breaker.begin(api, site, party, turn);
            permit.sent(blame.tells(site.name));
            sentAt = clock.monotonic();
            onSent?.();
          };
          const { answer, report } = await timed(site, api, { ...request, headers }, { options: o, onWire });
          isAnswered = true;
          const challenged =
            answer.status === 401 ? authenticator.challenged(answer.challenges, authorization) : 'refused';
          if (challenged !== 'refused' && exchanges < LONGEST_EXCHANGE) {
            exchanges++;
            challengedAt = clock.monotonic();
            report('challenge');
            continue;
          }
          const isPrompt = sentAt - challengedAt <= PROMPT_MILLISECONDS;
          if (challenged === 'shared' || (challenged === 'again' && !isPrompt)) {
            report('challenge');
            tell?.('answered');
            tell = undefined;
            throw expired(site);
          }
          const error = judge(site, api, answer, { sentAt, party });
          tell?.(error && answer.status >= 500 && error.class !== 'Throttled' ? { failed: error } : 'answered');
          tell = undefined;
          report(codeOf(answer.status), error?.class === 'Throttled');
          if (answer.status < 300) o.onAnswer?.(answer.body.length);
          return answer;
        } catch (error) {
          if (error instanceof ClosedMeanwhileError) continue;
          if (isFailure(error) && signal?.aborted !== true) {
            tell?.({ failed: error });
            tell = undefined;
          }
          throw error;
        } finally {
          tell?.('unclear');
          asked?.();
          permit.release(isAnswered);
        }
      }
    },
  };

  /** Waits for leave to send; what is no longer wanted gives its place to others. */
  async function acquire(api: Api, call: CallOptions): Promise<Permit> {
    const { lane, signal, turn, guard, onDoubt } = call;
    const party = call.payer ?? call.party;
    if (!onDoubt || !guard) return limiter.acquire(api, lane, signal, turn, party);
    signal?.throwIfAborted();
    guard();
    const granted = limiter.acquireNow?.(api, lane, party);
    if (granted) return granted;
    const off = new AbortController();
    const abort = () => off.abort(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    // The guard may have called it off.
    if (signal?.aborted) abort();
    const ask = () => {
      try {
        guard();
      } catch (reason) {
        off.abort(reason);
      }
    };
    const stop = onDoubt(ask);
    try {
      return await limiter.acquire(api, lane, off.signal, turn, party);
    } finally {
      stop();
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Tells the limiter and the circuit what an answer means for the account; gives the error it is, if it is one. */
  function judge(
    site: CallSite,
    api: Api,
    answer: WireAnswer,
    { sentAt, party }: { readonly sentAt: number; readonly party: string | undefined },
  ): CloudError | undefined {
    const { status } = answer;
    if (status < 500 && status !== 429) blame.answered(api, site.name, party);
    if (status < 400) {
      circuit?.accepted(api);
      return undefined;
    }
    const error = answerError(site, { ...answer, body: bodyOf(answer) });
    const { retryAfterSeconds } = answer;
    if (error.class === 'Throttled') {
      limiter.throttled(api, retryAfterSeconds);
      if (isOverload(error)) limiter.overloaded(api, sentAt, 'surely');
    } else if (isOverload(error)) {
      // Whatever is broken behind the service answers 503; only who counts requests says that there are too many.
      const fault = blame.refused(site.name, party);
      if (fault !== 'object') limiter.overloaded(api, sentAt, fault === 'service' ? 'perhaps' : 'hardly');
      if (fault !== 'party' && retryAfterSeconds && blame.unavailable(api, site.route)) {
        // What stands before the service knows nothing of an hour's budget.
        limiter.throttled(api, Math.min(retryAfterSeconds, LONGEST_UNAVAILABLE_SECONDS));
      }
    }
    if (error instanceof CredentialsRejectedError) {
      // A 403 to a create may be a token that may only read: that is no reason to stop reading.
      if (status === 401) circuit?.open(error);
      else if (!site.write) circuit?.open(error, api);
    } else if (status < 500 && status !== 429) circuit?.accepted(api);
    return error;
  }
}

function expired({ name, route }: CallSite): NonceExpiredError {
  return new NonceExpiredError(
    `${name}: each nonce of the service expired while the request waited for its turn, or another request had used it`,
    "Nothing to do: it is tried again. If it lasts, raise the account's spec.limits, or set its spec.authentication to Basic, if the service offers that.",
    { route, status: 401 },
  );
}

/** After a 503 that says when to come back, no more than this is waited before it is asked again. */
const LONGEST_UNAVAILABLE_SECONDS = 60;

/** The last two digits of any status that is in use (RFC 9110, RFC 6585) but 451. */
const LAST_IN_USE = 31;

/** A status as metrics have it: whoever answers chooses among nine hundred, and each would be a series for good. */
function codeOf(status: number): string {
  return status < 600 && status % 100 <= LAST_IN_USE ? String(status) : `${Math.floor(status / 100)}xx`;
}

/** The connection broke, or no answer came in time. */
function isFailure(error: unknown): error is CloudError {
  return error instanceof CloudError && (error.class === 'Retryable' || error.class === 'OutcomeUnknown');
}

function bodyOf(answer: WireAnswer): unknown {
  try {
    return JSON.parse(answer.body.toString('utf8'));
  } catch {
    return undefined;
  }
}
