import { expect, test } from 'vitest';
import { createLimiter } from '../../../../src/cloud/limiter/limiter.ts';
import { createHours } from '../../../../src/kinds/cloud-account/hours.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const clock = new ManualClock();
const limits = { webAccelRequestsPerHour: 500, cloudRequestsPerSecond: 5 };

/** The limiter of an account that sent so many. */
function limiterOf(used: number) {
  const limiter = createLimiter({ clock, limits });
  limiter.restore({ used, at: clock.now() });
  return limiter;
}

test('an identity that comes back within the hour goes on with what it has used, once', async () => {
  const hours = createHours(clock);
  const used = limiterOf(300);
  hours.keep('used', used);
  hours.keep('idle', limiterOf(0));
  await clock.advance(59 * 60_000);
  expect([hours.takeBack('used'), hours.takeBack('used'), hours.takeBack('idle')]).toEqual([
    used,
    undefined,
    undefined,
  ]);
});

test('after the hour there is nothing to go on with', async () => {
  const hours = createHours(clock);
  hours.keep('used', limiterOf(300));
  await clock.advance(62 * 60_000);
  expect(hours.takeBack('used')).toBeUndefined();
});

test('of too many the first are dropped', () => {
  const hours = createHours(clock, 2);
  for (const identity of ['a', 'b', 'c']) hours.keep(identity, limiterOf(1));
  expect(['a', 'b', 'c'].map((identity) => hours.takeBack(identity) !== undefined)).toEqual([false, true, true]);
});

test('what was on record covers nothing when the account comes back', async () => {
  let asked = 0;
  const limiter = createLimiter({ clock, limits, onRecordWanted: () => asked++ });
  const first = limiter.acquire('webaccel', 'write');
  limiter.record().confirm();
  const permit = await first;
  permit.sent();
  permit.release();
  const hours = createHours(clock);
  hours.keep('used', limiter);
  const back = hours.takeBack('used');
  const before = asked;
  const second = back?.acquire('webaccel', 'write');
  await clock.advance(1000);
  expect([back?.waiting().webaccel.write, asked - before]).toEqual([1, 1]);
  back?.record().confirm();
  await expect(second).resolves.toBeDefined();
});
