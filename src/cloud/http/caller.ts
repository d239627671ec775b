import { backoffDelay, jittered } from '../../backoff.ts';
import type { Clock } from '../../clock.ts';
import type { Dialect } from '../dialect.ts';
import {
  CloudError,
  NotInDialectError,
  OutcomeUnknownError,
  RejectedError,
  UnexpectedResponseError,
} from '../errors.ts';
import type { Api, CallOptions } from '../limiter/lanes.ts';
import { type ListReader, unexpected } from '../wire/read.ts';
import { type AnswerBound, answerBounds } from './answer-bounds.ts';
import { answerError, type CallSite, isOfResource } from './answer-errors.ts';
import { cutJSON, parseJSON, parseText } from './answer-json.ts';
import type { KnownList } from './known-items.ts';
import { readItems } from './read-items.ts';
import type { Sender } from './sender.ts';
import type { WireAnswer, WireRequest } from './transport.ts';
import { reportWrites, type WriteReports } from './write-reports.ts';

/** One call of an operation. */
export interface Call {
  readonly api: Api;
  /** Method and path in normal form, for example `PUT /commonserviceitem/:id/sim/ip`. */
  readonly route: string;
  /** The zone in the path; default `is1a`, where everything but gateways and servers lives. */
  readonly zone?: string;
  /** Values of the path's `:names`. */
  readonly params?: Readonly<Record<string, string>>;
  /** An object is sent as the cloud API takes it: JSON, encoded into the query; a string as it is. */
  readonly query?: object | string;
  readonly body?: object;
  /** False for a PUT or DELETE that does more when sent twice. Default: true, and false for POST. */
  readonly idempotent?: boolean;
  /** Values that no message may show. */
  readonly secrets?: readonly (string | undefined)[];
  /** The operation exists in the Extended dialect only. */
  readonly extension?: boolean;
  /** How much may be answered; default `item`. */
  readonly answers?: keyof typeof answerBounds;
}

/** Reads a parsed body; throws an UnexpectedResponseError made by `fail`. */
export type BodyReader<T> = (body: unknown, site: CallSite) => T;

/** What the API areas are written with. Errors: any CloudError. */
export interface Caller {
  readonly dialect: Dialect;
  /** Calls and reads the answer. */
  read<T>(call: Call, reader: BodyReader<T>, options: CallOptions): Promise<T>;
  /**
   * Calls a GET that answers with a page of a list. What of it stands in `known` at this offset as it does in the answer is not
   * read again; then `known` keeps what the answer has.
   */
  readPage<Frame, T>(
    call: Call,
    reader: ListReader<Frame, T>,
    known: { readonly list: KnownList<T | undefined>; readonly from: number } | undefined,
    options: CallOptions,
  ): Promise<{ frame: Frame; items: T[] }>;
  /** Calls an operation whose answer says nothing more than that it was done. */
  perform(call: Call, options: CallOptions): Promise<void>;
  /** Calls a GET and gives the answer as it came, and a way to read it should it be JSON after all. */
  bytes(call: Call, options: CallOptions): Promise<{ answer: WireAnswer; json: <T>(reader: BodyReader<T>) => T }>;
}

const MOST_RETRIES = 2;
/** A longer Retry-After is for the caller to wait out, not for a call under way. */
const LONGEST_WAIT_SECONDS = 5;
const FIRST_RETRY_MILLISECONDS = 250;

