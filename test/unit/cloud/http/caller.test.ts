import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CloudClient, CloudClientOptions, RequestEvent } from '../../../../src/cloud/client.ts';
import { createCircuit } from '../../../../src/cloud/http/circuit.ts';
import { clientOf } from '../../../support/client-of.ts';
import {
  type Answer,
  type HTTPSServer,
  makeCertificates,
  startHTTPSServer,
  type TestCertificates,
} from '../../../support/https-server.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const o = { lane: 'write' } as const;
const error = (status: number, error_code: string, headers = {}): Answer => ({
  status,
  headers,
  json: { is_fatal: true, serial: 's', status: String(status), error_code, error_msg: 'why' },
});
const done: Answer = { json: { is_ok: true, sim: {}, CommonServiceItem: { ID: '1' }, ACL: '' } };
const cut: Answer = { raw: (response) => response.socket?.destroy() };
const garbage: Answer = { raw: (response) => void response.end('{"is_ok":tr') };
const broken = error(500, 'internal');
const busy = error(503, 'busy');
const missing = error(404, 'not_found');
const refused = error(400, 'bad_request');
const conflict = error(409, 'conflict');

let certificates: TestCertificates;
let server: HTTPSServer;
let open: CloudClient[] = [];
beforeAll(async () => {
  certificates = await makeCertificates();
  server = await startHTTPSServer(certificates);
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
  return async () => {
    for (const client of open) await client.close();
    open = [];
  };
});

/** A clock whose sleeps are over at once, and that notes them. */
class HastyClock extends ManualClock {
  slept: number[] = [];
  override sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (milliseconds >= 20_000)
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    this.slept.push(milliseconds);
    return Promise.resolve();
  }
}

function client(options: Partial<CloudClientOptions> = {}): CloudClient {
  const made = clientOf(server, certificates, { clock: new HastyClock(), ...options });
  open.push(made);
  return made;
}

/** Answers in order, the last one from then on. */
function answers(...list: Answer[]): void {
  server.answer((_, index) => list[Math.min(index, list.length - 1)]!);
}

const read = (c: CloudClient) => c.sims.read('1', o);
const put = (c: CloudClient) => c.sims.activate('1', o);
const remove = (c: CloudClient) => c.sims.clearIP('1', o);
const create = (c: CloudClient) => c.sims.create({ name: 'a', iccid: '8981', passCode: 'x' }, o);
const upload = (c: CloudClient) => c.sites.putCertificate('s', { certificateChain: 'C', key: 'K' }, o);
const register = (c: CloudClient) => c.gateways.registerSim('is1b', '9', '1', o);

