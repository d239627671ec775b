import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** A forward proxy as companies have them: it opens tunnels (CONNECT) and does nothing else. */
export interface ForwardProxy {
  readonly port: number;
  /** What it was asked to connect to, as `host:port`. */
  readonly asked: string[];
  /** How many tunnels are open. */
  open(): number;
  /** Cuts all tunnels, as a proxy that is started anew. */
  cut(): void;
  close(): Promise<void>;
}

export interface ForwardProxyOptions {
  /** `user:password` that has to be named. */
  readonly credentials?: string;
  /** What a name is, as `host:port` of this machine; undefined refuses with 403. By default what it is anywhere. */
  readonly resolve?: (authority: string) => string | undefined;
  /** PEM: it is spoken to by TLS. */
  readonly tls?: { readonly certificate: string; readonly key: string };
}

/** Starts one on a free port of this machine. */
export async function startForwardProxy(options: ForwardProxyOptions = {}): Promise<ForwardProxy> {
  const { credentials, resolve = (authority: string) => authority, tls } = options;
  const asked: string[] = [];
  const tunnels = new Set<Duplex>();
  const wanted = credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;

  const server = tls ? createSecureServer({ cert: tls.certificate, key: tls.key }) : createServer();
  server.on('connect', (request: IncomingMessage, client: Socket, head: Buffer) => {
    const authority = request.url ?? '';
    asked.push(authority);
    client.on('error', () => undefined);
    const refuse = (line: string) => client.end(`HTTP/1.1 ${line}\r\nContent-Length: 0\r\n\r\n`);
    if (wanted !== undefined && request.headers['proxy-authorization'] !== wanted)
      return void refuse('407 Proxy Authentication Required');
    const to = resolve(authority);
    if (to === undefined) return void refuse('403 Forbidden');
    const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(to) ?? [];
    const upstream = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    tunnels.add(client);
    upstream.on('error', () => client.destroy());
    client.on('close', () => {
      tunnels.delete(client);
      upstream.destroy();
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server's address is never a pipe's name
  const { port } = server.address() as AddressInfo;
  const cut = () => tunnels.forEach((tunnel) => tunnel.destroy());
  return {
    port,
    asked,
    open: () => tunnels.size,
    cut,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        cut();
      }),
  };
}
