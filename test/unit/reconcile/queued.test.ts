import { expect, test } from 'vitest';
import { holdForHour } from '../../../src/reconcile/queued.ts';

const now = Date.UTC(2026, 0, 1, 12);
const budget = { used: 500, limit: 500, reads: 450, resetsAt: now + 400_000 };
const hold = (message: string, retryAfterSeconds: number) => ({
  state: 'Waiting',
  reason: 'Queued',
  message: `Waiting for its turn: ${message}`,
  isProgress: true,
  keepsReady: true,
  retryAfterSeconds,
});
const usedUp = 'the account has used up the 500 web acceleration requests of an hour.';
const kept =
  'the account has used 450 of the 500 web acceleration requests of an hour, and the rest is kept for changes.';
const asked = 'the service has asked the account for fewer web acceleration requests.';

test.each([
  ['an hour with room', { ...budget, used: 449 }, 'list', undefined],
  [
    'an hour without room for reads',
    { ...budget, used: 463 },
    'list',
    hold(`${kept} It continues at about 2026-01-01T12:10:00Z.`, 400),
  ],
  ['an hour with room for changes', { ...budget, used: 463 }, 'write', undefined],
  ['an hour that is used up', budget, 'upload', hold(`${usedUp} It continues at about 2026-01-01T12:10:00Z.`, 400)],
  ['one of which nobody knows since when', { ...budget, resetsAt: undefined }, 'write', hold(usedUp, 30)],
  [
    'a service that wants none',
    { ...budget, used: 3, closedUntil: now + 61_000 },
    'write',
    hold(`${asked} It continues at 2026-01-01T12:01:01Z.`, 61),
  ],
  ['a service that wanted none', { ...budget, used: 3, closedUntil: now }, 'write', undefined],
] as const)('%s', (_, { resetsAt, ...of }, lane, expected) => {
  expect(holdForHour({ ...of, ...(resetsAt !== undefined && { resetsAt }) }, lane, now)).toEqual(expected);
});

test('who looks again each half minute, while one after another goes, is told something else each five minutes', () => {
  const told = new Set<string | undefined>();
  for (let passed = 0; passed < 1_200_000; passed += 30_000) {
    told.add(holdForHour({ ...budget, resetsAt: now + passed + 7000 }, 'write', now + passed)?.message);
  }
  expect(told.size).toBe(4);
});
