import { expect, test } from 'vitest';
import { createLimiter, type Limiter } from '../../../../src/cloud/limiter/limiter.ts';
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

test('of too many those go first that have used least, and of these the first', () => {
  const hours = createHours(clock, 3);
  const used = { 'used up': 500, a: 1, b: 1, c: 1, d: 2 };
  for (const [identity, count] of Object.entries(used)) hours.keep(identity, limiterOf(count));
  expect(Object.keys(used).filter((identity) => hours.takeBack(identity) !== undefined)).toEqual(['used up', 'c', 'd']);
});

test('a thousand accounts that are made and deleted by somebody take nothing of an hour that is used up', () => {
  const hours = createHours(clock);
  hours.keep('used up', limiterOf(500));
  for (let junk = 0; junk < 1000; junk++) hours.keep(`junk ${junk}`, limiterOf(1));
  expect(hours.takeBack('used up')?.budget().used).toBe(500);
});

test('a thousand used-up hours of one namespace take nothing of what another has kept, whoever names its token', () => {
  const hours = createHours(clock);
  const keep = (identity: string, limiter: Limiter, namespace: string, isVerified = true) => {
    hours.left(limiter, namespace, isVerified);
    hours.keep(identity, limiter);
  };
  const paced = limiterOf(0);
  paced.overloaded('cloud', clock.monotonic(), 'surely');
  keep('little used', limiterOf(1), 'victim');
  keep('paced', paced, 'victim');
  keep('named', limiterOf(1), 'victim');
  const named = hours.takeBack('named');
  if (named) keep('named', named, 'junk', false);
  for (let junk = 0; junk < 1000; junk++) keep(`junk ${junk}`, limiterOf(500), 'junk');
  const kept = ['little used', 'paced', 'named', 'junk 0', 'junk 999'];
  expect(kept.map((identity) => hours.takeBack(identity) !== undefined)).toEqual([true, true, true, false, true]);
});

test('what the service holds back counts as much as an hour that is used up', () => {
  const hours = createHours(clock, 3);
  const asked = {
    closed: (limiter: Limiter) => limiter.throttled('webaccel', 3600),
    slowed: (limiter: Limiter) => limiter.overloaded('cloud', clock.monotonic(), 'surely'),
  };
  for (const [identity, ask] of Object.entries(asked)) {
    const limiter = limiterOf(0);
    ask(limiter);
    hours.keep(identity, limiter);
  }
  for (let other = 0; other < 10; other++) hours.keep(`other ${other}`, limiterOf(499));
  expect(Object.keys(asked).map((identity) => hours.takeBack(identity) !== undefined)).toEqual([true, true]);
});

test('what the service asked for holds for the account that is made anew', () => {
  const hours = createHours(clock);
  const asked = {
    'closed for cloud': (limiter: Limiter) => limiter.throttled('cloud', 60),
    'closed for web acceleration': (limiter: Limiter) => limiter.throttled('webaccel', 3600),
    slowed: (limiter: Limiter) => limiter.overloaded('cloud', clock.monotonic(), 'surely'),
    idle: () => {},
  };
  for (const [identity, ask] of Object.entries(asked)) {
    const limiter = limiterOf(0);
    ask(limiter);
    hours.keep(identity, limiter);
  }
  expect(
    Object.keys(asked).map((identity) => {
      const back = hours.takeBack(identity);
      return back && [back.rate(), back.closedUntil('webaccel')];
    }),
  ).toEqual([[0, undefined], [5, clock.now() + 3_600_000], [2.5, undefined], undefined]);
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
