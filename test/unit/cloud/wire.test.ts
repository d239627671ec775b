import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import type { CloudClient, CloudClientOptions } from '../../../src/cloud/client.ts';
import { CredentialsRejectedError } from '../../../src/cloud/errors.ts';
import { createCircuit } from '../../../src/cloud/http/circuit.ts';
import { createLimiter } from '../../../src/cloud/limiter/limiter.ts';
import { clientOf, generousLimits } from '../../support/client-of.ts';
import {
  type HTTPSServer,
  makeCertificates,
  startHTTPSServer,
  type TestCertificates,
} from '../../support/https-server.ts';

const o = { lane: 'write' } as const;

let certificates: TestCertificates;
let server: HTTPSServer;
let gate: SlowGate;
let open: CloudClient[] = [];
beforeAll(async () => {
  certificates = await makeCertificates();
  server = await startHTTPSServer(certificates);
  gate = await startSlowGate(server.port);
});
afterAll(async () => {
  await gate.close();
  await server.close();
});
beforeEach(() => {
  server.requests.length = 0;
  server.answer({ json: { is_ok: true, CommonServiceItem: { ID: '1' }, Site: { ID: 's' } } });
  return async () => {
    for (const client of open) await client.close();
    open = [];
  };
});

/** A way to the server on which connections are held until they are let through. */
interface SlowGate {
  readonly baseURL: string;
  /** Resolves when a connection waits. */
  waits(): Promise<void>;
  letThrough(): void;
  close(): Promise<void>;
}

async function startSlowGate(port: number): Promise<SlowGate> {
  let held: (() => void)[] = [];
  let arrived = (): void => {};
  const sockets = new Set<Socket>();
  const tcp: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    held.push(() => {
      const onward = connect(port, 'localhost');
      sockets.add(onward);
      onward.on('error', () => socket.destroy());
      socket.pipe(onward).pipe(socket);
    });
    arrived();
  });
  await new Promise<void>((resolve) => tcp.listen(0, 'localhost', resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server's address is never a pipe's name
  const { port: own } = tcp.address() as AddressInfo;
  return {
    baseURL: `https://localhost:${own}`,
    waits: () =>
      new Promise((resolve) => {
        if (held.length > 0) resolve();
        else arrived = resolve;
      }),
    letThrough() {
      for (const pass of held) pass();
      held = [];
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        tcp.close(() => resolve());
      }),
  };
}

function client(options: Partial<CloudClientOptions> = {}): CloudClient {
  const made = clientOf(gate, certificates, options);
  open.push(made);
  return made;
}

const create = (c: CloudClient, options = {}) =>
  c.sims.create({ name: 'a', iccid: '8981', passCode: 'x' }, { ...o, ...options });

/** What a call ends with that waits for its connection while `meanwhile` happens. */
async function whileConnecting(call: Promise<unknown>, meanwhile: () => void): Promise<unknown> {
  const end = call.catch((error: unknown) => error);
  await gate.waits();
  meanwhile();
  gate.letThrough();
  return end;
}

describe('while the connection is opened', () => {
  test.each([
    ['create', (c: CloudClient) => create(c)],
    ['write', (c: CloudClient) => c.sims.activate('1', o)],
  ])('a lost leadership stops a %s, and the error is its own: nothing was sent', async (_, call) => {
    let isLeader = true;
    const lost = new Error('not the leader');
    const reported: string[] = [];
    const c = client({
      beforeWrite() {
        if (!isLeader) throw lost;
      },
      onRequest: ({ code }) => reported.push(code),
    });
    expect(await whileConnecting(call(c), () => (isLeader = false))).toBe(lost);
    expect([server.requests, reported]).toEqual([[], []]);
    isLeader = true;
    await c.sims.activate('1', o);
    expect(server.requests).toHaveLength(1);
  });

  test('a decision that no longer holds stops a write', async () => {
    let holds = true;
    const guard = () => {
      if (!holds) throw new Error('the spec has changed');
    };
    const end = await whileConnecting(create(client(), { guard }), () => (holds = false));
    expect([end, server.requests]).toEqual([new Error('the spec has changed'), []]);
  });

  test('a pause of the account stops a read too, and what comes next does not even wait', async () => {
    let isPaused = false;
    const paused = new Error('the account was paused');
    const c = client({
      mayLeave() {
        if (isPaused) throw paused;
      },
    });
    expect(await whileConnecting(c.sims.read('1', { lane: 'list' }), () => (isPaused = true))).toBe(paused);
    await expect(c.sims.activate('1', o)).rejects.toBe(paused);
    expect(server.requests).toEqual([]);
  });

  test('a refusal of the token stops whatever waits', async () => {
    const circuit = createCircuit({ clock: systemClock });
    const refused = new CredentialsRejectedError('401', '', { route: 'GET /site' });
    const end = await whileConnecting(client({ circuit }).sims.read('1', { lane: 'list' }), () =>
      circuit.open(refused),
    );
    expect(end).toMatchObject({ code: 'CircuitOpen' });
    expect(server.requests).toEqual([]);
  });

  test('a signal stops a create, and nothing is unclear', async () => {
    const stop = new AbortController();
    const reason = new Error('stopping');
    const end = await whileConnecting(create(client(), { signal: stop.signal }), () => stop.abort(reason));
    expect(end).toBe(reason);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(server.requests).toEqual([]);
  });

  test('the time of a request may pass: then a create can be repeated', async () => {
    const end = await whileConnecting(create(client({ requestTimeoutSeconds: 0.05 })), () => {}).then(async () =>
      create(client({ requestTimeoutSeconds: 0.05 })).catch((error: unknown) => error),
    );
    expect(end).toMatchObject({
      class: 'Retryable',
      message: 'POST /commonserviceitem: it could not be sent within 0.05 s',
    });
    gate.letThrough();
  });

  test('the answer is no older than the moment of writing, and not as old as the wait', async () => {
    const said: string[] = [];
    const call = client().sims.read('1', { lane: 'list', onSent: () => said.push('written') });
    await whileConnecting(call, () => said.push('connecting'));
    expect(said).toEqual(['connecting', 'written']);
  });
});

test('web acceleration requests keep their distance from when they are written, however slow the first connection is', async () => {
  const limiter = createLimiter({
    clock: systemClock,
    limits: { ...generousLimits, webAccelSpacingMilliseconds: 60 },
  });
  const c = client({ limiter });
  const written: number[] = [];
  const options = { lane: 'list', onSent: () => written.push(systemClock.monotonic()) } as const;
  const calls = Array.from({ length: 5 }, () => c.sites.read('s', options));
  await gate.waits();
  await new Promise((resolve) => setTimeout(resolve, 200));
  const end = Promise.all(calls);
  const letting = setInterval(() => gate.letThrough(), 5);
  await end;
  clearInterval(letting);
  const gaps = written.slice(1).map((time, index) => time - (written[index] ?? 0));
  expect(gaps).toHaveLength(4);
  // The limiter's own clock was read a moment before, and a busy machine makes that moment long; together they would have no gap.
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(30);
  expect(gaps.reduce((sum, gap) => sum + gap, 0)).toBeGreaterThanOrEqual(210);
});