describe('how often a call is sent, and how it ends', () => {
  test.each<[string, (c: CloudClient) => Promise<unknown>, Answer[], number, string]>([
    ['a read after two failures', read, [broken, cut, done], 3, 'done'],
    ['a read that keeps failing', read, [broken], 3, 'Retryable'],
    ['a read cut off', read, [cut], 3, 'Retryable'],
    ['a read of garbage', read, [garbage], 1, 'UnexpectedResponse'],
    ['a read of nothing', read, [missing], 1, 'NotFound'],
    ['a put after a cut', put, [cut, done], 2, 'done'],
    ['a put after garbage', put, [garbage, done], 2, 'done'],
    ['a put that keeps being cut', put, [cut], 3, 'OutcomeUnknown'],
    ['a put that keeps failing', put, [broken], 3, 'Retryable'],
    ['a put cut, then failing', put, [cut, broken], 3, 'OutcomeUnknown'],
    ['a put cut, then refused: the first may have done it', put, [cut, refused], 2, 'OutcomeUnknown'],
    ['a put failing, then refused', put, [broken, refused], 2, 'OutcomeUnknown'],
    ['a put to a busy service, then refused', put, [busy, refused], 2, 'OutcomeUnknown'],
    ['a put refused', put, [refused], 1, 'Rejected'],
    ['a put cut, then in conflict', put, [cut, conflict], 2, 'Conflict'],
    ['a put cut, and then the resource is gone', put, [cut, missing], 2, 'NotFound'],
    ['a delete of nothing', remove, [missing], 1, 'NotFound'],
    ['a delete whose first attempt did it', remove, [cut, missing], 2, 'done'],
    ['a delete that failed and did it', remove, [broken, missing], 2, 'done'],
    ['a create cut', create, [cut, done], 1, 'OutcomeUnknown'],
    ['a create that failed', create, [broken, done], 1, 'OutcomeUnknown'],
    ['a create with garbage', create, [garbage, done], 1, 'OutcomeUnknown'],
    ['a create by a busy service', create, [busy, done], 1, 'Retryable'],
    ['a registration cut', register, [cut, done], 1, 'OutcomeUnknown'],
    ['a certificate upload cut', upload, [cut, done], 1, 'OutcomeUnknown'],
    ['a certificate upload that failed', upload, [broken, done], 1, 'OutcomeUnknown'],
    ['a keystroke cut', (c) => c.servers.pressKeys('tk1a', '5', ['a'], o), [cut, done], 1, 'OutcomeUnknown'],
    ['a conflict', put, [conflict], 1, 'Conflict'],
    ['throttling', read, [error(429, 'too_many')], 1, 'Throttled'],
  ])('%s', async (_, call, list, times, end) => {
    answers(...list);
    const outcome = await call(client()).then(
      () => 'done',
      (reason: { class?: string }) => reason.class ?? reason,
    );
    expect([outcome, server.requests.length]).toEqual([end, times]);
  });

  test('it waits longer each time, with jitter', async () => {
    for (const [random, waits] of [
      [0, [125, 250]],
      [1, [375, 750]],
    ] as const) {
      const clock = new HastyClock();
      answers(broken);
      await read(client({ clock, random: () => random })).catch(() => {});
      expect(clock.slept).toEqual(waits);
    }
  });

  test('a short Retry-After is waited out, a long one is for the caller', async () => {
    const clock = new HastyClock();
    answers(error(503, 'busy', { 'retry-after': '3' }));
    await read(client({ clock })).catch(() => {});
    expect(clock.slept).toEqual([3000, 3000]);
    server.requests.length = 0;
    answers(error(503, 'busy', { 'retry-after': '60' }));
    await expect(read(client())).rejects.toMatchObject({ retryAfterSeconds: 60 });
    expect(server.requests).toHaveLength(1);
  });

  test('Retry-After may be a date', async () => {
    const clock = new HastyClock();
    answers(error(503, 'busy', { date: '', 'retry-after': new Date(clock.now() + 90_000).toUTCString() }));
    await expect(read(client({ clock }))).rejects.toMatchObject({ retryAfterSeconds: 90 });
  });
});

describe('the fence', () => {
  test('stands before each write and each repetition, and lets reads through', async () => {
    let asked = 0;
    const fence = () => {
      if (++asked > 1) throw new Error('not the leader');
    };
    answers(cut);
    await expect(put(client({ beforeWrite: fence }))).rejects.toThrow('not the leader');
    expect([asked, server.requests.length]).toEqual([2, 1]);
    answers(done);
    await read(client({ beforeWrite: fence }));
    expect(asked).toBe(2);
  });

  test('is asked after the wait in the limiter', async () => {
    const order: string[] = [];
    const limiter: CloudClientOptions['limiter'] = {
      acquire: async () => {
        order.push('permit');
        return { sent: () => order.push('written'), release: () => order.push('release') };
      },
      throttled() {},
      overloaded() {},
    };
    answers(done);
    const c = client({ limiter, beforeWrite: () => order.push('fence'), onRequest: () => order.push('answered') });
    await put(c);
    expect(order).toEqual(['permit', 'fence', 'written', 'answered', 'release']);
  });
});

