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
    const pace = slowed({ pace: undefined, limit: 10, now: 0, from: 0 });
    expect([0, 10, 19, 20, 60, 90, 100, 103].map((second) => rateAt(pace, 10, second * 1000).toFixed(2))).toEqual([
      '5.00',
      '7.00',
      '8.80',
      '9.00',
      '9.12',
      '9.66',
      '10.00',
      '10.00',
    ]);
  });

  test('rises in parts of what was too much, whatever the limit', () => {
    const pace: Pace = { rate: 2.5, since: 0, refused: 5 };
    const rates = (limit: number) => [0, 20, 100, 110].map((second) => rateAt(pace, limit, second * 1000).toFixed(2));
    expect(rates(1000)).toEqual(['2.50', '4.50', '5.00', '5.23']);
    expect(rates(10)).toEqual(rates(1000));
  });

  test('falls to half of what the service takes where it is known how much that is', () => {
    expect(slowed({ pace: undefined, limit: 10, now: 0, from: 500, share: 0.75 })).toEqual({
      rate: 1.25,
      since: 500,
      refused: 2.5,
    });
  });

  test('follows a limit that is changed meanwhile', () => {
    const pace = slowed({ pace: undefined, limit: 10, now: 0, from: 0 });
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
          pace = slowed({ pace, limit, now, from: now });
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

/** What stands for the service. */
interface Service {
  /** The limit of the account. */
  readonly limit: number;
  /** So many requests it takes in any second. */
  readonly bears: number;
  /** This share of what it bears it refuses all the same. */
  readonly broken?: number;
  /** Whether it says that they are too many. */
  readonly says: 429 | 503;
}

/** An account with more to send than it may, for half an hour. */
async function sendTo({ limit, bears, broken = 0, says }: Service) {
  const clock = new ManualClock();
  const limiter = createLimiter({ clock, limits: { webAccelRequestsPerHour: 500, cloudRequestsPerSecond: limit } });
  let recent: number[] = [];
  let taken = 0;
  let refused = 0;
  let last = 7;
  const random = () => (last = (last * 16_807) % 2_147_483_647) / 2_147_483_647;
  const isOver = () => clock.monotonic() >= 30 * MINUTE;

  function isTaken(now: number): boolean {
    recent = recent.filter((time) => time > now - 1000);
    if (recent.length >= bears || random() < broken) return false;
    recent.push(now);
    return true;
  }

  async function sendAgainAndAgain(): Promise<void> {
    while (!isOver()) {
      const permit = await limiter.acquire('cloud', 'write');
      const sentAt = clock.monotonic();
      permit.sent();
      await clock.sleep(50);
      if (isTaken(clock.monotonic())) taken++;
      else {
        refused++;
        if (says === 429) limiter.throttled('cloud');
        limiter.overloaded('cloud', sentAt, says === 429 ? 'surely' : 'perhaps');
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
  return { taken, refused, used: taken / (30 * 60 * Math.min(limit, bears)), share: refused / (taken + refused) };
}

test.each<Service>([
  { limit: 10, bears: 10, says: 429 },
  { limit: 10, bears: 7, says: 429 },
  { limit: 10, bears: 5, says: 429 },
  { limit: 10, bears: 5, says: 503 },
  { limit: 10, bears: 2, says: 429 },
  { limit: 40, bears: 5, says: 429 },
  { limit: 1000, bears: 5, says: 429 },
])(
  'with a limit of $limit a second, an account has nearly all that a service bears which bears $bears and says $says, and is refused little',
  async (service) => {
    const { used, share } = await sendTo(service);
    expect(used).toBeGreaterThan(0.85);
    expect(share).toBeLessThan(0.02);
  },
);

test('one and a half times as much is refused, at most, where each refusal slowed the account down: 39 of 4,700', async () => {
  const { used, refused } = await sendTo({ limit: 10, bears: 3, says: 503 });
  expect(used).toBeGreaterThan(0.85);
  expect(refused).toBeLessThanOrEqual(58);
});

test.each([
  { limit: 10, broken: 0.003 },
  { limit: 10, broken: 0.01 },
  { limit: 10, broken: 0.05 },
  { limit: 40, broken: 0.01 },
])('what answers 503 to $broken of the requests at any rate costs little of a limit of $limit', async (service) => {
  const { used } = await sendTo({ ...service, bears: Number.POSITIVE_INFINITY, says: 503 });
  expect(used).toBeGreaterThan(0.8);
});

test('what says so of all requests has hardly any left to answer', async () => {
  const { refused } = await sendTo({ limit: 10, bears: 0, says: 429 });
  expect(refused).toBeLessThan(400);
});

test('what may be broken and answers 503 to all leaves an account a tenth of its limit, and little more', async () => {
  const { refused } = await sendTo({ limit: 10, bears: 0, says: 503 });
  expect(refused / (30 * 60)).toBeGreaterThan(0.95);
  expect(refused / (30 * 60)).toBeLessThan(1.5);
});
