import { messageOf } from '../errors.ts';
import { ApiError, badRequest, errorBody, notFound } from './api-error.ts';
import { spendCloudRequest, spendWebAccelRequest } from './limits.ts';
import { type Located, locate } from './locate.ts';
import { requireMemory } from './memory.ts';
import { readJSON } from './read-json.ts';
import type { ApiResponse, Router } from './router.ts';
import type { Account, Simulation } from './simulation.ts';
import { StateFileError } from './state/error.ts';
import { splitOnce } from './url-text.ts';

/** A request line, and the operation it names. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  /** What stands behind `?`, as sent. */
  readonly query: string;
  readonly found: Located | undefined;
  /** As the request log names it: `METHOD /template`, or `METHOD (unknown)`. */
  readonly route: string;
}

/** An answer as it is to be written, but for the headers every HTTP server adds. */
export interface Written {
  readonly status: number;
  /** By their lower-case names. */
  readonly headers: Record<string, string | string[]>;
  readonly content: string | Buffer;
}

/**
 * The service without sockets, timers and faults: what decides between a request read and an answer to write. Synchronous;
 * a request passes `asked`, `parsedBody`, `admit`, `operate` and `written`, in this order.
 */
export interface ApiCore {
  asked(method: string, target: string): Asked;
  /** Counts the request against its limits. Throws an `ApiError`: 503, 404, 429. */
  admit(asked: Asked, account: Account, text: string): Located;
  /** Carries the operation out; a refusal is an answer too. `now` is the simulated time unless told otherwise. */
  operate(account: Account, found: Located, given: Given, now?: number): ApiResponse | ApiError;
  written(answer: ApiResponse | ApiError): Written;
}

/** What an operation is given besides its path. */
export interface Given {
  readonly query: string;
  readonly body: unknown;
  /** The client speaks the Extended dialect. */
  readonly extended: boolean;
}

const jsonType = 'application/json; charset=utf-8';

export function createApiCore(options: {
  readonly simulation: Simulation;
  readonly router: Router;
  /** Is there too little memory left for what may make the state grow? */
  readonly isMemoryFull: () => boolean;
}): ApiCore {
  const { simulation, router, isMemoryFull } = options;
  let serial = 0;
  return {
    asked(method, target) {
      const [path, query] = splitOnce(target, '?');
      const found = locate(router, method, path);
      return { method, path, query, found, route: found?.name ?? `${method} (unknown)` };
    },
    admit({ method, path, found }, account, text) {
      requireMemory(text, isMemoryFull);
      if (!found) throw notFound(`operation ${method} ${path}`);
      const spend = found.api === 'webaccel' ? spendWebAccelRequest : spendCloudRequest;
      spend(simulation, account.world);
      return found;
    },
    operate(account, found, { query, body, extended }, now = simulation.clock.now()) {
      try {
        return found.operation({
          simulation,
          world: account.world,
          zone: found.zone,
          extended,
          ids: found.ids,
          query,
          body,
          now,
        });
      } catch (error) {
        return refusalOf(error);
      }
    },
    written(answer) {
      serial++;
      if (answer instanceof ApiError) {
        const { status, errorCode, message, retryAfter } = answer;
        const headers = Object.entries(answer.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
        return {
          status,
          headers: {
            ...Object.fromEntries(headers),
            ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
            'content-type': jsonType,
          },
          content: JSON.stringify(errorBody(status, errorCode, message, serial.toString(16).padStart(16, '0'))),
        };
      }
      return {
        status: answer.status ?? 200,
        headers: { 'content-type': answer.contentType ?? jsonType },
        content: answer.bytes ?? JSON.stringify({ is_ok: true, ...answer.body }),
      };
    },
  };
}

/** What a body says; undefined when there is none. Throws 400 when it is not JSON. */
export function parsedBody(text: string): unknown {
  if (text === '') return undefined;
  const read = readJSON(text);
  if ('problem' in read) throw badRequest(`the body: ${read.problem}`);
  return read.value;
}

/** The refusal an error means; 500 for a mistake of the simulator's own, which is its cause. */
export function refusalOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof StateFileError) return new ApiError(503, 'service_temporarily_unavailable', error.message);
  const message = `the simulator failed: ${messageOf(error)}`;
  return new ApiError(500, 'internal_server_error', message, { cause: error });
}
