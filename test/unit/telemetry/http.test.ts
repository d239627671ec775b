import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { healthHandlers, metricsHandlers } from '../../../src/telemetry/health.ts';
import {
  type HttpHandler,
  type HttpServer,
  isLoopback,
  ListenError,
  startHttpServer,
} from '../../../src/telemetry/http.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { ManualClock } from '../../support/manual-clock.ts';

let servers: HttpServer[] = [];

afterEach(async () => {
  for (const server of servers) await server.close();
  servers = [];
});

async function serve(handlers: Record<string, HttpHandler>, address = '127.0.0.1:0') {
  const server = await startHttpServer({ address, handlers });
  if (!server) throw new Error('not started');
  servers.push(server);
  return async (path: string, init?: RequestInit) => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, init);
    return [response.status, await response.text()];
  };
}

const fine = () => undefined;
const broken = async () => {
  throw new Error('the watch of sims has been silent for 5 minutes');
};

describe('the health paths', () => {
  it.each([
    ['/livez', [200, 'ok']],
    ['/healthz', [200, 'ok']],
    ['/livez?verbose', [200, '[+]loop ok\nlivez check passed\n']],
    ['/readyz', [503, '[+]loop ok\n[-]informers failed: reason withheld\nreadyz check failed\n']],
    ['/readyz?exclude=informers', [200, 'ok']],
    ['/readyz?exclude=informers&verbose', [200, '[+]loop ok\nreadyz check passed\n']],
    ['/readyz/loop', [200, 'ok']],
    ['/readyz/informers', [503, '[-]informers failed: reason withheld\nreadyz check failed\n']],
    ['/readyz/other', [404, 'not found\n']],
    ['/other', [404, 'not found\n']],
    ['/livezz', [404, 'not found\n']],
  ])('%s', async (path, expected) => {
    const get = await serve(healthHandlers({ live: { loop: fine }, ready: { informers: broken } }));
    expect(await get(path)).toEqual(expected);
  });

  it('tell the reason to nobody but the log', async () => {
    const told: string[] = [];
    const get = await serve(
      healthHandlers({ live: { watch: broken }, ready: {} }, (check, error) => told.push(`${check}: ${String(error)}`)),
    );
    expect(await get('/livez')).toEqual([503, '[-]watch failed: reason withheld\nlivez check failed\n']);
    expect(told).toEqual(['watch: Error: the watch of sims has been silent for 5 minutes']);
  });
});

describe('the HTTP server', () => {
  it('serves metrics', async () => {
    const get = await serve(metricsHandlers(createMetrics({ process: false })));
    const [code, body] = await get('/metrics');
    expect([code, String(body).startsWith('# HELP controller_runtime_reconcile_total')]).toEqual([200, true]);
  });

  it('answers GET and HEAD only', async () => {
    const get = await serve(healthHandlers({ live: {}, ready: {} }));
    expect(await get('/livez', { method: 'POST' })).toEqual([405, 'only GET is served\n']);
    expect(await get('/livez', { method: 'HEAD' })).toEqual([200, '']);
  });

  it('says nothing of what broke inside', async () => {
    const get = await serve({
      '/x': () => {
        throw new Error('inside');
      },
    });
    expect(await get('/x')).toEqual([500, 'internal error\n']);
  });

  it.each([':0', '127.0.0.1:0', 'localhost:0', '[::1]:0'])('listens on %s', async (address) => {
    const server = await startHttpServer({ address, handlers: {} });
    expect(server?.port).toBeGreaterThan(0);
    await server?.close();
  });

  it('does not listen on 0', async () => {
    expect(await startHttpServer({ address: '0', handlers: {} })).toBeUndefined();
  });

  it.each(['', 'localhost', 'host:99999', '::1:80', 'a:b'])('refuses the address "%s"', async (address) => {
    await expect(startHttpServer({ address, handlers: {} })).rejects.toThrow('is not an address');
  });

  it('waits a moment for an address that the process before still has, and then says who has it', async () => {
    const clock = new ManualClock();
    const first = await startHttpServer({ address: '127.0.0.1:0', handlers: {} });
    const address = `127.0.0.1:${first?.port}`;
    const refused = startHttpServer({ address, handlers: {}, clock }).catch((error: unknown) => error);
    const patient = startHttpServer({ address, handlers: {}, clock: systemClock });
    for (let look = 0; look < 60; look++) await clock.advance(250);
    expect(await refused).toEqual(
      new ListenError(
        `cannot listen on ${address}: another process does`,
        'End that process, or choose another address.',
      ),
    );
    await first?.close();
    const second = await patient;
    expect(second?.port).toBe(first?.port);
    await second?.close();
  });
});

describe('an HTTP server with limits', () => {
  it('ends an answer that nobody takes, and closes what is one connection too many', async () => {
    const server = await startHttpServer({
      address: '127.0.0.1:0',
      handlers: { '/': () => ({ status: 200, contentType: 'text/plain', body: 'x'.repeat(50_000_000) }) },
      limits: { connections: 1, answerMilliseconds: 300 },
    });
    if (!server) throw new Error('not started');
    servers.push(server);
    const slow = connect(server.port, '127.0.0.1');
    slow.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    slow.pause();
    await new Promise((resolve) => slow.once('connect', resolve));
    const begun = performance.now();
    await expect(fetch(`http://127.0.0.1:${server.port}/`)).rejects.toThrow('fetch failed');
    // Its buffers are drained only now: what is left was never sent.
    await new Promise((resolve) => setTimeout(resolve, 600));
    slow.on('error', () => undefined);
    slow.resume();
    let taken = 0;
    slow.on('data', (chunk: Buffer) => (taken += chunk.length));
    await new Promise((resolve) => slow.once('close', resolve));
    expect(taken).toBeLessThan(50_000_000);
    expect(performance.now() - begun).toBeLessThan(10_000);
  });

  it.each([
    ['127.0.0.1:8082', true],
    ['127.9.9.9:1', true],
    ['localhost:8082', true],
    ['[::1]:8082', true],
    [':8082', false],
    ['0.0.0.0:8082', false],
    ['[::]:8082', false],
    ['127.0.0.1.example:8082', false],
    ['127.1:8082', false],
    ['192.0.2.1:8082', false],
  ])('%s is a loopback address: %s', (address, expected) => {
    expect(isLoopback(address)).toBe(expected);
  });
});
