import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Lane, type Turn, type Urgency, urgencies } from '../../../../src/cloud/limiter/lanes.ts';
import { createLimiter } from '../../../../src/cloud/limiter/limiter.ts';
import { createListInformer } from '../../../../src/cloud/list/informer.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

/** Passes of one account that may be under way at a time with one priority. */
const UNDER_WAY = 32;

function accountOf(cloudRequestsPerSecond: number) {
  const clock = new ManualClock();
  const limiter = createLimiter({ clock, limits: { webAccelRequestsPerHour: 500, cloudRequestsPerSecond } });
  const granted: string[] = [];
  async function ask(name: string, lane: Lane, turn?: Turn, party?: string): Promise<void> {
    const permit = await limiter.acquire('cloud', lane, undefined, turn, party);
    granted.push(name);
    permit.release();
  }
  return { clock, limiter, granted, ask };
}

test('what is taken out of service goes before what is changed, and that before what is made', async () => {
  const { clock, granted, ask } = accountOf(1);
  void ask('first', 'write');
  for (const urgency of urgencies.toReversed()) {
    for (const lane of ['verify', 'write'] as const) void ask(`${urgency} ${lane}`, lane, { urgency, began: 1 });
  }
  for (const lane of ['usage', 'audit', 'list', 'upload'] as const) void ask(lane, lane);
  await clock.advance(60_000);
  expect(granted).toEqual([
    'first',
    'upload',
    'urgent write',
    'urgent verify',
    'change write',
    'change verify',
    'creation write',
    'creation verify',
    'list',
    'usage',
    'audit',
  ]);
});

test('who had no more than others goes first, whatever it is for, and who had as much takes turns with them', async () => {
  const { clock, granted, ask } = accountOf(1);
  for (let index = 1; index <= 8; index++) void ask(`a${index}`, 'write', { urgency: 'change', began: index }, 'a');
  await clock.advance(3500);
  for (let index = 1; index <= 6; index++) void ask(`b${index}`, 'write', { urgency: 'creation', began: index }, 'b');
  await clock.advance(20_000);
  expect(granted.join(' ')).toBe('a1 a2 a3 a4 b1 b2 b3 b4 a5 b5 a6 b6 a7 a8');
});

test('what an account asks for itself has the part that it had, whoever waits', async () => {
  const { clock, granted, ask } = accountOf(1);
  void ask('first', 'write', undefined, 'a');
  for (let index = 0; index < 30; index++) {
    for (const party of ['a', 'b']) void ask(party, 'write', { urgency: 'change', began: index }, party);
  }
  for (let index = 0; index < 3; index++) void ask('list', 'list');
  await clock.advance(30_000);
  expect(granted.flatMap((name, index) => (name === 'list' ? index : []))).toEqual([9, 19, 29]);
});

test('a list that is waited for goes, however much the namespaces of an account have to make', async () => {
  const { clock, limiter } = accountOf(1);
  const granted: string[] = [];
  const ask = async (name: string, lane: Lane, party?: string) => {
    const permit = await limiter.acquire('webaccel', lane, undefined, { urgency: 'creation', began: 1 }, party);
    permit.sent();
    granted.push(name);
    permit.release();
  };
  for (let index = 0; index < 100; index++) for (const party of ['a', 'b']) void ask(party, 'write', party);
  await clock.advance(5000);
  void ask('list', 'verify');
  for (let index = 0; index < 30; index++) void ask('upload', 'upload', 'a');
  await clock.advance(20_000);
  // Certificates of who has had more than others leave every second turn to these.
  expect(granted.lastIndexOf('upload') - granted.indexOf('upload')).toBeLessThanOrEqual(62);
  expect(granted.indexOf('list') - granted.indexOf('upload')).toBeLessThan(50);
});

/** An account's web acceleration, whose namespace `evil` always has more to do. */
function busyAccount(webAccelRequestsPerHour = 500) {
  const clock = new ManualClock();
  const limiter = createLimiter({ clock, limits: { webAccelRequestsPerHour, cloudRequestsPerSecond: 10 } });
  const granted = new Map<string, number>();
  const countOf = (name: string) => granted.get(name) ?? 0;
  async function ask(name: string, lane: Lane, turn?: Turn, party?: string): Promise<void> {
    const permit = await limiter.acquire('webaccel', lane, undefined, turn, party);
    permit.sent();
    granted.set(name, countOf(name) + 1);
    await clock.sleep(50);
    permit.release();
  }
  let began = 0;
  /** Certificates that are rotated again and again: a look, then the upload. */
  async function rotate(): Promise<never> {
    for (;;) {
      const turn = { urgency: 'change', began: began++ } as const;
      await ask('look of evil', 'verify', turn, 'evil');
      await ask('upload of evil', 'upload', turn, 'evil');
    }
  }
  async function change(party: string, urgency: Urgency): Promise<never> {
    for (;;) await ask(party, 'write', { urgency, began: began++ }, party);
  }
  async function run(hours: number): Promise<void> {
    for (let seconds = 0; seconds < hours * 3600; seconds += 5) await clock.advance(5000);
  }
  return { clock, limiter, ask, rotate, change, run, countOf };
}