describe('what the account learns from an answer', () => {
  const throttled: [string, number | undefined][] = [];
  const limiter: CloudClientOptions['limiter'] = {
    acquire: async () => ({ sent() {}, release() {} }),
    throttled: (api, seconds) => throttled.push([api, seconds]),
    overloaded() {},
  };

  test.each<[string, Parameters<typeof answers>[0], 'surely' | 'perhaps' | 'no']>([
    ['429', error(429, 'x'), 'surely'],
    ['503 too_many_request', error(503, 'too_many_request'), 'surely'],
    ['503 of the whole service', error(503, 'service_temporarily_unavailable'), 'perhaps'],
    ['503 of whatever stands before it', { status: 503 }, 'perhaps'],
    ['503 of an object that is busy', error(503, 'busy'), 'no'],
    ['503 of an operation that took too long', error(503, 'operation_timeout'), 'no'],
    ['500', error(500, 'internal_server_error'), 'no'],
    ['409', error(409, 'conflict'), 'no'],
  ])('%s: is the service overloaded? %#', async (_, answer, isOverloaded) => {
    const clock = new HastyClock();
    const sent: number[] = [];
    const overloaded: [string, number, string][] = [];
    const listening: CloudClientOptions['limiter'] = {
      acquire: async () => ({ sent: () => sent.push(clock.monotonic()), release() {} }),
      throttled() {},
      overloaded: (...of) => overloaded.push(of),
    };
    answers(answer);
    await read(client({ clock, limiter: listening })).catch(() => {});
    expect(sent).not.toEqual([]);
    // The same again says nothing new, unless the service says what it means.
    const told = { surely: sent, perhaps: sent.slice(0, 1), no: [] }[isOverloaded];
    expect(overloaded).toEqual(told.map((at) => ['cloud', at, isOverloaded]));
  });

  test('429 and too_many_request close the lane', async () => {
    const reported: boolean[] = [];
    const c = client({ limiter, onRequest: ({ throttled: isThrottled }) => reported.push(isThrottled) });
    for (const answer of [error(429, 'x', { 'retry-after': '7' }), error(503, 'too_many_request')]) {
      answers(answer);
      await c.sims.read('1', o).catch(() => {});
      await c.sites.read('1', o).catch(() => {});
    }
    expect(throttled).toEqual([
      ['cloud', 7],
      ['webaccel', 7],
      ['cloud', undefined],
      ['webaccel', undefined],
    ]);
    expect(reported).toEqual([true, true, true, true]);
  });

  test.each([
    ['of the whole service', error(503, 'service_temporarily_unavailable', { 'retry-after': '70' }), [['cloud', 60]]],
    ['of whatever stands before it', { status: 503, headers: { 'retry-after': '7' } }, [['cloud', 7]]],
    ['without a time', error(503, 'service_temporarily_unavailable'), []],
    ['of an object that is busy', error(503, 'busy', { 'retry-after': '70' }), []],
  ])('503 %s closes the lane where it says until when, and it is not about one object', async (_, answer, closed) => {
    throttled.length = 0;
    answers(answer);
    const c = client({ clock: new HastyClock(), limiter });
    await c.sims.read('1', o).catch(() => {});
    expect(throttled).toEqual([]);
    await c.sims.status('1', o).catch(() => {});
    await c.sims.read('2', o).catch(() => {});
    expect(throttled.slice(0, 1)).toEqual(closed);
  });

  test.each([
    ['whose clock is right', 0, 30],
    ['whose clock is an hour behind', -3600, 30],
    ['whose clock is an hour ahead', 3600, 30],
    ['that was over when it came', 0, -30],
  ])('until when is read by the clock of a service %s', async (_, apart, seconds) => {
    throttled.length = 0;
    const clock = new HastyClock();
    const at = (later: number) => new Date(clock.now() + (apart + later) * 1000).toUTCString();
    answers(error(429, 'x', { date: at(0), 'retry-after': at(seconds) }));
    await read(client({ clock, limiter })).catch(() => {});
    expect(throttled).toEqual([['cloud', Math.max(0, seconds)]]);
  });

  test('401 opens the circuit; one probe a window; success closes it', async () => {
    const clock = new HastyClock();
    const circuit = createCircuit({ clock });
    const c = client({ clock, circuit });
    answers(error(401, 'unauthorized'));
    await expect(read(c)).rejects.toMatchObject({ code: 'CredentialsRejected' });
    await expect(put(c)).rejects.toMatchObject({ code: 'CircuitOpen' });
    await expect(c.sites.read('s', o)).rejects.toMatchObject({ code: 'CircuitOpen' });
    expect(server.requests).toHaveLength(1);
    await clock.advance(300_000);
    await expect(read(c)).rejects.toMatchObject({ code: 'CredentialsRejected' });
    await expect(read(c)).rejects.toMatchObject({ code: 'CircuitOpen' });
    expect(server.requests).toHaveLength(2);
    await clock.advance(300_000);
    answers(done);
    await read(c);
    await put(c);
    expect(circuit.isOpen()).toBe(false);
  });

  test('calls that wait in the limiter when the circuit opens are not sent', async () => {
    const clock = new HastyClock();
    const waiting: (() => void)[] = [];
    const slow: CloudClientOptions['limiter'] = {
      ...limiter,
      acquire: () => new Promise((resolve) => waiting.push(() => resolve({ sent() {}, release() {} }))),
    };
    const c = client({ clock, limiter: slow, circuit: createCircuit({ clock }) });
    answers(error(401, 'unauthorized'));
    const calls = [read(c), read(c), put(c)].map((call) => call.catch((reason: { code: string }) => reason.code));
    waiting[0]?.();
    await calls[0];
    for (const admit of waiting) admit();
    expect(await Promise.all(calls)).toEqual(['CredentialsRejected', 'CircuitOpen', 'CircuitOpen']);
    expect(server.requests).toHaveLength(1);
  });

  test.each<[string, (c: CloudClient) => Promise<unknown>, boolean, boolean]>([
    ['a list closes that API', (c) => c.sites.list(o), false, true],
    ['one resource closes nothing', (c) => c.sites.read('s', o), false, false],
    ['a create closes nothing: the token may read', (c) => create(c), false, false],
  ])('403 to %s', async (_, call, account, api) => {
    const clock = new HastyClock();
    const circuit = createCircuit({ clock });
    answers(error(403, 'forbidden'));
    await call(client({ clock, circuit })).catch(() => {});
    expect([circuit.isOpen(), circuit.isOpen('webaccel')]).toEqual([account, api]);
  });
});

