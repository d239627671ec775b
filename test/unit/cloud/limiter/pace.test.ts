import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLimiter } from '../../../../src/cloud/limiter/limiter.ts';
import { type Pace, rateAt, slowed } from '../../../../src/cloud/limiter/pace.ts';
import { ManualClock, settle } from '../../../support/manual-clock.ts';

const MINUTE = 60_000;

describe('the rate of an account', () => {
  test('is its limit while the service bears it', () => {
    expect(rateAt(undefined, 10, 5 * MINUTE)).toBe(10);
  });

  test('is halved, then raised to a little below what was too much, and beyond it slowly at first and ever faster', () => {
    const pace = slowed(undefined, 10, 0, 0);
    expect([0, 10, 39, 40, 70, 100, 160, 230, 300].map((second) => rateAt(pace, 10, second * 1000).toFixed(2))).toEqual(
      ['5.00', '6.00', '8.90', '9.00', '9.10', '9.40', '10.00', '10.00', '10.00'],
    );
  });

  test('follows a limit that is changed meanwhile', () => {
    const pace = slowed(undefined, 10, 0, 0);
    expect([rateAt(pace, 3, 0), rateAt(pace, 100, 0), rateAt(pace, 100, 700_000)]).toEqual([3, 5, 100]);
  });

  const limits = fc.integer({ min: 1, max: 10_000 });
  const refusals = fc.array(fc.integer({ min: 0, max: 20 * MINUTE }), { minLength: 1, maxLength: 30 });

  test('stays between one a minute and the limit, rises while nothing is refused, and is the limit in the end', () => {
    fc.assert(
      fc.property(limits, refusals, fc.array(fc.nat({ max: 15 * MINUTE })), (limit, gaps, times) => {
        let now = 0;
        let pace: Pace | undefined;
        for (const gap of gaps) {
          now += gap;
          const before = rateAt(pace, limit, now);
          pace = slowed(pace, limit, now, now);
          const after = rateAt(pace, limit, now);
          expect(after).toBeCloseTo(Math.max(1 / 60, before / 2), 6);
        }
        const rates = [0, ...times.toSorted((a, b) => a - b)].map((time) => rateAt(pace, limit, now + time));
        expect(rates).toEqual(rates.toSorted((a, b) => a - b));
        expect(rates[0]).toBeGreaterThanOrEqual(1 / 60);
        expect(rateAt(pace, limit, now + 7 * MINUTE)).toBe(limit);
      }),
    );
  });
});

/** A service that takes so many requests in any second, and an account with more to send than that. */
async function sendFor(minutes: number, options: { readonly limit: number; readonly bears: number }) {
  const clock = new ManualClock();
  const limits = { webAccelRequestsPerHour: 500, cloudRequestsPerSecond: options.limit };
  const limiter = createLimiter({ clock, limits });
  let recent: number[] = [];
  let taken = 0;
  let refused = 0;
  const isOver = () => clock.monotonic() >= minutes * MINUTE;

  async function sendAgainAndAgain(): Promise<void> {
    while (!isOver()) {
      const permit = await limiter.acquire('cloud', 'write');
      const sentAt = clock.monotonic();
      permit.sent();
      await clock.sleep(50);
      const now = clock.monotonic();
      recent = recent.filter((time) => time > now - 1000);
      if (recent.length < options.bears) {
        recent.push(now);
        taken++;
      } else {
        refused++;
        limiter.throttled('cloud');
        limiter.overloaded('cloud', sentAt);
      }
      permit.release();
    }
  }

  const senders = [1, 2, 3, 4].map(() => sendAgainAndAgain());
  while (!isOver()) {
    await clock.advance(1000);
    await settle();
  }
  await clock.advance(10 * MINUTE);
  await Promise.all(senders);
  return { taken, refused };
}

test.each([
  { limit: 10, bears: 10 },
  { limit: 10, bears: 7 },
  { limit: 10, bears: 5 },
  { limit: 10, bears: 2 },
  { limit: 40, bears: 5 },
])(
  'with a limit of $limit a second, an account has nearly all that a service bears which bears $bears, and is refused little',
  async (options) => {
    const { taken, refused } = await sendFor(30, options);
    const possible = 30 * 60 * options.bears;
    expect(taken / possible).toBeGreaterThan(0.85);
    expect(refused / (taken + refused)).toBeLessThan(0.02);
  },
);