const creation = { urgency: 'creation', began: 0 } as const;

test.each<{ of: string; lane: Lane; turn?: Turn; party?: string }>([
  { of: 'the list that others wait for', lane: 'verify', turn: creation },
  { of: 'the poll of sites', lane: 'list' },
  { of: 'the look at what others have that is new', lane: 'list', turn: creation, party: 'victim' },
  { of: 'what others make', lane: 'write', turn: creation, party: 'victim' },
])(
  'a namespace that fills hour after hour with certificates leaves $of its turn',
  async ({ of, lane, turn, party }) => {
    const { ask, rotate, run, countOf } = busyAccount();
    for (let certificate = 0; certificate < 4; certificate++) void rotate();
    await run(1);
    void ask(of, lane, turn, party);
    await run(0.5);
    expect(countOf(of)).toBe(1);
  },
);

test('uploads without end leave others their turns', async () => {
  const { ask, change, run, countOf } = busyAccount();
  const upload = async () => {
    for (;;) await ask('upload', 'upload', undefined, 'evil');
  };
  for (let index = 0; index < 4; index++) void upload();
  void change('victim', 'creation');
  await run(5);
  expect(countOf('victim') / countOf('upload')).toBeGreaterThan(0.8);
});

test.each<[Lane, string][]>([
  [
    ['upload', 'c'],
    ['write', 'c'],
    ['write', 'b'],
  ],
  [
    ['write', 'c'],
    ['list', 'c'],
    ['list', 'b'],
  ],
])('what a namespace does without end does not keep it from all else for good: %j, %j, %j', async (...streams) => {
  const { ask, run, countOf } = busyAccount();
  const go = async (lane: Lane, party: string) => {
    for (;;) await ask(`${lane} ${party}`, lane, undefined, party);
  };
  for (const [lane, party] of streams) void go(lane, party);
  await run(5);
  expect(streams.map(([lane, party]) => countOf(`${lane} ${party}`)).filter((count) => count < 10)).toEqual([]);
});

test('the poll of sites goes while namespaces read without end', async () => {
  const { ask, run, countOf } = busyAccount();
  const look = async (party: string) => {
    for (;;) await ask('look', 'list', creation, party);
  };
  for (const party of ['a', 'b', 'a', 'b']) void look(party);
  await run(1);
  void ask('poll', 'list');
  await run(0.1);
  expect(countOf('poll')).toBe(1);
});

test('writes that are given up buy no read what is kept for writes', async () => {
  const { clock, limiter, ask, run, countOf } = busyAccount(100);
  for (let index = 0; index < 200; index++) void ask('look', 'list', creation, 'a');
  await run(0.1);
  for (let index = 0; index < 500; index++) {
    void limiter.acquire('webaccel', 'write', undefined, undefined, 'b').then((permit) => permit.release());
    await clock.advance(1000);
  }
  expect(countOf('look')).toBe(90);
});

test('of what is kept for writes, no read has any while nobody writes', async () => {
  const { ask, run, countOf } = busyAccount(100);
  for (let index = 0; index < 200; index++) {
    for (const party of ['a', 'b']) void ask('looks', 'list', creation, party);
  }
  await run(0.9);
  expect(countOf('looks')).toBe(90);
});

test.each([500, 40, 10])('two namespaces share %i requests an hour evenly, whatever they are for', async (limit) => {
  const { ask, change, run, countOf } = busyAccount(limit);
  // The hour is spread evenly, as it is after a while.
  for (let index = 0; index < limit; index++) {
    void ask('before', 'write', undefined, 'other');
    await run(1 / limit);
  }
  for (let index = 0; index < 8; index++) {
    void change('evil', 'change');
    void change('victim', 'creation');
  }
  await run(10);
  expect(countOf('victim') / countOf('evil')).toBeGreaterThan(0.8);
});

test('who had much long ago is no worse off than who had nothing', async () => {
  const { clock, limiter } = accountOf(1);
  const granted: string[] = [];
  const ask = async (name: string, urgency: 'urgent' | 'creation', party: string) => {
    const permit = await limiter.acquire('webaccel', 'write', undefined, { urgency, began: 1 }, party);
    permit.sent();
    granted.push(name);
    permit.release();
  };
  for (let index = 0; index < 300; index++) void ask('early', 'creation', 'a');
  await clock.advance(15 * 60_000);
  for (let index = 0; index < 100; index++) void ask('many', 'creation', 'b');
  void ask('urgent', 'urgent', 'a');
  await clock.advance(60_000);
  expect(granted.indexOf('urgent') - granted.indexOf('many')).toBe(1);
});

