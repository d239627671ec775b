import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request as requestHTTPS } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestCertificates } from '../../support/https-server.ts';
import type { Call, Director } from './director.ts';

export interface HoldingProxyOptions {
  /** What the proxy shows its clients. */
  readonly certificates: TestCertificates;
  /** `https://host:port`. */
  readonly upstream: string;
  readonly upstreamTLS: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /** Headers set on the way, in place of the client's. */
  readonly headers?: () => Promise<Record<string, string>>;
  /** What the director is asked about; undefined passes unasked. */
  readonly callOf: (method: string, target: string, authorization: string | undefined) => Call | undefined;
  readonly director: Director;
}

/** Stands between the operator and a server, and lets the director hold each request before it is sent and each answer. */
export async function startHoldingProxy(options: HoldingProxyOptions) {
  const { certificates, director } = options;
  const upstream = new URL(options.upstream);
  const agent = new Agent({ keepAlive: true, maxSockets: 256, ...options.upstreamTLS });

  /** Sends the request on, whether or not its client is still there. */
  async function forward(request: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    const { host: _, connection: __, ...rest } = request.headers;
    const headers = { ...rest, ...(await options.headers?.()) };
    return new Promise((resolve, reject) => {
      const onward = requestHTTPS(
        { host: upstream.hostname, port: upstream.port, method: request.method, path: request.url, headers, agent },
        resolve,
      );
      onward.once('error', reject);
      if (isWatch(request)) request.socket.once('close', () => onward.destroy());
      onward.end(body);
    });
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readAll(request);
    const call = options.callOf(request.method ?? 'GET', request.url ?? '/', request.headers.authorization);
    if (call && (await director.meet(call, 'before')) === 'drop') return void response.destroy();
    const answer = await forward(request, body);
    if (isWatch(request)) {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
      return;
    }
    const content = await readAll(answer);
    if (call && (await director.meet(call, 'after')) === 'drop') return void response.destroy();
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    response.end(content);
  }

  const handler = (request: IncomingMessage, response: ServerResponse) => {
    response.on('error', () => {});
    serve(request, response).catch(() => response.destroy());
  };
  const server = createServer({ cert: certificates.certificate, key: certificates.key }, handler);
  // A connection carries many requests, and all of them end with the operator's death.
  server.on('secureConnection', (socket) => socket.setMaxListeners(0).on('error', () => {}));
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server's address is never a pipe's name
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://localhost:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        agent.destroy();
      }),
  };
}

function isWatch(request: IncomingMessage): boolean {
  return /[?&]watch=(true|1)/.test(request.url ?? '');
}

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
