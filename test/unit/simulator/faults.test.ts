import { describe, expect, it } from 'vitest';
import { fleet, refusal, truckID, useService } from './service.ts';

const service = useService({ seed: fleet });
const truck = `/commonserviceitem/${truckID}`;
const activate = 'PUT /commonserviceitem/:id/sim/activate';
const deactivate = 'PUT /commonserviceitem/:id/sim/deactivate';
const press = () => service.call('PUT', `${truck}/sim/deactivate`);
const activated = async () => (await service.control.state()).sims[truckID]?.['activated'];
const outcome = (call: Promise<{ status: number }>) => call.then(({ status }) => status).catch(() => 'no answer');

describe('a fault', () => {
  it.each([
    ['before', true],
    ['after', false],
  ] as const)('answers its code %s the change', async (when, stillActivated) => {
    await service.control.fault({ route: deactivate, code: 503, retryAfter: 7, when });
    const answer = await press();
    expect([refusal(answer), answer.body['is_fatal'], answer.headers['retry-after'], await activated()]).toEqual([
      '503 service_temporarily_unavailable: a fault that was asked for',
      true,
      '7',
      stillActivated,
    ]);
  });

  it.each([
    ['before', true],
    ['after', false],
  ] as const)('cuts the connection %s the change', async (when, stillActivated) => {
    await service.control.fault({ route: deactivate, cut: true, when });
    expect([await outcome(press()), await activated()]).toEqual(['no answer', stillActivated]);
    expect((await service.control.counts()).byStatus).toEqual({ '0': 1 });
  });

  it('answers JSON that breaks off', async () => {
    await service.control.fault({ route: deactivate, garbage: true, when: 'after' });
    const answer = await press();
    expect([answer.status, answer.headers['content-type'], await activated()]).toEqual([
      200,
      'application/json; charset=utf-8',
      false,
    ]);
    expect(() => JSON.parse(answer.text)).toThrow(SyntaxError);
  });

  it('waits before it lets the request go on', async () => {
    await service.control.fault({ route: deactivate, latencyMs: 2000 });
    let done = false;
    const pressed = press().then(() => (done = true));
    while (service.clock.sleeping === 0) await new Promise((resolve) => setImmediate(resolve));
    await service.clock.advance(1999);
    const before = done;
    await service.clock.advance(1);
    await pressed;
    expect([before, done]).toEqual([false, true]);
  });

  it('never answers when told to stall', async () => {
    await service.control.fault({ route: deactivate, stall: true });
    const abandoned = fetchOnce('/sim/deactivate');
    await expect(abandoned).rejects.toThrow('aborted due to timeout');
    expect(await activated()).toBe(true);
  });

  it('passes the first requests, meets so many, and is over', async () => {
    await service.control.fault({ route: '*', code: 500, skip: 1, count: 2 });
    const statuses = [];
    for (let request = 0; request < 4; request++) statuses.push((await press()).status);
    expect(statuses).toEqual([200, 500, 500, 200]);
    expect(await service.control.faults()).toEqual([expect.objectContaining({ matched: 4, fired: 2 })]);
  });

  it.each([
    [0.4, 200],
    [0.6, 423],
  ])('with a rate of %d meets what the random number (0.5) says', async (rate, status) => {
    await service.control.fault({ code: 423, rate });
    expect((await press()).status).toBe(status);
  });

  it.each([
    [deactivate, 500],
    ['PUT *', 500],
    ['* /commonserviceitem/:id/sim/*', 500],
    [activate, 200],
    ['PUT webaccel/site/:id', 200],
  ])('on the route %s', async (route, status) => {
    await service.control.fault({ route, code: 500 });
    expect((await press()).status).toBe(status);
  });

  it('can be removed', async () => {
    const { id } = await service.control.fault({ code: 500 });
    await service.control.fault({ code: 503 });
    await service.control.removeFault(id);
    const second = (await press()).status;
    await service.control.clearFaults();
    expect([second, (await press()).status]).toEqual([503, 200]);
  });

  it('is not met by a request that is not let in', async () => {
    await service.control.fault({ code: 500, count: 1 });
    expect((await service.call('GET', truck, undefined, { as: ['x', 'y'] })).status).toBe(401);
    expect(await service.control.faults()).toEqual([expect.objectContaining({ matched: 0 })]);
  });

  it.each([
    [{ route: 'GET /nothing' }, 'POST /faults: route: it fits no operation; GET / lists them'],
    [{ code: 200 }, 'POST /faults: code: write 400 to 599'],
    [{ when: 'during' }, 'POST /faults: when: write before or after'],
    [{ sometimes: true }, 'POST /faults: the top level: no such member: sometimes'],
  ])('%j is refused', async (fault, message) => {
    await expect(service.control.fault(JSON.parse(JSON.stringify(fault)))).rejects.toThrow(message);
  });

  function fetchOnce(word: string): Promise<unknown> {
    return service.call('PUT', `${truck}${word}`, undefined, { signal: AbortSignal.timeout(200) });
  }
});

describe('a held request', () => {
  const hold = (when: 'before' | 'after') => service.control.fault({ route: deactivate, hold: true, count: 1, when });

  it.each([
    ['before', true],
    ['after', false],
  ] as const)('%s its change waits until it is released', async (when, stillActivated) => {
    await hold(when);
    const pressed = press();
    const held = await service.control.holds(10_000);
    expect(held).toEqual([
      {
        id: expect.any(String),
        faultID: expect.any(String),
        route: deactivate,
        method: 'PUT',
        path: `/cloud/zone/is1a/api/cloud/1.1${truck}/sim/deactivate`,
        account: 'default',
        when,
      },
    ]);
    expect(await activated()).toBe(stillActivated);
    await service.control.release(held[0]?.id ?? '');
    expect([(await pressed).status, await activated(), await service.control.holds()]).toEqual([200, false, []]);
  });

  it('makes its change even when its client has gone', async () => {
    await hold('before');
    const pressed = service.call('PUT', `${truck}/sim/deactivate`, undefined, { signal: AbortSignal.timeout(200) });
    const [held] = await service.control.holds(10_000);
    await expect(pressed).rejects.toThrow('aborted due to timeout');
    await service.control.release(held?.id ?? '');
    await expect.poll(activated).toBe(false);
  });

  it('does not make it when it is dropped', async () => {
    await hold('before');
    const pressed = outcome(press());
    const [held] = await service.control.holds(10_000);
    await service.control.drop(held?.id ?? '');
    expect([await pressed, await activated()]).toEqual(['no answer', true]);
  });

  it('is awaited no longer than asked', async () => {
    expect(await service.control.holds(20)).toEqual([]);
  });

  it('is dropped by a reset', async () => {
    await hold('before');
    const pressed = outcome(press());
    await service.control.holds(10_000);
    await service.control.reset();
    expect(await pressed).toBe('no answer');
  });
});