test('what began first is finished first, whoever came when', async () => {
  const { clock, granted, ask } = accountOf(1);
  void ask('now', 'write');
  for (const began of [3, 1, 2, 1]) void ask(`${began}`, 'write', { urgency: 'creation', began });
  void ask('without a turn', 'write', undefined);
  await clock.advance(10_000);
  expect(granted).toEqual(['now', 'without a turn', '1', '1', '2', '3']);
});

/** A fleet of new SIMs as the operator makes them, each with four writes and a list that shows them. */
function makeFleet(count: number, rate: number) {
  const account = accountOf(rate);
  const { clock, ask } = account;
  const ready: number[] = [];
  let lists = 0;
  const list = createListInformer({
    async fetchPage(_from, _count, { lane, turn }) {
      await ask('list', lane, turn);
      lists++;
      return { items: [], total: 0, from: 0, count: 0 };
    },
    idOf: () => '',
    equal: () => true,
    clock,
    random: () => 0.5,
    intervalSeconds: 60,
    pageSize: 1000,
    minimumGapMilliseconds: 500,
  });
  list.start();
  let next = 0;
  async function make(): Promise<void> {
    for (let began = ++next; began <= count; began = ++next) {
      const turn = { urgency: 'creation', began } as const;
      for (let write = 0; write < 4; write++) await ask(`write of ${began}`, 'write', turn);
      // A pass that waits for an observation is over: another begins.
      void list.observeAfter(clock.monotonic(), undefined, turn).then(() => ready.push(clock.monotonic()));
    }
  }
  for (let pass = 0; pass < UNDER_WAY; pass++) void make();
  return { ...account, list, ready, lists: () => lists };
}

async function secondsUntil(clock: ManualClock, isDone: () => boolean): Promise<number> {
  const from = clock.monotonic();
  while (!isDone() && clock.monotonic() < from + 600_000) await clock.advance(100);
  return (clock.monotonic() - from) / 1000;
}

test.each([2, 5])(
  'at %i requests a second the first of 150 new SIMs is seen to be there within seconds, and the lists take no more than a fourth',
  async (rate) => {
    const { clock, ready, lists, list } = makeFleet(150, rate);
    expect(await secondsUntil(clock, () => ready.length >= 1)).toBeLessThanOrEqual(10 / rate + 1);
    const all = await secondsUntil(clock, () => ready.length === 150);
    expect(lists() / (lists() + 600)).toBeLessThanOrEqual(0.25);
    expect(all).toBeLessThanOrEqual((1.4 * 600) / rate);
    list.stop();
  },
);

test.each(['urgent', 'change'] as const)(
  'of 150 new SIMs, no more than a write and a list go before what is %s',
  async (urgency) => {
    const { clock, ask, list, ready } = makeFleet(150, 2);
    await clock.advance(20_000);
    const turn = { urgency, began: 1000 };
    let changed = false;
    void ask('deactivate', 'write', turn).then(() => (changed = true));
    expect(await secondsUntil(clock, () => changed)).toBeLessThanOrEqual(1.5);
    let seen = false;
    void list.observeAfter(clock.monotonic(), undefined, turn).then(() => (seen = true));
    expect(await secondsUntil(clock, () => seen)).toBeLessThanOrEqual(2);
    expect(ready.length).toBeLessThan(20);
    list.stop();
  },
);

test('in an endless stream of work of any kind, whoever waits gets a turn', async () => {
  const lane = fc.constantFrom<Lane>('upload', 'write', 'verify', 'list', 'audit', 'usage');
  const turn = fc.option(fc.record({ urgency: fc.constantFrom(...urgencies), began: fc.constant(1) }), {
    nil: undefined,
  });
  const work = fc.record({ lane, turn });
  await fc.assert(
    fc.asyncProperty(fc.array(work, { minLength: 1, maxLength: 4 }), work, async (stream, one) => {
      const { clock, ask } = accountOf(10);
      const over = new AbortController();
      let done = false;
      const again = async ({ lane: of, turn: at }: typeof one): Promise<void> => {
        while (!over.signal.aborted) await ask('stream', of, at);
      };
      for (const endless of stream) for (let copy = 0; copy < 3; copy++) void again(endless);
      await clock.advance(1000);
      const place = one.turn && { ...one.turn, began: 2 };
      // Of work of the very same rank, what began first is finished first: that ends.
      const urgency = (of: typeof one) => of.turn?.urgency ?? 'change';
      const isSame = (other: typeof one) => one.lane === 'upload' || urgency(other) === urgency(one);
      fc.pre(!stream.some((other) => other.lane === one.lane && isSame(other)));
      void ask('one', one.lane, place).then(() => (done = true));
      expect(await secondsUntil(clock, () => done)).toBeLessThanOrEqual(20);
      over.abort();
    }),
    { numRuns: 100 },
  );
});