export function createCaller(options: {
  readonly dialect: Dialect;
  readonly sender: Sender;
  /** The base URL's own path, without a slash at the end. */
  readonly basePath: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly userAgent: string;
  /** Values that no message may show, whatever the call: what the account is opened with. */
  readonly secrets: readonly string[];
}): Caller {
  const { dialect, sender, clock, random } = options;

  async function attempts(
    site: CallSite,
    call: Call,
    request: WireRequest,
    writes: WriteReports,
  ): Promise<WireAnswer | undefined> {
    const over = writes.options.onWait?.();
    try {
      return await untilAnswered(site, call, request, writes);
    } finally {
      over?.();
    }
  }

  /** The answer of the last attempt, or undefined for a DELETE whose target went in an earlier, unclear attempt. */
  async function untilAnswered(
    site: CallSite,
    call: Call,
    request: WireRequest,
    writes: WriteReports,
  ): Promise<WireAnswer | undefined> {
    let doubt: CloudError | undefined;
    // What failed all through the call before fails again: where requests are counted, one is enough to find out.
    const most = call.api === 'webaccel' && site.ofResource && sender.hasFailed(site) ? 0 : MOST_RETRIES;
    for (let attempt = 0; ; attempt++) {
      try {
        return await attemptOnce(site, call, request, writes);
      } catch (error) {
        writes.failed(error);
        if (!(error instanceof CloudError)) throw error;
        if (doubt && request.method === 'DELETE' && error.class === 'NotFound') return undefined;
        const serverError = (error.status ?? 0) >= 500;
        const passing = error.class === 'Retryable' || error.class === 'OutcomeUnknown';
        const wait = error.retryAfterSeconds ?? 0;
        // Nonces that expire under way were tried as often as makes sense, and took long.
        const isExpired = error.status === 401;
        if (!passing || !site.idempotent || isExpired || attempt >= most || wait > LONGEST_WAIT_SECONDS)
          throw errorAfterRetries(site, error, doubt);
        if (site.write && (error.class === 'OutcomeUnknown' || (serverError && !doubt))) doubt = error;
        await clock.sleep(
          Math.max(wait * 1000, jittered(backoffDelay(FIRST_RETRY_MILLISECONDS, attempt), random, 1.5)),
          writes.options.signal,
        );
      }
    }
  }

  async function attemptOnce(
    site: CallSite,
    call: Call,
    request: WireRequest,
    writes: WriteReports,
  ): Promise<WireAnswer> {
    const bound = boundOf(call);
    const answer = await sender.send(site, call.api, request, { ...writes.options, bound });
    writes.answered(answer.status);
    if (answer.status < 200 || answer.status >= 300)
      throw answerError(site, { ...answer, body: jsonOrNothing(answer) });
    // A write's answer has to be whole before it counts as done, and a repetition is possible only here.
    if (site.write && answer.status !== 204) parseJSON(site, answer, bound);
    return answer;
  }

  function prepare(call: Call): { site: CallSite; request: WireRequest } {
    const [method = 'GET', normal = '/'] = call.route.split(' ');
    if (call.extension && !dialect.extensions) {
      throw new NotInDialectError(
        `${call.route} does not exist in the dialect ${dialect.name}`,
        'Set dialect: Extended on the account, if the service offers it.',
        { route: call.route },
      );
    }
    const fill = (path: string) => path.replace(/:(\w+)/g, (_, name: string) => segment(call, name));
    const write = method !== 'GET';
    const query =
      call.query === undefined
        ? ''
        : `?${typeof call.query === 'string' ? call.query : encodeURIComponent(JSON.stringify(call.query))}`;
    const area = call.api === 'cloud' ? 'cloud/1.1' : 'webaccel/1.0';
    const zone = encodeURIComponent(call.zone ?? 'is1a');
    return {
      site: {
        route: call.route,
        name: `${method} ${fill(normal)}`,
        ofResource: isOfResource(normal),
        write,
        idempotent: call.idempotent ?? method !== 'POST',
        secrets: [...options.secrets, ...(call.secrets ?? []).filter((secret) => secret !== undefined)],
      },
      request: {
        method,
        target: `${options.basePath}/cloud/zone/${zone}/api/${area}${fill(dialect.path(method, normal))}${query}`,
        headers: {
          accept: 'application/json',
          'user-agent': options.userAgent,
          ...dialect.headers,
          ...(call.body && { 'content-type': 'application/json; charset=utf-8' }),
        },
        body: call.body && JSON.stringify(call.body),
      },
    };
  }

  return {
    dialect,
    async read(call, reader, o) {
      const { site, request } = prepare(call);
      const writes = reportWrites(site, o, clock);
      const answer = await attempts(site, call, request, writes);
      try {
        const body = answer === undefined || answer.status === 204 ? {} : parseJSON(site, answer, boundOf(call));
        refuseNotOK(site, body);
        const read = reader(body, site);
        writes.done();
        return read;
      } catch (error) {
        writes.failed(error);
        if (!(error instanceof UnexpectedResponseError) || site.idempotent) throw error;
        throw new OutcomeUnknownError(
          `${error.message}; the change was probably made`,
          'Nothing to do: the resource is read again before anything is sent.',
          { route: site.route, status: answer?.status, cause: error },
        );
      }
    },
    async readPage(call, reader, known, o) {
      const whole = (body: unknown, at: CallSite) => ({ frame: reader.frame(body, at), items: reader.items(body, at) });
      if (!known) return this.read(call, whole, o);
      const { site, request } = prepare(call);
      const answer = await attempts(site, call, request, reportWrites(site, o, clock));
      if (!answer) throw unexpected(site, '(body)', 'an answer');
      const bound = boundOf(call);
      const cut = cutJSON(site, answer, bound, reader.member);
      const body = cut ? parseText(site, answer, cut.frame) : parseJSON(site, answer, bound);
      refuseNotOK(site, body);
      if (!cut) return whole(body, site);
      const frame = reader.frame(body, site);
      const { bounds } = cut;
      const text = answer.body;
      const items = readItems({ text, bounds }, known.list.before(known.from), {
        read: (item, index) => reader.item(parseText(site, answer, item), site, index),
        moving: reader.moving,
      });
      known.list.keep(known.from, { text, bounds, items });
      return { frame, items: items.filter((item) => item !== undefined) };
    },
    async perform(call, o) {
      await this.read(call, () => undefined, o);
    },
    async bytes(call, o) {
      const { site, request } = prepare(call);
      const answer = await attempts(site, call, request, reportWrites(site, o, clock));
      if (!answer) throw unexpected(site, '(body)', 'an answer');
      return { answer, json: (reader) => reader(parseJSON(site, answer, boundOf(call)), site) };
    },
  };
}