test('each request on the wire is reported under its normal name', async () => {
  const events: RequestEvent[] = [];
  const c = client({ onRequest: (event) => events.push(event) });
  answers(cut, busy, done, done);
  await c.sims.setIP('1', '10.0.0.1', o);
  await c.gateways.config('is1b', '9', o);
  await c.sites.acl('s', o);
  expect(events).toEqual(
    [
      ['cloud', 'PUT /commonserviceitem/:id/sim/ip', 'OutcomeUnknown'],
      ['cloud', 'PUT /commonserviceitem/:id/sim/ip', '503'],
      ['cloud', 'PUT /commonserviceitem/:id/sim/ip', '200'],
      ['cloud', 'PUT /appliance/:id/config', '200'],
      ['webaccel', 'GET /site/:id/acl', '200'],
    ].map(([api, route, code]) => ({ api, route, code, throttled: false, seconds: 0 })),
  );
});

test('no secret shows up in any error', async () => {
  const key = '-----BEGIN PRIVATE KEY-----hunter2';
  const c = client();
  for (const answer of [
    garbage,
    cut,
    { ...refused, json: { error_code: 'bad_request', error_msg: `bad key ${key}` } },
  ]) {
    answers(answer);
    const reason: unknown = await c.sites
      .postCertificate('s', { certificateChain: 'C', key }, o)
      .catch((caught: unknown) => caught);
    const shown = JSON.stringify(reason, Object.getOwnPropertyNames(reason)) + String(reason);
    for (const secret of ['hunter2', 'token-secret', 'Basic ']) expect(shown).not.toContain(secret);
  }
});
