import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Api, type Lane, lanes } from '../../../../src/cloud/limiter/lanes.ts';
import { createLimiter, type Limits, type RestoredBudget } from '../../../../src/cloud/limiter/limiter.ts';
import { ManualClock, settle } from '../../../support/manual-clock.ts';

const hour = 3_600_000;

function limiterOf(limits: Partial<Limits> = {}, restored?: RestoredBudget, clock = new ManualClock()) {
  const all = { webAccelRequestsPerHour: 500, cloudRequestsPerSecond: 5, ...limits };
  const limiter = createLimiter({ clock, limits: all, ...(restored && { restored }) });
  /** Asks for a permit, notes in `granted` when it comes, and gives it back at once. */
  const granted: string[] = [];
  const ask = async (name: string, lane: Lane = 'list', api: Api = 'webaccel', signal?: AbortSignal) => {
    const permit = await limiter.acquire(api, lane, signal);
    granted.push(`${name}@${clock.monotonic()}`);
    permit.sent();
    permit.release();
  };
  return { clock, limiter, granted, ask };
}

describe('web acceleration', () => {
  test('requests keep their distance', async () => {
    const { clock, granted, ask } = limiterOf({ webAccelSpacingMilliseconds: 200 });
    for (const name of ['a', 'b', 'c']) void ask(name);
    await clock.advance(1000);
    expect(granted).toEqual(['a@0', 'b@200', 'c@400']);
  });

  test('the most urgent lane goes first, and within a lane who came first', async () => {
    const { clock, granted, ask } = limiterOf();
    void ask('first', 'usage');
    for (const lane of lanes.toReversed()) for (const turn of [1, 2]) void ask(`${lane}${turn}`, lane);
    await clock.advance(10_000);
    expect(granted.map((entry) => entry.split('@')[0])).toEqual([
      'first',
      ...lanes.flatMap((lane) => [`${lane}1`, `${lane}2`]),
    ]);
  });

  test('a part of the hour is kept for uploads, writes and verifying reads', async () => {
    const { clock, limiter, granted, ask } = limiterOf({
      webAccelRequestsPerHour: 10,
      webAccelReservedForWrites: 3,
      webAccelSpacingMilliseconds: 0,
    });
    for (let i = 0; i < 8; i++) void ask(`list${i}`, 'list');
    await clock.advance(1000);
    expect(granted).toHaveLength(7);
    for (const lane of ['verify', 'write', 'upload', 'upload'] as const) void ask(lane, lane);
    await clock.advance(1000);
    expect(granted.slice(7)).toEqual(['verify@1000', 'upload@1000', 'upload@1000']);
    expect(limiter.budget()).toEqual({ used: 10, limit: 10, reads: 7, changes: 10, resetsAt: Date.UTC(2026, 0, 1, 1) });
    await clock.advance(hour);
    expect(granted.slice(10)).toEqual([`write@${hour + 1}`, `list7@${hour + 1}`]);
  });

  test.each([
    { limit: 1, reads: 1, changes: 1 },
    { limit: 2, reads: 2, changes: 2 },
    { limit: 3, reads: 2, changes: 2 },
    { limit: 9, reads: 8, changes: 8 },
    { limit: 10, reads: 9, changes: 10 },
    { limit: 20, reads: 18, changes: 20 },
    { limit: 500, reads: 450, changes: 480 },
  ])('a tenth is kept unless set, and of a small hour a request for certificates: %o', async (how) => {
    const { limit, reads, changes } = how;
    const { clock, limiter, granted, ask } = limiterOf({
      webAccelRequestsPerHour: limit,
      webAccelSpacingMilliseconds: 0,
    });
    const counts: number[] = [];
    for (const lane of ['audit', 'write', 'upload'] as const) {
      for (let i = 0; i < limit; i++) void ask(`${i}`, lane);
      await clock.advance(1000);
      counts.push(granted.length);
    }
    expect([counts, limiter.budget()]).toMatchObject([[reads, changes, limit], { reads, changes }]);
  });

  test('a request under way counts, and leaves the hour an hour after its end', async () => {
    const { clock, limiter } = limiterOf({ webAccelRequestsPerHour: 1 });
    const first = await limiter.acquire('webaccel', 'write');
    first.sent();
    let second = -1;
    void limiter.acquire('webaccel', 'write').then(() => (second = clock.monotonic()));
    await clock.advance(2 * hour);
    expect([second, limiter.budget()]).toEqual([-1, { used: 1, limit: 1, reads: 1, changes: 1 }]);
    first.release();
    first.release();
    await clock.advance(hour);
    expect(second).toBe(-1);
    await clock.advance(1);
    expect(second).toBe(3 * hour + 1);
  });

  test('a request whose connection is not open yet holds the next back, and the distance is kept from when it is written', async () => {
    const { clock, limiter, granted, ask } = limiterOf({ webAccelSpacingMilliseconds: 200 });
    const slow = await limiter.acquire('webaccel', 'list');
    void ask('next');
    await clock.advance(1000);
    expect([granted, limiter.budget().used]).toEqual([[], 0]);
    slow.sent();
    slow.sent();
    await clock.advance(1000);
    expect([granted, limiter.budget().used]).toEqual([['next@1200'], 2]);
  });

  test('a request that was never written is not counted, and lets the next go at once', async () => {
    const { clock, limiter, granted, ask } = limiterOf({ webAccelRequestsPerHour: 1 });
    const lost = await limiter.acquire('webaccel', 'write');
    void ask('next', 'write');
    await clock.advance(1000);
    lost.release();
    lost.sent();
    await clock.advance(0);
    expect([granted, limiter.budget().used]).toEqual([['next@1000'], 1]);
  });

  test('what was spent before a restart counts as spent at the time of the record, rounded up', async () => {
    const clock = new ManualClock();
    const { limiter, granted, ask } = limiterOf(
      { webAccelRequestsPerHour: 10 },
      { used: 9.2, at: clock.now() - 600_000 },
      clock,
    );
    expect(limiter.budget()).toEqual({
      used: 10,
      limit: 10,
      reads: 9,
      changes: 10,
      resetsAt: clock.now() + hour - 600_000,
    });
    void ask('write', 'write');
    await clock.advance(hour);
    expect(granted).toEqual([`write@${hour - 600_000 + 1}`]);
  });

  test('a record from the future counts as just made', () => {
    const clock = new ManualClock();
    const { limiter } = limiterOf({}, { used: 3, at: clock.now() + hour }, clock);
    expect(limiter.budget()).toEqual({ used: 3, limit: 500, reads: 450, changes: 480, resetsAt: clock.now() + hour });
  });

  test('never more than the limit in any rolling hour, whatever is asked and however long requests take', async () => {
    const request = fc.record({
      after: fc.integer({ min: 0, max: 900_000 }),
      /** Until the connection is open and the request is written. */
      connects: fc.integer({ min: 0, max: 10_000 }),
      takes: fc.integer({ min: 0, max: 60_000 }),
      /** When the service counts the request, as a part of its duration. */
      counted: fc.integer({ min: 0, max: 100 }),
      lane: fc.constantFrom(...lanes),
      party: fc.constantFrom('a', 'b', undefined),
    });
    type Request = typeof request extends fc.Arbitrary<infer One> ? One : never;
    const options = fc.record({
      limit: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 20, max: 30 })),
      isShared: fc.boolean(),
      restored: fc.option(
        fc.record({ used: fc.double({ min: 0, max: 6, noNaN: true }), age: fc.integer({ min: 0, max: hour }) }),
        {
          nil: undefined,
        },
      ),
      requests: fc.array(request, { maxLength: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(options, async ({ limit, isShared, restored, requests }) => {
        const clock = new ManualClock();
        const record = restored && { used: restored.used, at: clock.now() - restored.age };
        const { limiter } = limiterOf({ webAccelRequestsPerHour: limit, isShared }, record, clock);
        const counted: number[] = restored ? Array<number>(Math.ceil(restored.used)).fill(-restored.age) : [];
        const before = counted.length;
        const written: number[] = [];
        const send = async ({ lane, party, connects, takes, counted: part }: Request) => {
          const permit = await limiter.acquire('webaccel', lane, undefined, undefined, party);
          await clock.sleep(connects);
          written.push(clock.monotonic());
          permit.sent();
          counted.push(clock.monotonic() + (takes * part) / 100);
          await clock.sleep(takes);
          permit.release();
        };
        for (const one of requests) {
          await clock.advance(one.after);
          void send(one);
        }
        await clock.advance(2 * hour);
        for (const [index, time] of written.slice(1).entries()) {
          expect(time - (written[index] ?? 0)).toBeGreaterThanOrEqual(200);
        }
        const times = counted.toSorted((a, b) => a - b);
        const allowed = Math.max(limit, before);
        for (const [index, time] of times.entries()) {
          const inHour = times.slice(index).filter((other) => other <= time + hour).length;
          expect(inHour).toBeLessThanOrEqual(index < before ? allowed : limit);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('cloud', () => {
  test('a second of requests at once, then the rate', async () => {
    const { clock, granted, ask } = limiterOf({ cloudRequestsPerSecond: 2 });
    for (const name of ['a', 'b', 'c', 'd', 'e']) void ask(name, 'list', 'cloud');
    await clock.advance(2000);
    expect(granted).toEqual(['a@0', 'b@0', 'c@500', 'd@1000', 'e@1500']);
  });

  test('a rate below one a second works, too', async () => {
    const { clock, granted, ask } = limiterOf({ cloudRequestsPerSecond: 0.5 });
    for (const name of ['a', 'b']) void ask(name, 'list', 'cloud');
    await clock.advance(5000);
    expect(granted).toEqual(['a@0', 'b@2000']);
  });

  test('only so many are under way', async () => {
    const { limiter } = limiterOf({ cloudRequestsPerSecond: 1000, cloudConcurrency: 2 });
    const [first] = await Promise.all([limiter.acquire('cloud', 'write'), limiter.acquire('cloud', 'write')]);
    let third = false;
    void limiter.acquire('cloud', 'write').then(() => (third = true));
    await settle();
    expect([third, limiter.waiting().cloud.write]).toEqual([false, 1]);
    first.release();
    await settle();
    expect([third, limiter.waiting().cloud.write]).toEqual([true, 0]);
  });

  test('of a long run of writes one in ten leaves its turn to a lower lane', async () => {
    const { clock, granted, ask } = limiterOf({ cloudRequestsPerSecond: 1 });
    for (let i = 0; i < 30; i++) void ask(`write${i}`, 'write', 'cloud');
    for (let i = 0; i < 5; i++) void ask(`list${i}`, 'list', 'cloud');
    await clock.advance(25_000);
    expect(granted.filter((entry) => entry.startsWith('list'))).toEqual(['list0@9000', 'list1@19000']);
  });

  test('never more than a second of requests above the rate', async () => {
    const asked = fc.array(fc.integer({ min: 0, max: 2000 }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 8 }), asked, async (rate, gaps) => {
        const { clock, limiter } = limiterOf({ cloudRequestsPerSecond: rate });
        const times: number[] = [];
        const send = async () => {
          const permit = await limiter.acquire('cloud', 'list');
          times.push(clock.monotonic());
          permit.release();
        };
        for (const gap of gaps) {
          await clock.advance(gap);
          void send();
        }
        await clock.advance(60_000);
        expect(times).toHaveLength(gaps.length);
        for (const [index, start] of times.entries()) {
          for (let end = index; end < times.length; end++) {
            expect(end - index + 1).toBeLessThanOrEqual(rate + ((times[end]! - start) * rate) / 1000 + 1e-6);
          }
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('throttling by the service', () => {
  test.each([
    ['webaccel', undefined, 60_000],
    ['webaccel', 120, 120_000],
    ['cloud', undefined, 1000],
    ['cloud', 7, 7000],
    ['cloud', 0, 1000],
    ['cloud', 1e9, 60_000],
  ] as const)('%s with Retry-After %s stays closed for %i ms', async (api, retryAfter, closed) => {
    const { clock, limiter, granted, ask } = limiterOf();
    limiter.throttled(api, retryAfter);
    void ask('a', 'upload', api);
    await clock.advance(2 * hour);
    expect(granted).toEqual([`a@${closed}`]);
  });

  test('without Retry-After it doubles each time in a row, and forgets after a quiet minute', async () => {
    const { clock, limiter, granted, ask } = limiterOf();
    for (let turn = 0; turn < 3; turn++) {
      limiter.throttled('webaccel');
      limiter.throttled('webaccel');
      void ask(`${turn}`, 'write');
      await clock.advance(60_000 * 2 ** turn);
    }
    await clock.advance(120_000);
    limiter.throttled('webaccel');
    void ask('later', 'write');
    await clock.advance(60_000);
    expect(granted).toEqual(['0@60000', '1@180000', '2@420000', 'later@600000']);
  });

  test('where the service has too much to do, half as many go, and none at once when it opens again', async () => {
    const { clock, limiter, granted, ask } = limiterOf({ cloudRequestsPerSecond: 4 });
    limiter.throttled('cloud', 10);
    limiter.overloaded('cloud', clock.monotonic(), 'surely');
    for (const name of ['a', 'b', 'c']) void ask(name, 'write', 'cloud');
    expect(limiter.rate()).toBe(0);
    await clock.advance(20_000);
    expect(granted.map((grant) => grant.replace(/\..*/, ''))).toEqual(['a@10500', 'b@10990', 'c@11471']);
    expect(limiter.rate()).toBeCloseTo(2.8, 5);
  });

  test('answers to what was sent before it slowed down, or just after, do not slow it down again', async () => {
    const { clock, limiter } = limiterOf({ cloudRequestsPerSecond: 8 });
    const told: number[] = [];
    for (const sentAt of [0, 0, 1999, 2000, 2000]) {
      await clock.advance(Math.max(0, sentAt - clock.monotonic()));
      limiter.overloaded('cloud', sentAt, 'surely');
      told.push(Math.round(limiter.rate() * 1000) / 1000);
    }
    expect(told).toEqual([4, 4, 4, 2, 2]);
  });

  test('the hour of web acceleration is as it was', async () => {
    const { clock, limiter, granted, ask } = limiterOf({ webAccelSpacingMilliseconds: 200 });
    limiter.overloaded('webaccel', clock.monotonic(), 'surely');
    for (const name of ['a', 'b', 'c']) void ask(name);
    await clock.advance(1000);
    expect([granted, limiter.rate()]).toEqual([['a@0', 'b@200', 'c@400'], 5]);
  });

  test('one API closed leaves the other open', async () => {
    const { clock, limiter, granted, ask } = limiterOf();
    limiter.throttled('webaccel');
    void ask('cloud', 'list', 'cloud');
    await clock.advance(10);
    expect(granted).toEqual(['cloud@0']);
  });
});

test('what is foretold for the time after a closing takes nothing out of the hour before', async () => {
  const { clock, limiter, granted, ask } = limiterOf({ webAccelRequestsPerHour: 10 });
  for (let index = 0; index < 10; index++) void ask('early', 'upload');
  await clock.advance(hour - 1000);
  limiter.throttled('webaccel', 60);
  const foretold = limiter.outlook('webaccel', 'write').secondsFor(1);
  expect([limiter.budget().used, limiter.record().used, granted.length, foretold]).toEqual([10, 10, 10, 60.2]);
});

test('who gives up leaves the line at once, with the reason', async () => {
  const { clock, limiter, granted, ask } = limiterOf({ webAccelSpacingMilliseconds: 100 });
  const giveUp = new AbortController();
  void ask('a');
  const b = ask('b', 'list', 'webaccel', giveUp.signal);
  void ask('c');
  giveUp.abort(new Error('no longer wanted'));
  await expect(b).rejects.toThrow('no longer wanted');
  expect(limiter.waiting().webaccel.list).toBe(1);
  await clock.advance(1000);
  expect(granted).toEqual(['a@0', 'c@100']);
  await expect(limiter.acquire('webaccel', 'list', giveUp.signal)).rejects.toThrow('no longer wanted');
});

test('higher limits take effect for those who wait already', async () => {
  const { clock, limiter, granted, ask } = limiterOf({ webAccelRequestsPerHour: 1, webAccelSpacingMilliseconds: 0 });
  for (const name of ['a', 'b', 'c']) void ask(name, 'write');
  await clock.advance(1000);
  limiter.setLimits({ webAccelRequestsPerHour: 2, cloudRequestsPerSecond: 5, webAccelSpacingMilliseconds: 0 });
  await clock.advance(1000);
  expect(granted).toEqual(['a@0', 'b@1000']);
  expect(limiter.budget()).toMatchObject({ used: 2, limit: 2 });
});

test('ten thousand waiters, half of whom give up, each get their turn or leave the line', async () => {
  const { clock, limiter } = limiterOf({ cloudRequestsPerSecond: 100_000, cloudConcurrency: 4 });
  limiter.throttled('cloud', 5);
  const giveUp = new AbortController();
  let done = 0;
  const send = async (signal: AbortSignal | undefined) => {
    const permit = await limiter.acquire('cloud', 'write', signal);
    done++;
    permit.release();
  };
  for (let i = 0; i < 10_000; i++) {
    const signal = i % 2 === 0 ? giveUp.signal : undefined;
    void send(signal).catch(() => {});
  }
  giveUp.abort();
  await clock.advance(60_000);
  expect(done).toBe(5000);
  expect(limiter.waiting().cloud.write).toBe(0);
});

test('a request without an answer, which may still arrive, counts for as long as it may be on its way, and an hour', async () => {
  const { clock, limiter } = limiterOf();
  for (const isAnswered of [true, false]) {
    const permit = await limiter.acquire('webaccel', 'write');
    permit.sent();
    permit.release(isAnswered);
    await clock.advance(1000);
  }
  const used: number[] = [];
  for (const seconds of [3600, 170, 20]) {
    await clock.advance(seconds * 1000);
    used.push(limiter.budget().used);
  }
  expect(used).toEqual([1, 1, 0]);
});

describe('several records of one hour', () => {
  interface Record {
    readonly minutesAgo: number;
    readonly used: number;
    readonly reserved?: number;
    readonly sent?: { readonly counts: readonly number[]; readonly latest: number };
  }
  const minute = 60_000;
  /** How many requests the hour has room for, so many minutes later. */
  const roomAfter = async (records: readonly Record[], minutes: number): Promise<number> => {
    const { clock, limiter } = limiterOf();
    const now = clock.now();
    for (const { minutesAgo, ...record } of records) limiter.restore({ ...record, at: now - minutesAgo * minute });
    await clock.advance(minutes * minute);
    const { used, limit } = limiter.budget();
    return limit - used;
  };
  const stale = { minutesAgo: 50, used: 450 };
  const recent = { minutesAgo: 1, used: 450 };

  test.each([
    { what: 'the older one first', records: [stale, recent] },
    { what: 'the newer one first', records: [recent, stale] },
    { what: 'the newer one alone', records: [recent] },
    { what: 'the newer one twice', records: [recent, recent] },
  ])('what was sent last leaves last: $what', async ({ records }) => {
    expect(await roomAfter(records, 11)).toBe(50);
    expect(await roomAfter(records, 58)).toBe(50);
    expect(await roomAfter(records, 60)).toBe(500);
  });

  test('the hour holds as much as the records say together, at any time', async () => {
    const record = fc.record({
      minutesAgo: fc.integer({ min: 0, max: 70 }),
      used: fc.integer({ min: 0, max: 500 }),
      reserved: fc.integer({ min: 0, max: 40 }),
    });
    const byAge = fc.record({
      counts: fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 13, maxLength: 13 }),
      latest: fc.integer({ min: 0, max: 5 * minute }),
    });
    const spread = fc.tuple(record, byAge).map(([one, sent]) => {
      const used = sent.counts.reduce((sum, count) => sum + count, 0);
      return { ...one, used, sent };
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(record, spread), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 70 }),
        async (records, later) => {
          const alone = await Promise.all(records.map((one) => roomAfter([one], later)));
          expect(await roomAfter(records, later)).toBe(Math.min(...alone));
        },
      ),
    );
  });

  test('after restarts the hour never holds less than was sent, nor any of it five minutes longer than it counts', async () => {
    const pause = fc.integer({ min: 1, max: 8 * minute });
    const lives = fc.array(fc.tuple(fc.array(pause, { maxLength: 20 }), pause), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(lives, fc.integer({ min: 0, max: 70 * minute }), async (processes, later) => {
        /** One process lives through it all, and others one after the other. */
        const whole = limiterOf({ webAccelSpacingMilliseconds: 0 });
        let current = limiterOf({ webAccelSpacingMilliseconds: 0 });
        const advance = async (milliseconds: number) => {
          await whole.clock.advance(milliseconds);
          await current.clock.advance(milliseconds);
        };
        const used = () => [whole, current].map(({ limiter }) => limiter.budget().used);
        for (const [pauses, away] of processes) {
          for (const before of pauses) {
            await advance(before);
            for (const { limiter } of [whole, current]) {
              const permit = limiter.acquireNow('webaccel', 'write');
              permit?.sent();
              permit?.release();
            }
          }
          const record = { ...current.limiter.record(), at: current.clock.now() };
          await advance(away);
          const clock = new ManualClock(current.clock.now());
          current = limiterOf({ webAccelSpacingMilliseconds: 0 }, record, clock);
        }
        await advance(later);
        const [held = 0, restored = 0] = used();
        expect(restored).toBeGreaterThanOrEqual(held);
        await advance(5 * minute + 1000);
        expect(used()[1]).toBeLessThanOrEqual(held);
      }),
    );
  });
});

describe('requests that another process may send until a time', () => {
  const minute = 60_000;

  test('count at once, and until an hour after they may be sent last', async () => {
    const { clock, limiter } = limiterOf();
    limiter.allot(50, clock.now() + 6 * minute);
    const seen = [limiter.budget().used];
    await clock.advance(65 * minute);
    seen.push(limiter.budget().used);
    await clock.advance(minute + 1);
    seen.push(limiter.budget().used);
    expect(seen).toEqual([50, 50, 0]);
  });

  test('leave no room for others beyond the limit, nor the reads any of what is kept for changes', async () => {
    const { clock, limiter, granted, ask } = limiterOf({ webAccelRequestsPerHour: 20 });
    limiter.allot(15, clock.now() + minute);
    for (const number of [1, 2, 3, 4, 5]) void ask(`read ${number}`, 'list');
    await clock.advance(minute);
    expect(granted).toHaveLength(3);
    for (const number of [1, 2, 3]) void ask(`upload ${number}`, 'upload');
    await clock.advance(minute);
    expect(granted).toHaveLength(5);
  });

  test('are on record as what may still be sent, and then as sent', async () => {
    const { clock, limiter } = limiterOf();
    const at = clock.now();
    limiter.allot(50, at + 6 * minute);
    const { used, reserved } = limiter.record();
    await clock.advance(6 * minute);
    const later = limiter.record();
    expect([used, reserved, later.used, later.reserved]).toEqual([0, 50, 50, 0]);
    const next = limiterOf();
    next.limiter.restore({ used, reserved, at });
    await next.clock.advance(65 * minute);
    expect(next.limiter.budget().used).toBe(50);
  });

  test('stay on record as what may still be sent in processes that are killed one after another', async () => {
    const { clock, limiter } = limiterOf();
    limiter.allot(50, clock.now() + 5 * minute);
    const { used, reserved } = limiter.record();
    const second = limiterOf({}, { used, reserved, at: clock.now() }, new ManualClock(clock.now()));
    const next = second.limiter.record();
    expect([next.used, next.reserved]).toEqual([0, 50]);
    const third = limiterOf({}, { ...next, at: clock.now() }, new ManualClock(clock.now()));
    await third.clock.advance(64 * minute);
    expect(third.limiter.budget().used).toBe(50);
  });

  test('count no more than any hour has, however often somebody asks for more', async () => {
    const { clock, limiter } = limiterOf();
    for (let write = 0; write < 1000; write++) {
      for (let one = 0; one < 16; one++) limiter.allot(500, clock.now() + 6 * minute);
      await clock.advance(10);
    }
    const { reserved } = limiter.record();
    expect([limiter.budget().used, reserved, limiter.outlook('webaccel', 'list').secondsFor(1) > 3600]).toEqual([
      1000,
      1000,
      true,
    ]);
    await clock.advance(67 * minute);
    expect(limiter.budget().used).toBe(0);
  });

  test('are not taken for those that a record tells of', () => {
    const { clock, limiter } = limiterOf();
    limiter.allot(50, clock.now() + 6 * minute);
    limiter.restore({ used: 100, at: clock.now() - minute });
    expect(limiter.budget().used).toBe(150);
  });
});
