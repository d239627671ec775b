import { expect, test } from 'vitest';
import { RejectedError } from '../../../../src/cloud/errors.ts';
import type { CallOptions } from '../../../../src/cloud/limiter/lanes.ts';
import { cloudListsOf } from '../../../support/cloud-lists.ts';
import { ManualClock, settle } from '../../../support/manual-clock.ts';

const none = new RejectedError('no such zone', 'Take another.', { route: 'GET /appliance', status: 404 });
const broken = new RejectedError('no', 'Wait.', { route: 'GET /appliance', status: 400 });

/** The lists of an account at a service that has these zones; a request takes a second. */
function play(zones: (zone: string) => boolean = () => false) {
  const clock = new ManualClock();
  const requests: string[] = [];
  const health: boolean[] = [];
  let underWay = 0;
  let most = 0;
  const service = { failing: undefined as Error | undefined };
  async function list(zone: string, _: unknown, { party = 'the account', signal }: CallOptions) {
    requests.push(`${zone} for ${party}`);
    most = Math.max(most, ++underWay);
    try {
      await clock.sleep(1000, signal);
    } finally {
      underWay--;
    }
    if (service.failing) throw service.failing;
    if (!zones(zone)) throw none;
    return { from: 0, count: 0, total: 0, items: [] };
  }
  const lists = cloudListsOf(clock, { gateways: { list } }, { onHealth: (healthy) => health.push(healthy) });
  return {
    clock,
    service,
    lists,
    health,
    requests: () => requests.splice(0),
    mostUnderWay: () => most,
    ask(zone: string, party?: string, signal?: AbortSignal): Promise<string> {
      const asked = lists.gateways(zone).observeAfter(clock.monotonic() - 1, signal, undefined, party);
      return asked.then(
        () => 'listed',
        (error: unknown) => (error === none ? 'none' : String(error)),
      );
    },
    polled: () => lists.polled().flatMap(({ zone }) => zone ?? []),
  };
}

test('of zones that are made up nothing is kept, one is asked for at a time, once, and at the cost of who asks', async () => {
  const on = play();
  const zones = Array.from({ length: 300 }, (_, index) => `zz${index}`);
  const asked = zones.map((zone) => on.ask(zone, 'evil'));
  await on.clock.advance(3_600_000);
  expect(new Set(await Promise.all(asked))).toEqual(new Set(['none']));
  expect(on.requests()).toEqual(zones.map((zone) => `${zone} for evil`));
  expect([on.mostUnderWay(), on.polled(), on.health, on.clock.sleeping]).toEqual([1, [], [], 0]);
});

test('looking at what is known of a zone asks for nothing', async () => {
  const on = play();
  const list = on.lists.gateways('zz1');
  expect([list.snapshot(), list.hasShown('1')]).toEqual([undefined, false]);
  await on.clock.advance(600_000);
  expect(on.requests()).toEqual([]);
});

test('a zone that was refused is not asked for again within a minute, by nobody', async () => {
  const on = play();
  const first = [on.ask('zz1', 'one'), on.ask('zz1', 'one')];
  await on.clock.advance(1000);
  expect(await Promise.all(first)).toEqual(['none', 'none']);
  await on.clock.advance(59_000);
  expect([await on.ask('zz1', 'one'), await on.ask('zz1', 'another')]).toEqual(['none', 'none']);
  expect(on.requests()).toEqual(['zz1 for one']);
  await on.clock.advance(1000);
  void on.ask('zz1', 'another');
  await settle();
  expect(on.requests()).toEqual(['zz1 for another']);
});

test('who asks while a zone is asked for that is none has the same answer', async () => {
  const on = play();
  const first = on.ask('zz1', 'one');
  await on.clock.advance(600);
  const second = on.ask('zz1', 'one');
  await on.clock.advance(400);
  expect([await first, await second]).toEqual(['none', 'none']);
  await on.clock.advance(60_000);
  expect(on.requests()).toEqual(['zz1 for one']);
});

test('nobody waits for the zones of another', async () => {
  const on = play((zone) => zone === 'tk9a');
  for (let index = 0; index < 100; index++) void on.ask(`zz${index}`, 'evil');
  const found = on.ask('tk9a', 'good');
  await on.clock.advance(1000);
  expect(await found).toBe('listed');
  expect(on.requests()).toEqual(['zz0 for evil', 'tk9a for good', 'zz1 for evil']);
});

