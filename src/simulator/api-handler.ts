import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../clock.ts';
import { messageOf } from '../errors.ts';
import { ApiError, badRequest, errorBody, notFound } from './api-error.ts';
import type { Authenticator } from './authentication.ts';
import type { Fault, Faults } from './faults.ts';
import type { Holds } from './holds.ts';
import { type Located, locate } from './locate.ts';
import { requireMemory } from './memory.ts';
import { readBody } from './read-body.ts';
import { readJSON } from './read-json.ts';
import { redacted } from './redact.ts';
import type { RequestLog, RequestRecord } from './request-log.ts';
import type { ApiResponse, Router } from './router.ts';
import type { Account, Simulation } from './simulation.ts';
import { StateFileError } from './state/error.ts';
import { spendWebAccelRequest } from './web-acceleration/limit.ts';

export interface ApiHandlerOptions {
  readonly simulation: Simulation;
  readonly authenticator: Authenticator;
  readonly router: Router;
  readonly faults: Faults;
  readonly holds: Holds;
  readonly requests: RequestLog;
  /** The machine's clock, for delays. */
  readonly clock: Clock;
  readonly onRequest?: (record: Omit<RequestRecord, 'seq'>) => void;
}

/** Why there is no answer at all. */
class NoAnswer extends Error {
  readonly how: 'cut' | 'stall';
  constructor(how: 'cut' | 'stall') {
    super(how);
    this.how = how;
  }
}

const garbage = '{"is_ok": true, "CommonServiceItems": [{"ID": "1133';
const wordForStatus: Readonly<Record<number, string>> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  423: 'locked',
  429: 'too_many_request',
  500: 'internal_server_error',
  503: 'service_temporarily_unavailable',
};

/** Serves the service's own port: authentication, limits, faults, the operation, the answer, the log. */
export function createApiHandler(options: ApiHandlerOptions) {
  const { simulation, authenticator, router, faults, holds, requests, clock } = options;
  let serial = 0;

  return async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const started = clock.monotonic();
    const method = request.method ?? 'GET';
    const target = request.url ?? '/';
    const mark = target.indexOf('?');
    const path = mark < 0 ? target : target.slice(0, mark);
    const query = mark < 0 ? '' : target.slice(mark + 1);
    const found = locate(router, method, path);
    const route = found?.name ?? `${method} (unknown)`;
    let account: Account | undefined;
    let body: unknown;
    let answer: ApiResponse | ApiError | NoAnswer | string;
    try {
      const text = await readBody(request);
      account = authenticator.authenticate(method, target, request.headers.authorization);
      body = parsed(text);
      if (simulation.settings.delay > 0) await clock.sleep(simulation.settings.delay);
      requireMemory(text);
      if (!found) throw notFound(`operation ${method} ${path}`);
      if (found.api === 'webaccel') spendWebAccelRequest(simulation, account.world);
      answer = await perform(account, found, { method, path, query, body, headers: request.headers });
    } catch (error) {
      answer = error instanceof NoAnswer ? error : refusalOf(error);
    }
    const unkept = await settled().catch((error: unknown) => refusalOf(error));
    if (unkept && !(answer instanceof NoAnswer)) answer = unkept;
    if (answer instanceof NoAnswer) {
      if (answer.how === 'cut') response.destroy();
      else if (!response.closed) await new Promise((resolve) => response.once('close', resolve));
    }
    const status = respond(response, answer, (++serial).toString(16).padStart(16, '0'));
    const record = {
      time: new Date(simulation.clock.now()).toISOString(),
      method,
      path,
      ...(query !== '' && { query }),
      route,
      status,
      account: account?.name ?? null,
      ...(body !== undefined && { body: redacted(body) }),
      durationMs: Math.round((clock.monotonic() - started) * 100) / 100,
    };
    requests.add(record);
    options.onRequest?.(record);
  };

  /** Whoever is answered knows what is kept: nothing of it is lost when the process ends. */
  async function settled(): Promise<undefined> {
    await simulation.settle();
  }

  /** Runs the operation among the faults it meets. */
  async function perform(
    account: Account,
    found: Located,
    asked: { method: string; path: string; query: string; body: unknown; headers: IncomingMessage['headers'] },
  ): Promise<ApiResponse | ApiError | string> {
    const met = faults.take(found.name, found.ids);
    const meet = async (when: 'before' | 'after') => {
      for (const fault of met) {
        if (fault.when !== when) continue;
        if (fault.latencyMs !== undefined) await clock.sleep(fault.latencyMs);
        if (fault.hold) {
          const verdict = await holds.hold({
            faultID: fault.id,
            route: found.name,
            method: asked.method,
            path: asked.path,
            account: account.name,
            when,
            ...(asked.body !== undefined && { body: redacted(asked.body) }),
          });
          if (verdict === 'drop') throw new NoAnswer('cut');
        }
        if (fault.garbage) return garbage;
        strike(fault);
      }
      return undefined;
    };
    const early = await meet('before');
    if (early !== undefined) return early;
    const result = operate(account, found, asked);
    await settled();
    return (await meet('after')) ?? result;
  }

  function operate(
    account: Account,
    found: Located,
    asked: { query: string; body: unknown; headers: IncomingMessage['headers'] },
  ): ApiResponse | ApiError {
    try {
      return found.operation({
        simulation,
        world: account.world,
        zone: found.zone,
        extended: asked.headers['x-sakura-bigint-as-int'] === '1',
        ids: found.ids,
        query: asked.query,
        body: asked.body,
        now: simulation.clock.now(),
      });
    } catch (error) {
      return refusalOf(error);
    }
  }
}

function strike(fault: Fault): void {
  if (fault.cut) throw new NoAnswer('cut');
  if (fault.stall) throw new NoAnswer('stall');
  if (fault.code === undefined) return;
  const more = fault.retryAfter === undefined ? {} : { retryAfter: fault.retryAfter };
  throw new ApiError(
    fault.code,
    fault.errorCode ?? wordForStatus[fault.code] ?? 'fault',
    'a fault that was asked for',
    more,
  );
}

function parsed(text: string): unknown {
  if (text === '') return undefined;
  const read = readJSON(text);
  if ('problem' in read) throw badRequest(`the body: ${read.problem}`);
  return read.value;
}

function refusalOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof StateFileError) return new ApiError(503, 'service_temporarily_unavailable', error.message);
  return new ApiError(500, 'internal_server_error', `the simulator failed: ${messageOf(error)}`);
}

/** Sends the answer; returns its status, 0 when there is nobody to send it to or nothing to send. */
function respond(response: ServerResponse, answer: ApiResponse | ApiError | NoAnswer | string, serial: string): number {
  if (answer instanceof NoAnswer || response.destroyed) return 0;
  let status = 200;
  let headers: Record<string, string | string[]> = {};
  let content: string | Buffer;
  let type = 'application/json; charset=utf-8';
  if (typeof answer === 'string') content = answer;
  else if (answer instanceof ApiError) {
    status = answer.status;
    headers = { ...answer.headers };
    if (answer.retryAfter !== undefined) headers['Retry-After'] = String(answer.retryAfter);
    content = JSON.stringify(errorBody(status, answer.errorCode, answer.message, serial));
  } else {
    status = answer.status ?? 200;
    type = answer.contentType ?? type;
    content = answer.bytes ?? JSON.stringify({ is_ok: true, ...answer.body });
  }
  response.writeHead(status, { ...headers, 'Content-Type': type, 'Content-Length': Buffer.byteLength(content) });
  response.end(content);
  return status;
}
