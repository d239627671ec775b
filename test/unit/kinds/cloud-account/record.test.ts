import { expect, test } from 'vitest';
import { createLimiter } from '../../../../src/cloud/limiter/limiter.ts';
import {
  type Budget,
  budgetOf,
  closedUntil,
  closingOf,
  isSignedRecord,
  restoredFrom,
} from '../../../../src/kinds/cloud-account/record.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const KEY = 'CloudAccount/fleet/default';
const signer = { identity: 'here', digest: (value: string) => `digest of ${value}` };
const spent = { used: 490, limit: 500, reserved: 10, resetsAt: 3_600_000, at: Date.parse('2026-01-01T00:00:00Z') };
const record = budgetOf(KEY, signer, spent);

test('a record is good in the account, and for the token, that it was made for', () => {
  const isGood = [
    isSignedRecord(KEY, signer, record),
    isSignedRecord('CloudAccount/other/default', signer, record),
    isSignedRecord(KEY, { ...signer, identity: 'elsewhere' }, record),
    isSignedRecord(KEY, { ...signer, digest: (value) => `another digest of ${value}` }, record),
  ];
  expect(isGood).toEqual([true, false, false, false]);
});

test.each<[string, Partial<Budget>]>([
  ['used', { used: 491 }],
  ['limit', { limit: 1 }],
  ['reserved', { reserved: 0 }],
  ['resetsAt', { resetsAt: '2099-01-01T00:00:00Z' }],
  ['recordedAt', { recordedAt: '2026-01-01T00:00:01Z' }],
  ['identity', { identity: undefined }],
])('a record whose %s was changed is none', (_, change) => {
  expect(isSignedRecord(KEY, signer, { ...record, ...change })).toBe(false);
});

const byAge = { counts: [1, 0, 0, 0, 0, 489], latest: 42_000 };
const spread = budgetOf(KEY, signer, { ...spent, sent: byAge });
const ofLate = { counts: [490, 0, 0, 0, 0, 0], latest: 42_000 };

test('a record is signed as by versions that did not tell the ages of what was used', () => {
  const { sent, ...rest } = spread;
  expect([rest, sent?.byAge, budgetOf(KEY, signer, { ...spent, sent: ofLate })]).toEqual([
    record,
    byAge.counts,
    record,
  ]);
});

const told = { byAge: [], latestSeconds: 0, identity: '', ...spread.sent };
test.each<[string, Budget, typeof byAge | undefined]>([
  ['as they were written', spread, byAge],
  ['no others', { ...spread, sent: { ...told, byAge: [0, 0, 0, 0, 0, 490] } }, undefined],
  ['not of five minutes that began earlier', { ...spread, sent: { ...told, latestSeconds: 3000 } }, undefined],
  ['none of another record', { ...budgetOf(KEY, signer, { ...spent, used: 491 }), sent: spread.sent }, undefined],
])('the ages of what was used are believed %s', (_, budget, believed) => {
  expect(restoredFrom(signer, budget).sent).toEqual(believed);
});

test('a record of no time counts as of now, whatever was used of the hour, and what no hour has is not counted', async () => {
  const clock = new ManualClock();
  const limiter = createLimiter({ clock, limits: { webAccelRequestsPerHour: 500, cloudRequestsPerSecond: 5 } });
  limiter.restore({ used: 400, at: clock.now() });
  limiter.restore(restoredFrom(signer, { used: 1, limit: 500, recordedAt: 'yesterday' }));
  expect(limiter.budget()).toMatchObject({ used: 400, resetsAt: clock.now() + 3_600_000 });
  const { MAX_SAFE_INTEGER: most } = Number;
  limiter.restore(restoredFrom(signer, { used: most, reserved: most, limit: 500, recordedAt: 'tomorrow' }));
  expect(limiter.budget()).toMatchObject({ used: 2000, resetsAt: clock.now() + 3_600_000 });
  await clock.advance(3_600_001);
  // What was reserved may be sent for some minutes more, if it was for a command.
  expect(limiter.budget().used).toBe(1000);
  await clock.advance(360_000);
  expect(limiter.budget().used).toBe(0);
});

test('of more than any hour has, what was sent last counts for longest', async () => {
  const clock = new ManualClock();
  const limiter = createLimiter({ clock, limits: { webAccelRequestsPerHour: 500, cloudRequestsPerSecond: 5 } });
  const at = clock.now();
  const most = budgetOf(KEY, signer, {
    used: 2000,
    limit: 500,
    reserved: 0,
    sent: { counts: [1000, 0, 1000], latest: 0 },
    at,
  });
  limiter.restore(restoredFrom(signer, most));
  await clock.advance(3_595_000);
  expect(limiter.budget().used).toBe(1000);
  await clock.advance(10_000);
  expect(limiter.budget().used).toBe(0);
});

test('what says until when the service wants nothing is good in the account, and for the token, that it was made for', () => {
  const until = Date.parse('2026-01-01T00:30:00Z');
  const closing = closingOf(KEY, signer, until - 400);
  expect(closing.until).toBe('2026-01-01T00:30:00Z');
  expect([
    closedUntil(KEY, signer, closing),
    closedUntil('CloudAccount/other/default', signer, closing),
    closedUntil(KEY, { ...signer, identity: 'elsewhere' }, closing),
    closedUntil(KEY, { ...signer, digest: (value) => `another digest of ${value}` }, closing),
    closedUntil(KEY, signer, { ...closing, until: '2026-01-01T23:30:00Z' }),
    closedUntil(KEY, signer, undefined),
  ]).toEqual([until, undefined, undefined, undefined, undefined, undefined]);
});
