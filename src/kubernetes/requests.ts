import { backoffDelay, jittered } from '../backoff.ts';
import type { Clock } from '../clock.ts';
import { type Bounds, boundedText } from './bounded-text.ts';
import type { ClusterTime } from './cluster-time.ts';
import { askedMilliseconds, isForbidden, isTransient, KubeError } from './errors.ts';
import { parseJson } from './json.ts';
import type { Resource } from './resource.ts';
import { type StatusBody, statusError } from './watch-stream.ts';
import { connectionError, type HttpMethod, type Transport, type TransportAnswer } from './wire.ts';

/** What every call takes. */
export interface RequestOptions {
  signal?: AbortSignal | undefined;
  /** Milliseconds without a byte until the call fails; default 30 s. */
  timeoutMilliseconds?: number;
  /** False: fail at the first error, for callers with a rhythm of their own. */
  retry?: boolean;
  /** How much is read of the answer, also of a refusal; absent: all of it. */
  bounds?: Bounds | undefined;
}

/** One attempt of one request, for metrics. */
export interface RequestObservation {
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `raw`. */
  verb: string;
  /** The HTTP method. */
  method: string;
  resource: string;
  /** The HTTP status, or `<error>` when none came. */
  code: string;
  seconds: number;
}

export interface KubeClientOptions {
  /** Closed with the client. */
  transport: Transport;
  userAgent: string;
  /** Who owns the fields written, in `managedFields`. */
  fieldManager: string;
  onRequest?: (observation: RequestObservation) => void;
  /**
   * The fence: called when an attempt of a write is about to be written, with the connection open; throws to stop it.
   */
  beforeWrite?: () => void;
  /** Told of every refusal for want of a permission: it is for a person to grant it. */
  onForbidden?: (error: KubeError) => void;
  /** Told what time it is in the cluster. */
  time?: Pick<ClusterTime, 'heard'>;
  clock: Clock;
  /** Uniform in [0, 1). */
  random: () => number;
}

/** One request, whatever the verb. */
export interface Call {
  verb: string;
  method: HttpMethod;
  path: string;
  query?: Record<string, string | number | boolean | undefined>;
  resource?: Resource;
  objectName?: string;
  accept?: string;
  contentType?: string;
  body?: object;
  options: RequestOptions;
  streaming?: boolean;
}

/** Sends calls; the errors are those of `KubeClient`. */
export interface Requester {
  /** One attempt: the answer of success with its body unread. */
  attempt(call: Call): Promise<TransportAnswer>;
  /** Attempts until success, or an error that another try would not change. Gives the body. */
  text(call: Call): Promise<{ text: string; contentType: string }>;
  close(): Promise<void>;
}

const TIMEOUT_MILLISECONDS = 30_000;
const MOST_ATTEMPTS = 5;
const FIRST_RETRY_MILLISECONDS = 100;

export function createRequester(options: KubeClientOptions): Requester {
  const { transport, beforeWrite, onRequest, clock, random } = options;

  async function attempt(call: Call): Promise<TransportAnswer> {
    const fenced = call.method !== 'GET';
    const begun = { monotonic: clock.monotonic(), wall: clock.now() };
    const observe = (code: string) =>
      onRequest?.({
        verb: call.verb,
        method: call.method,
        resource: call.resource?.plural ?? '',
        code,
        seconds: (clock.monotonic() - begun.monotonic) / 1000,
      });
    let code = '<error>';
    try {
      const answer = await transport.send({
        method: call.method,
        path: call.path + queryString(call.query),
        headers: {
          accept: call.accept ?? 'application/json',
          'user-agent': options.userAgent,
          ...(call.body === undefined ? {} : { 'content-type': call.contentType ?? 'application/json' }),
        },
        ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
        signal: call.options.signal,
        timeoutMilliseconds: call.options.timeoutMilliseconds ?? TIMEOUT_MILLISECONDS,
        streaming: call.streaming ?? false,
        onWire: fenced ? beforeWrite : undefined,
      });
      options.time?.heard(answer.headers['date'], begun);
      code = String(answer.statusCode);
      if (answer.statusCode >= 200 && answer.statusCode < 300) return answer;
      const body = parseStatus(await textOf(answer, call));
      throw statusError(
        answer.statusCode,
        body,
        call.resource?.kind,
        call.objectName,
        retryAfterSeconds(answer.headers['retry-after']),
      );
    } catch (thrown) {
      const error = connectionError(thrown, call.options.signal);
      if (isForbidden(error)) options.onForbidden?.(error);
      throw error;
    } finally {
      observe(code);
    }
  }

  function textOf({ body }: TransportAnswer, { options: { bounds } }: Call): Promise<string> {
    return bounds ? boundedText(body, bounds, clock) : body.text();
  }

  async function text(call: Call): Promise<{ text: string; contentType: string }> {
    for (let tries = 1; ; tries++) {
      try {
        const answer = await attempt(call);
        return { text: await textOf(answer, call), contentType: String(answer.headers['content-type']) };
      } catch (thrown) {
        const error = connectionError(thrown, call.options.signal);
        // The refusal made the connection forget its credentials; new ones are worth one try, without waiting.
        if (error instanceof KubeError && error.status === 401 && tries === 1) continue;
        if (call.options.retry === false || tries >= MOST_ATTEMPTS || !worthRetrying(call, error)) throw error;
        await clock.sleep(retryDelay(error, tries, random), call.options.signal);
      }
    }
  }

  return { attempt, text, close: () => transport.close() };
}

function queryString(query: Call['query']): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== '') parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

function parseStatus(text: string): StatusBody | undefined {
  try {
    const body = parseJson<StatusBody>(text);
    return body.kind === 'Status' ? body : undefined;
  } catch {
    return undefined;
  }
}

function retryAfterSeconds(header: string | string[] | undefined): number | undefined {
  const seconds = Number.parseInt(String(header), 10);
  return Number.isFinite(seconds) ? seconds : undefined;
}

function worthRetrying(call: Call, error: unknown): boolean {
  if (!(error instanceof KubeError) || !isTransient(error)) return false;
  if (call.method === 'GET' || error.status === 429 || error.notSent) return true;
  return error.status === 0 && (call.method === 'PATCH' || call.method === 'DELETE');
}

/** Milliseconds: what the apiserver asked for, at most 30 s; else 0.1 s, doubled each time, of which half is chance. */
function retryDelay(error: unknown, tries: number, random: () => number): number {
  const asked = askedMilliseconds(error);
  if (asked !== undefined) return asked * (1 + random() * 0.1);
  return jittered(backoffDelay(FIRST_RETRY_MILLISECONDS, tries - 1), random);
}
