import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { forecastOfHour, forecastOfRate, riseOf } from '../../../../src/cloud/limiter/forecast.ts';
import type { Lane } from '../../../../src/cloud/limiter/lanes.ts';
import { createLimiter, type Limiter } from '../../../../src/cloud/limiter/limiter.ts';
import type { Pace } from '../../../../src/cloud/limiter/pace.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const HOUR = 3_600_000;
const limits = { webAccelRequestsPerHour: 500, cloudRequestsPerSecond: 10 };

describe('a rate', () => {
  test('at the limit: what may go at once goes, and the rest one after another', () => {
    const forecast = forecastOfRate(riseOf(undefined, 10), 5000, 3);
    expect([1, 3, 4, 13].map((count) => forecast(count))).toEqual([5000, 5000, 5100, 6000]);
  });

  test('that rises lets go what is below the curve, from any moment of it', () => {
    const pace: Pace = { rate: 5, since: 0, refused: 10 };
    const rise = riseOf(pace, 10);
    // 20 s from 5 to 9 a second are 140 requests.
    expect([0, 10_000].map((from) => Math.round(forecastOfRate(rise, from, 0)(from === 0 ? 140 : 80)))).toEqual([
      20_000, 20_000,
    ]);
  });

  test('takes longer the more are asked for, and never longer than at the rate it has now', () => {
    const paces = fc.record({ rate: fc.double({ min: 1 / 60, max: 50, noNaN: true }), refused: fc.constant(0) });
    fc.assert(
      fc.property(paces, fc.nat(700_000), fc.array(fc.nat(5000), { minLength: 2 }), ({ rate }, from, counts) => {
        const pace = { rate, since: 0, refused: rate * 2 };
        const forecast = forecastOfRate(riseOf(pace, 100), from, 0);
        const times = counts.toSorted((a, b) => a - b).map((count) => forecast(count));
        expect(times).toEqual(times.toSorted((a, b) => a - b));
        expect(forecast(1000) - from).toBeLessThanOrEqual((1000 / rate) * 1000 + 1);
      }),
    );
  });
});

describe('an hour', () => {
  const hour = { milliseconds: HOUR, cap: () => 5, spacing: 200 };

  test('with room lets go as many as the room, spaced', () => {
    const forecast = forecastOfHour({ ...hour, expiries: [900_000] }, 1000);
    expect([1, 4].map((count) => forecast(count))).toEqual([1200, 1800]);
  });

  test('that is full lets one go with each that leaves it, and then an hour later one for each of those', () => {
    const forecast = forecastOfHour({ ...hour, expiries: [10_000, 20_000, 20_000, 30_000, 50_000] }, 0);
    expect([1, 2, 3, 5, 6, 11].map((count) => forecast(count))).toEqual([
      10_200,
      20_200,
      20_200,
      50_200,
      HOUR + 10_200,
      2 * HOUR + 10_200,
    ]);
  });

  test('that has more than a lane may use lets that wait for all beyond, too', () => {
    const forecast = forecastOfHour({ ...hour, cap: () => 3, expiries: [10_000, 20_000, 30_000, 40_000, 50_000] }, 0);
    expect([1, 3].map((count) => forecast(count))).toEqual([30_200, 50_200]);
  });
});

/** Seconds until so many requests have gone, as expected and as it comes. */
async function expectedAndReal(
  limiter: Limiter,
  clock: ManualClock,
  of: { api: 'cloud' | 'webaccel'; lane: Lane; requests: number },
) {
  const expected = limiter.outlook(of.api, of.lane).secondsFor(of.requests);
  const began = clock.monotonic();
  let left = of.requests;
  const took: number[] = [];
  async function send(): Promise<void> {
    while (left > 0) {
      left--;
      const permit = await limiter.acquire(of.api, of.lane);
      permit.sent();
      permit.release();
    }
    took.push((clock.monotonic() - began) / 1000);
  }
  const sending = send();
  while (took.length === 0) await clock.advance(10_000);
  await sending;
  const [real = Number.NaN] = took;
  return { expected, real };
}

describe('what who waits is told to expect comes true', () => {
  test.each([0, 1, 5, 10])('after %i refusals that are over, for 4,000 requests', async (times) => {
    const clock = new ManualClock();
    const limiter = createLimiter({ clock, limits });
    for (let time = 0; time < times; time++) {
      limiter.throttled('cloud');
      limiter.overloaded('cloud', clock.monotonic(), 'surely');
      await clock.advance(2100);
    }
    const { expected, real } = await expectedAndReal(limiter, clock, { api: 'cloud', lane: 'write', requests: 4000 });
    expect(expected / real).toBeCloseTo(1, 2);
  });

  test.each([
    ['write', 400],
    ['list', 300],
    ['write', 700],
  ] as const)('for an hour that is full, in lane %s, for %i requests', async (lane, requests) => {
    const clock = new ManualClock();
    const limiter = createLimiter({ clock, limits });
    for (let sent = 0; sent < 500; sent++) {
      const permit = await limiter.acquire('webaccel', 'upload');
      permit.sent();
      permit.release();
      await clock.advance(7000);
    }
    const { expected, real } = await expectedAndReal(limiter, clock, { api: 'webaccel', lane, requests });
    expect(expected / real).toBeCloseTo(1, 2);
  });

  test('while the service wants none of an API, and the other goes on', () => {
    const clock = new ManualClock();
    const limiter = createLimiter({ clock, limits });
    limiter.throttled('webaccel', 3600);
    limiter.throttled('cloud', 20);
    expect([limiter.outlook('webaccel', 'upload'), limiter.outlook('cloud', 'write')]).toMatchObject([
      { closedUntil: clock.now() + HOUR, isSlowed: false },
      { closedUntil: clock.now() + 20_000, isSlowed: false },
    ]);
    expect([
      limiter.outlook('webaccel', 'upload').secondsFor(1),
      limiter.outlook('cloud', 'write').secondsFor(11),
    ]).toEqual([3600.2, 20.1]);
  });
});

test('none goes a second while the service wants none', async () => {
  const clock = new ManualClock();
  const limiter = createLimiter({ clock, limits });
  limiter.throttled('cloud', 20);
  const rates = [limiter.rate()];
  await clock.advance(20_000);
  rates.push(limiter.rate());
  limiter.throttled('webaccel', 20);
  rates.push(limiter.rate());
  expect(rates).toEqual([0, 10, 10]);
});