const boundOf = (call: Call): AnswerBound => answerBounds[call.answers ?? 'item'];

function segment(call: Call, name: string): string {
  const value = call.params?.[name] ?? '';
  // Encoding leaves dots alone, and a path of dots would be another resource's.
  if (value === '' || value === '.' || value === '..') {
    throw new RejectedError(
      `${call.route}: "${value}" cannot be the ${name} of anything`,
      'Give the ID as the service shows it.',
      {
        route: call.route,
      },
    );
  }
  return encodeURIComponent(value);
}

function jsonOrNothing(answer: WireAnswer): unknown {
  try {
    return JSON.parse(answer.body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** `is_ok` is true in every success (`api.md`, Common response members). */
function refuseNotOK(site: CallSite, body: unknown): void {
  if (typeof body !== 'object' || body === null || !('is_ok' in body) || body.is_ok !== false) return;
  throw new UnexpectedResponseError(
    `${site.name}: a success with is_ok: false`,
    'Look at the resource in the control panel.',
    {
      route: site.route,
      path: 'is_ok',
    },
  );
}

/** After an unclear attempt a later refusal proves little: the first may have done what the second found done. */
function errorAfterRetries(site: CallSite, error: CloudError, doubt: CloudError | undefined): CloudError {
  if (!doubt) return error;
  const refused = error.class === 'Rejected';
  const broken = error.class === 'Retryable' && doubt.class === 'OutcomeUnknown';
  if (!refused && !broken) return error;
  return new OutcomeUnknownError(
    `${error.message}; an earlier attempt may have made the change`,
    'Nothing to do: the resource is read again before anything is sent.',
    { route: site.route, status: error.status, errorCode: error.errorCode, serial: error.serial, cause: error },
  );
}
