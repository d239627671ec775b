import { createServer } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHTTPSDispatcher } from '../../../../src/cloud/http/dispatcher.ts';
import { proxyOf } from '../../../../src/cloud/http/proxy.ts';
import { freePort } from '../../../../src/sandbox/processes/free-port.ts';
import { clientOf } from '../../../support/client-of.ts';
import { type ForwardProxy, type ForwardProxyOptions, startForwardProxy } from '../../../support/forward-proxy.ts';
import {
  type HTTPSServer,
  makeCertificates,
  startHTTPSServer,
  type TestCertificates,
} from '../../../support/https-server.ts';

const o = { lane: 'write' } as const;
/** Known to the proxy alone. */
const HOST = 'service.example.test';

let certificates: TestCertificates;
let server: HTTPSServer;
beforeAll(async () => {
  certificates = await makeCertificates([HOST]);
  server = await startHTTPSServer(certificates);
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
});

let proxies: ForwardProxy[] = [];
afterEach(async () => {
  for (const proxy of proxies) await proxy.close();
  proxies = [];
});

async function proxyWith(options: ForwardProxyOptions = {}): Promise<ForwardProxy> {
  const proxy = await startForwardProxy({
    resolve: (authority) => authority.replace(HOST, 'localhost'),
    ...options,
  });
  proxies.push(proxy);
  return proxy;
}

/** A client that has this proxy. */
function clientBehind(url: string) {
  const baseURL = `https://${HOST}:${server.port}`;
  return clientOf({ baseURL }, certificates, { dispatcher: createHTTPSDispatcher(proxyOf({ HTTPS_PROXY: url })) });
}

async function failureBehind(url: string): Promise<unknown> {
  const client = clientBehind(url);
  try {
    await client.sims.create({ name: 'a', iccid: '8981', passCode: 'hunter2' }, o);
    throw new Error('did not fail');
  } catch (error) {
    return error;
  } finally {
    await client.close();
  }
}

describe('a request through a proxy', () => {
  it('reaches a host that only the proxy knows, by TLS with that host, and keeps the connection', async () => {
    const proxy = await proxyWith({ credentials: 'me:p@ss word' });
    const client = clientBehind(`http://me:p%40ss%20word@127.0.0.1:${proxy.port}`);
    for (let count = 0; count < 5; count++) await client.sims.activate('113300000017', o);
    expect(server.requests.map(({ method }) => method)).toEqual(Array.from({ length: 5 }, () => 'PUT'));
    expect(new Set(proxy.asked)).toEqual(new Set([`${HOST}:${server.port}`]));
    expect(proxy.asked.length).toBeLessThanOrEqual(2);
    // What is for the proxy is not told to the service.
    expect(server.requests.filter(({ headers }) => headers['proxy-authorization'] !== undefined)).toEqual([]);
    await client.close();
  });

  it('opens another tunnel when the first was cut', async () => {
    const proxy = await proxyWith();
    const client = clientBehind(`http://127.0.0.1:${proxy.port}`);
    await client.sims.activate('113300000017', o);
    proxy.cut();
    await client.sims.deactivate('113300000017', o);
    expect(proxy.asked).toHaveLength(2);
    await client.close();
  });
});

describe('a proxy that does not open the way', () => {
  const retryable = (message: string) => ({
    class: 'Retryable',
    message: expect.stringContaining(`POST /commonserviceitem: cannot connect to ${HOST}: ${message}`),
    advice: `Check HTTPS_PROXY and NO_PROXY of the operator, and that the proxy lets it connect to ${HOST}.`,
  });

  it.each<[string, ForwardProxyOptions, string]>([
    ['wants other credentials', { credentials: 'somebody:else' }, 'wants other credentials than HTTPS_PROXY has (407)'],
    ['lets nobody through', { resolve: () => undefined }, 'does not let it through (403)'],
  ])('%s: nothing was sent, and it is said whose fault it is', async (_, options, what) => {
    const proxy = await proxyWith(options);
    const error = await failureBehind(`http://me:canary@127.0.0.1:${proxy.port}`);
    expect(error).toMatchObject(retryable(`the proxy 127.0.0.1:${proxy.port} ${what}`));
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('canary');
    expect(server.requests).toEqual([]);
  });

  it('is not there', async () => {
    const port = await freePort();
    expect(await failureBehind(`http://127.0.0.1:${port}`)).toMatchObject(
      retryable(`the proxy 127.0.0.1:${port} could not be reached: the connection was refused`),
    );
  });

  it('speaks by a certificate that nobody trusts', async () => {
    const { port } = await proxyWith({ tls: await makeCertificates(['localhost']) });
    expect(await failureBehind(`https://localhost:${port}`)).toMatchObject(
      retryable(`the proxy localhost:${port} could not be reached: its certificate is not trusted`),
    );
  });

  it('is none', async () => {
    const tcp = createServer((socket) => socket.resume().end('SSH-2.0-server\r\n'));
    await new Promise<void>((listening) => tcp.listen(0, '127.0.0.1', listening));
    const address = tcp.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    expect(await failureBehind(`http://127.0.0.1:${port}`)).toMatchObject(
      retryable(`the proxy 127.0.0.1:${port} could not be reached`),
    );
    await new Promise((closed) => tcp.close(closed));
  });

  it('connects to another server: its certificate is not the service’s', async () => {
    const other = await startHTTPSServer(await makeCertificates([HOST]));
    const proxy = await proxyWith({ resolve: () => `localhost:${other.port}` });
    expect(await failureBehind(`http://127.0.0.1:${proxy.port}`)).toMatchObject({
      class: 'Retryable',
      message: `POST /commonserviceitem: cannot connect to ${HOST}: its certificate is not trusted`,
    });
    expect(other.requests).toEqual([]);
    await other.close();
  });
});
