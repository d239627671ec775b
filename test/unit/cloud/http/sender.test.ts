import { expect, test } from 'vitest';
import { createAuthenticator } from '../../../../src/cloud/http/authenticator.ts';
import { createBlame } from '../../../../src/cloud/http/blame.ts';
import { createBreaker } from '../../../../src/cloud/http/breaker.ts';
import { createSender } from '../../../../src/cloud/http/sender.ts';
import type { Transport, WireAnswer } from '../../../../src/cloud/http/transport.ts';
import type { CallOptions } from '../../../../src/cloud/limiter/lanes.ts';
import { createLimiter } from '../../../../src/cloud/limiter/limiter.ts';
import { ManualClock, settle } from '../../../support/manual-clock.ts';
import { partial } from '../../../support/partial.ts';

const bound = { bytes: 1000, values: 1000 };
const request = { method: 'GET', target: '/x', headers: {}, body: undefined } as const;

function answer(status: number, retryAfterSeconds?: number): WireAnswer {
  return { status, contentType: '', challenges: [], retryAfterSeconds, body: Buffer.from('{}') };
}

/** A service to which connections stand when the test says so, and what went over them when. */
function service(cloudRequestsPerSecond = 10) {
  const clock = new ManualClock();
  const limiter = createLimiter({ clock, limits: { webAccelRequestsPerHour: 500, cloudRequestsPerSecond } });
  const connecting: { name: string; write: () => void; answer: (of: WireAnswer) => void }[] = [];
  const written: string[] = [];
  const exchange: Transport['exchange'] = ({ name }, _, { onWire }) =>
    new Promise((resolve, reject) => {
      const write = () => {
        try {
          onWire();
          written.push(`${name} at ${Math.round(clock.monotonic() / 1000)} s`);
        } catch (reason) {
          reject(reason instanceof Error ? reason : new Error('not an error'));
        }
      };
      connecting.push({ name, write, answer: resolve });
    });
  const sender = createSender({
    transport: partial<Transport>({ exchange }),
    authenticator: createAuthenticator('Basic', { accessToken: 'a', accessTokenSecret: 'b' }, () => 'nonce'),
    limiter,
    clock,
    circuit: undefined,
    breaker: createBreaker(clock),
    blame: createBlame(clock),
    beforeWrite: undefined,
    mayLeave: undefined,
    onRequest: undefined,
  });
  const ended: string[] = [];
  function send(name: string, options: Partial<CallOptions> = {}, route = 'GET /x'): void {
    const site = { route, name, ofResource: route.includes(':id'), write: false, idempotent: true, secrets: [] };
    sender.send(site, 'cloud', request, { lane: 'list', bound, ...options }).then(
      ({ status }) => ended.push(`${name}: ${status}`),
      (error: unknown) => ended.push(`${name}: ${error instanceof Error ? error.message : 'no error'}`),
    );
  }
  return { clock, limiter, connecting, written, ended, send };
}

test('what was let go and is not written yet waits for its turn again when the service wants nothing', async () => {
  const { clock, limiter, connecting, written, ended, send } = service();
  for (const name of ['a', 'b', 'c']) send(name);
  await settle();
  connecting[0]?.write();
  connecting[0]?.answer(answer(200));
  limiter.throttled('cloud', 30);
  await clock.advance(8000);
  // The connections of the others stand only now.
  for (const one of connecting.splice(0).slice(1)) one.write();
  await settle();
  expect([written, ended, limiter.waiting().cloud.list]).toEqual([['a at 0 s'], ['a: 200'], 2]);
  await clock.advance(22_000);
  for (const one of connecting) {
    one.write();
    one.answer(answer(200));
  }
  await settle();
  expect([written, ended]).toEqual([
    ['a at 0 s', 'b at 30 s', 'c at 30 s'],
    ['a: 200', 'b: 200', 'c: 200'],
  ]);
});

test('what waits for its turn is called off when what led to it is no longer so, and not when it may be', async () => {
  const { limiter, ended, send } = service();
  limiter.throttled('cloud', 60);
  const listeners = new Set<() => void>();
  let isWanted = true;
  send('a', {
    onDoubt(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    guard() {
      if (!isWanted) throw new Error('the resource was deleted');
    },
  });
  send('b', { guard: () => expect.unreachable() });
  await settle();
  for (const listener of listeners) listener();
  await settle();
  expect([ended, limiter.waiting().cloud.list]).toEqual([[], 2]);
  isWanted = false;
  for (const listener of listeners) listener();
  await settle();
  expect([ended, limiter.waiting().cloud.list, listeners.size]).toEqual([['a: the resource was deleted'], 1, 0]);
});

test('one operation that answers 503 with the time to come back holds up nothing else; all operations do', async () => {
  const { clock, limiter, connecting, send } = service(1000);
  const answered = async (name: string, route: string, status: number) => {
    send(name, {}, route);
    await clock.advance(10_000);
    const one = connecting.shift();
    one?.write();
    one?.answer(answer(status, 30));
    await settle();
    return limiter.closedUntil('cloud') !== undefined;
  };
  const broken = [];
  for (let times = 0; times < 5; times++) {
    broken.push(await answered('a', 'PUT /x/:id', 503), await answered('b', 'GET /x/:id', 404));
  }
  expect(broken).toEqual(broken.map(() => false));
  expect([await answered('a', 'PUT /x/:id', 503), await answered('a', 'PUT /x/:id', 503)]).toEqual([false, false]);
  expect(await answered('c', 'GET /x', 503)).toBe(true);
});

test('a list goes at the cost of who waits for it, and what becomes of it is nobody’s in particular', async () => {
  const clock = new ManualClock();
  const told: string[] = [];
  const answers = [answer(200), answer(503)];
  const permit = { sent() {}, release() {} };
  const sender = createSender({
    transport: partial<Transport>({
      async exchange(_site: object, _request: object, { onWire }: { onWire: () => void }) {
        onWire();
        return answers.shift();
      },
    }),
    authenticator: createAuthenticator('Basic', { accessToken: 'a', accessTokenSecret: 'b' }, () => 'nonce'),
    limiter: {
      async acquire(_api, lane, _signal, _turn, party) {
        told.push(`${lane} at the cost of ${party}`);
        return permit;
      },
      throttled() {},
      overloaded() {},
    },
    clock,
    circuit: undefined,
    breaker: createBreaker(clock),
    blame: {
      tells: () => true,
      answered: (_api, name, party) => void told.push(`${name} of ${party} answered`),
      refused(name, party) {
        told.push(`${name} of ${party} refused`);
        return 'service';
      },
      unavailable: () => false,
    },
    beforeWrite: undefined,
    mayLeave: undefined,
    onRequest: undefined,
  });
  const site = { route: 'GET /x', name: 'GET /x', ofResource: false, write: false, idempotent: true, secrets: [] };
  for (let times = 0; times < 2; times++)
    await sender.send(site, 'webaccel', request, { lane: 'list', payer: 'a', bound });
  expect(told).toEqual([
    'list at the cost of a',
    'GET /x of undefined answered',
    'list at the cost of a',
    'GET /x of undefined refused',
  ]);
});

test('what was changed while nobody waited is heard as soon as somebody does', async () => {
  const { limiter, ended, send } = service();
  limiter.throttled('cloud', 30);
  const guard = () => {
    throw new Error('the spec was changed');
  };
  send('a', { guard, onDoubt: () => () => undefined });
  await settle();
  expect([ended, limiter.waiting().cloud.list]).toEqual([['a: the spec was changed'], 0]);
});