test('a zone that turns out to exist is polled from then on, by the account', async () => {
  const on = play((zone) => zone === 'tk9a');
  const found = [on.ask('tk9a', 'one'), on.ask('tk9a', 'another')];
  await on.clock.advance(1000);
  expect(await Promise.all(found)).toEqual(['listed', 'listed']);
  expect([on.polled(), on.lists.isZone('tk9a'), on.lists.isZone('zz1')]).toEqual([['tk9a'], true, false]);
  expect(on.lists.gateways('tk9a').snapshot()?.complete).toBe(true);
  await on.clock.advance(60_000);
  expect(on.requests()).toEqual(['tk9a for one', 'tk9a for another', 'tk9a for the account']);
});

test('a zone that is known to exist is polled from the first look on, by the account', async () => {
  const on = play(() => true);
  expect(on.lists.gateways('is1a').snapshot()).toBeUndefined();
  await on.clock.advance(61_000);
  expect(on.requests()).toEqual(['is1a for the account', 'is1a for the account']);
  expect([on.polled(), on.lists.isZone('is1b')]).toEqual([['is1a'], true]);
});

test('where the list of a zone that nobody knows fails otherwise, it is asked for again, and tells nothing of the account', async () => {
  const on = play((zone) => zone === 'tk9a');
  on.service.failing = broken;
  const failed = on.ask('tk9a', 'one');
  await on.clock.advance(1000);
  expect(await failed).toContain('no');
  on.service.failing = undefined;
  const found = on.ask('tk9a', 'one');
  await on.clock.advance(1000);
  expect(await found).toBe('listed');
  expect([on.requests(), on.health]).toEqual([['tk9a for one', 'tk9a for one'], []]);
});

test('a service that answers for any zone has no more than fifty polled', async () => {
  const on = play(() => true);
  const ends: string[] = [];
  for (let index = 0; index < 60; index++) {
    const asked = on.ask(`zz${index}`, 'evil');
    await on.clock.advance(1000);
    ends.push(await asked);
  }
  expect([ends.filter((end) => end === 'listed').length, on.polled().length]).toEqual([50, 50]);
});

test('who no longer wants to wait leaves, and all are let go when the lists are', async () => {
  const on = play();
  const leaving = new AbortController();
  const first = on.ask('zz1', 'one');
  const second = on.ask('zz2', 'one', leaving.signal);
  const third = on.ask('zz3', 'one');
  leaving.abort(new Error('changed'));
  expect(await second).toContain('changed');
  on.lists.stop();
  expect(await Promise.all([first, third])).toEqual([
    expect.stringContaining('not watched any more'),
    expect.stringContaining('not watched any more'),
  ]);
  expect(on.requests()).toEqual(['zz1 for one']);
});

test('whoever stands in line and leaves, or whose zone is refused meanwhile, holds up nobody behind', async () => {
  const on = play();
  const leaving = new AbortController();
  const others = on.ask('zz3', 'another');
  const first = on.ask('zz1', 'one');
  const left = on.ask('zz2', 'one', leaving.signal);
  const known = on.ask('zz3', 'one');
  const last = on.ask('zz4', 'one');
  leaving.abort(new Error('changed'));
  await on.clock.advance(2000);
  expect(await Promise.all([first, left, known, last, others])).toEqual([
    'none',
    'Error: changed',
    'none',
    'none',
    'none',
  ]);
  expect(on.requests()).toEqual(['zz3 for another', 'zz1 for one', 'zz4 for one']);
});

test('whoever was called off already, or is as the turn comes, leaves no zone that is asked for without an end', async () => {
  const on = play();
  const gone = AbortSignal.abort(new Error('changed'));
  expect(await on.ask('zz1', 'one', gone)).toBe('Error: changed');
  const leaving = new AbortController();
  const first = on.ask('zz2', 'one').then((outcome) => {
    leaving.abort(new Error('changed'));
    return outcome;
  });
  const second = on.ask('zz3', 'one', leaving.signal);
  const last = on.ask('zz4', 'one');
  await on.clock.advance(10_000);
  expect(await Promise.all([first, second, last])).toEqual(['none', 'Error: changed', 'none']);
});
