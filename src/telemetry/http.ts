import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { isIPv4 } from 'node:net';
import { type Clock, systemClock } from '../clock.ts';
import { EdgelineError, messageOf } from '../errors.ts';

/** What a path answers. */
export interface HttpAnswer {
  status: number;
  contentType: string;
  body: string;
  /** Beside those that every answer has. */
  headers?: Readonly<Record<string, string>>;
}

/**
 * Answers a GET; `rest` is what follows the path it is registered under, without the slash between. `headers` are those of
 * the request, as anybody may have written them.
 */
export type HttpHandler = (
  query: URLSearchParams,
  rest: string,
  headers: Readonly<IncomingHttpHeaders>,
) => Promise<HttpAnswer> | HttpAnswer;

/** What one who asks may take, where more than one's own monitoring may ask. */
export interface HttpLimits {
  /** Connections at a time; more are closed at once. */
  readonly connections: number;
  /** From the request to the end of the answer, which a slow reader loses. Milliseconds. */
  readonly answerMilliseconds: number;
}

export interface HttpServerOptions {
  /** `HOST:PORT`, `[IPv6]:PORT`, `:PORT` for all addresses, or `0` for none. Port 0 picks a free one. */
  address: string;
  /** By path, such as `/metrics`; each also answers the paths below it. */
  handlers: Record<string, HttpHandler>;
  clock?: Clock;
  /** Default: none. */
  limits?: HttpLimits | undefined;
}

/** How long an address in use is tried again: the process before this one may be about to end. Milliseconds. */
const PATIENCE_MILLISECONDS = 10_000;
const BETWEEN_TRIES_MILLISECONDS = 250;

export interface HttpServer {
  /** The port that was bound. */
  readonly port: number;
  close(): Promise<void>;
}

/** An address cannot be understood, or not be bound. */
export class ListenError extends EdgelineError {
  readonly code = 'ListenFailed';
}

/**
 * Serves GET and HEAD; undefined when the address is `0`. Throws `ListenError`, for an address in use after ten seconds.
 */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer | undefined> {
  if (options.address === '0') return undefined;
  const { host, port } = parseAddress(options.address);
  const { clock = systemClock, limits } = options;
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5000 }, (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      respond(response, { status: 405, contentType: 'text/plain; charset=utf-8', body: 'only GET is served\n' });
      return;
    }
    // node:http has a path or an absolute URL here; anything that is neither ends up nowhere.
    const url = URL.parse(request.url ?? '/', 'http://localhost');
    const path = url?.pathname ?? '';
    const found = Object.entries(options.handlers).find(([at]) => path === at || path.startsWith(`${at}/`));
    if (!url || !found) {
      respond(response, { status: 404, contentType: 'text/plain; charset=utf-8', body: 'not found\n' });
      return;
    }
    if (limits) {
      const cut = clock.after(limits.answerMilliseconds, () => response.destroy());
      response.once('close', cut);
    }
    void answer(response, () => found[1](url.searchParams, path.slice(found[0].length + 1), request.headers));
  });
  if (limits) server.maxConnections = limits.connections;
  const giveUp = clock.monotonic() + PATIENCE_MILLISECONDS;
  for (;;) {
    const error = await listen(server, { port, ...(host === '' ? {} : { host }) });
    if (error === undefined) break;
    const isInUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (!isInUse || clock.monotonic() >= giveUp) throw listenError(options.address, error, isInUse);
    await clock.sleep(BETWEEN_TRIES_MILLISECONDS);
  }
  const bound = server.address();
  return {
    port: typeof bound === 'object' && bound !== null ? bound.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Resolves with what went wrong, or with nothing. */
function listen(server: Server, address: { port: number; host?: string }): Promise<unknown> {
  return new Promise((resolve) => {
    server.once('error', resolve);
    server.listen(address, () => {
      server.off('error', resolve);
      resolve(undefined);
    });
  });
}

function listenError(address: string, error: unknown, isInUse: boolean): ListenError {
  return isInUse
    ? new ListenError(
        `cannot listen on ${address}: another process does`,
        'End that process, or choose another address.',
        { cause: error },
      )
    : new ListenError(
        `cannot listen on ${address}: ${messageOf(error)}`,
        'Choose an address that is free and belongs to this machine.',
        { cause: error },
      );
}

async function answer(response: ServerResponse, ask: () => ReturnType<HttpHandler>) {
  try {
    respond(response, await ask());
  } catch {
    // What went wrong inside is for the log, not for whoever asks.
    respond(response, { status: 500, contentType: 'text/plain; charset=utf-8', body: 'internal error\n' });
  }
}

function respond(response: ServerResponse, { status, contentType, body, headers }: HttpAnswer): void {
  response.writeHead(status, {
    ...headers,
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  response.end(body);
}

/** Whether only this machine, or what shares its network namespace, reaches the address. Throws `ListenError`. */
export function isLoopback(address: string): boolean {
  const { host } = parseAddress(address);
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

function parseAddress(address: string): { host: string; port: number } {
  const match = /^(?:\[(?<v6>[0-9a-fA-F:.]+)\]|(?<name>[^:[\]]*)):(?<port>\d{1,5})$/.exec(address);
  const port = Number(match?.groups?.port);
  if (!match || port > 65_535) {
    throw new ListenError(`${address} is not an address`, 'Write HOST:PORT, :PORT, or 0 for none.');
  }
  return { host: match.groups?.v6 ?? match.groups?.name ?? '', port };
}
