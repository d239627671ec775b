import { expect, test } from 'vitest';
import { holdForHour } from '../../../src/reconcile/queued.ts';

const now = Date.UTC(2026, 0, 1, 12);
const hour = { used: 500, limit: 500, most: 500, reads: 450, rest: 'nobody', opensAt: now + 400_000 } as const;
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
const keptForCertificates =
  'the account has used 480 of the 500 web acceleration requests of an hour, and the rest is kept for certificates.';
const keptForOthers =
  'the account has used 475 of the 500 web acceleration requests of an hour, and the rest is kept for namespaces that had less of it than this one.';
const asked = 'the service has asked the account for fewer web acceleration requests.';

test.each([
  ['an hour with room', { ...hour, used: 449, most: 450, rest: 'changes' }, undefined],
  [
    'an hour without room for reads',
    { ...hour, used: 463, most: 450, rest: 'changes' },
    hold(`${kept} It continues at about 2026-01-01T12:10:00Z.`, 400),
  ],
  ['an hour with room for changes', { ...hour, used: 463, most: 480, rest: 'certificates' }, undefined],
  [
    'an hour without room for changes',
    { ...hour, used: 483, most: 480, rest: 'certificates' },
    hold(`${keptForCertificates} It continues at about 2026-01-01T12:10:00Z.`, 400),
  ],
  [
    'an hour of which the rest is kept for who had less',
    { ...hour, used: 481, most: 475, rest: 'others' },
    hold(`${keptForOthers} It continues at about 2026-01-01T12:10:00Z.`, 400),
  ],
  ['an hour that is used up', hour, hold(`${usedUp} It continues at about 2026-01-01T12:10:00Z.`, 400)],
  ['one of which nobody knows since when', { ...hour, opensAt: undefined }, hold(usedUp, 30)],
  [
    'a service that wants none',
    { ...hour, used: 3, closedUntil: now + 61_000 },
    hold(`${asked} It continues at 2026-01-01T12:01:01Z.`, 61),
  ],
  ['a service that wanted none', { ...hour, used: 3, closedUntil: now }, undefined],
] as const)('%s', (_, { opensAt, ...of }, expected) => {
  expect(holdForHour({ ...of, ...(opensAt !== undefined && { opensAt }) }, now)).toEqual(expected);
});

test('who looks again each half minute, while one after another goes, is told something else each five minutes', () => {
  const told = new Set<string | undefined>();
  for (let passed = 0; passed < 1_200_000; passed += 30_000) {
    told.add(holdForHour({ ...hour, opensAt: now + passed + 7000 }, now + passed)?.message);
  }
  expect(told.size).toBe(4);
});
