import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../clock.ts';
import { type ApiCore, type Asked, parsedBody, refusalOf, type Written } from './api-core.ts';
import { ApiError } from './api-error.ts';
import type { Authenticator } from './authentication.ts';
import type { Fault, Faults } from './faults.ts';
import type { Holds } from './holds.ts';
import type { Located } from './locate.ts';
import { readBody } from './read-body.ts';
import { redacted } from './redact.ts';
import type { RequestLog, RequestRecord } from './request-log.ts';
import type { ApiResponse } from './router.ts';
import type { Account, Simulation } from './simulation.ts';

export interface ApiHandlerOptions {
  readonly simulation: Simulation;
  readonly authenticator: Authenticator;
  readonly core: ApiCore;
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
  const { simulation, authenticator, core, faults, holds, requests, clock } = options;

  return async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const started = clock.monotonic();
    const target = request.url ?? '/';
    const asked = core.asked(request.method ?? 'GET', target);
    const { method, path, query, route } = asked;
    let account: Account | undefined;
    let body: unknown;
    let answer: ApiResponse | ApiError | NoAnswer | string;
    try {
      const text = await readBody(request);
      account = authenticator.authenticate(method, target, request.headers.authorization);
      body = parsedBody(text);
      if (simulation.settings.delay > 0) await clock.sleep(simulation.settings.delay);
      const found = core.admit(asked, account, text);
      const extended = request.headers['x-sakura-bigint-as-int'] === '1';
      answer = await perform(account, found, { ...asked, body, extended });
    } catch (error) {
      answer = error instanceof NoAnswer ? error : refusalOf(error);
    }
    const unkept = await settled().catch((error: unknown) => refusalOf(error));
    if (unkept && !(answer instanceof NoAnswer)) answer = unkept;
    if (answer instanceof NoAnswer) {
      if (answer.how === 'cut') response.destroy();
      else if (!response.closed) await new Promise((resolve) => response.once('close', resolve));
    }
    const status = respond(response, answer);
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
    asked: Asked & { readonly body: unknown; readonly extended: boolean },
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
    const result = core.operate(account, found, asked);
    await settled();
    return (await meet('after')) ?? result;
  }

  /** Sends the answer; returns its status, 0 when there is nobody to send it to or nothing to send. */
  function respond(response: ServerResponse, answer: ApiResponse | ApiError | NoAnswer | string): number {
    if (answer instanceof NoAnswer || response.destroyed) return 0;
    const { status, headers, content }: Written =
      typeof answer === 'string' ? { ...core.written({}), content: answer } : core.written(answer);
    response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(content) });
    response.end(content);
    return status;
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
