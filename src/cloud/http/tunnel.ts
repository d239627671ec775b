import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { Socket } from 'node:net';
import { ProxyFailure } from './connection-errors.ts';
import { proxyName } from './proxy.ts';

/** Connects to a host and port through a proxy (CONNECT, RFC 9110 section 9.3.6); TLS to the host is the caller's. @throws ProxyFailure */
export function openTunnel(
  proxy: URL,
  target: { readonly hostname: string; readonly port: string },
  timeoutMilliseconds: number,
): Promise<Socket> {
  const name = proxyName(proxy);
  const host = target.hostname.includes(':') ? `[${target.hostname}]` : target.hostname;
  const authority = `${host}:${target.port}`;
  return new Promise((resolve, reject) => {
    const connect = proxy.protocol === 'https:' ? secureRequest : plainRequest;
    const request = connect({
      hostname: proxy.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: proxy.port === '' ? undefined : proxy.port,
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...authorizationOf(proxy) },
      agent: false,
      timeout: timeoutMilliseconds,
    });
    request.once('timeout', () =>
      request.destroy(new ProxyFailure(name, `did not answer within ${timeoutMilliseconds / 1000} s`)),
    );
    request.once('error', (cause) =>
      reject(cause instanceof ProxyFailure ? cause : new ProxyFailure(name, 'could not be reached', { cause })),
    );
    request.once('connect', ({ statusCode = 0 }, socket, head) => {
      if (statusCode < 200 || statusCode > 299) {
        socket.destroy();
        reject(new ProxyFailure(name, refusalOf(statusCode)));
        return;
      }
      socket.setTimeout(0);
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    // What answers as a server, not as a proxy.
    request.once('response', ({ statusCode }) => {
      request.destroy(new ProxyFailure(name, `answered CONNECT with ${statusCode}, which no proxy does`));
    });
    request.end();
  });
}

function authorizationOf({ username, password }: URL): { 'proxy-authorization'?: string } {
  if (username === '' && password === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
}

function refusalOf(status: number): string {
  if (status === 407) return 'wants other credentials than HTTPS_PROXY has (407)';
  return `does not let it through (${status})`;
}
