import { beforeEach, describe, expect, it } from 'vitest';
import { HourRefused } from '../../../../src/cli/service/errors.ts';
import { createGentleLimiter, type GentleLimiter } from '../../../../src/cli/service/gentle.ts';
import { ManualClock, settle } from '../../../support/manual-clock.ts';

let clock: ManualClock;
let claims: number[];
let pauses: number[];
beforeEach(() => {
  clock = new ManualClock();
  claims = [];
  pauses = [];
});

function limiterOf(most = 10, refuse?: HourRefused): GentleLimiter {
  return createGentleLimiter({
    clock,
    most,
    cloudRequestsPerSecond: 100,
    onPause: (seconds) => void pauses.push(seconds),
    claims: {
      claim(requests) {
        if (refuse) return Promise.reject(refuse);
        claims.push(requests);
        const until = clock.monotonic() + 60_000;
        return Promise.resolve({ requests, isOpen: () => clock.monotonic() < until });
      },
    },
  });
}

/** Sends one web acceleration request. */
async function send(limiter: GentleLimiter): Promise<void> {
  const permit = await limiter.acquire('webaccel', 'list');
  permit.sent();
  permit.release();
}

describe('web acceleration requests of a command', () => {
  it('are claimed before they are sent: as many as are announced, and each that comes unannounced', async () => {
    const limiter = limiterOf();
    await limiter.reserve(2);
    const sending = [send(limiter), send(limiter), send(limiter)];
    await clock.advance(1000);
    await Promise.all(sending);
    expect([claims, limiter.usage()]).toEqual([[2, 1], { claimed: 3, sent: 3, most: 10 }]);
  });

  it('are never more than may be sent', async () => {
    const limiter = limiterOf(2);
    await expect(limiter.reserve(3)).rejects.toThrow('it would take 3 requests');
    const sending = Promise.allSettled([send(limiter), send(limiter), send(limiter)]);
    await clock.advance(1000);
    const ends = await sending;
    expect([ends.map(({ status }) => status), claims]).toEqual([
      ['fulfilled', 'fulfilled', 'rejected'],
      [1, 1],
    ]);
  });

  it('that were not sent may be sent later, but not after their time', async () => {
    const limiter = limiterOf();
    await limiter.reserve(1);
    (await limiter.acquire('webaccel', 'list')).release();
    await send(limiter);
    expect(claims).toEqual([1]);
    await limiter.reserve(1);
    await clock.advance(60_000);
    await send(limiter);
    expect(claims).toEqual([1, 1, 1]);
  });

  it('are not written once their time is over, though they were granted before', async () => {
    const limiter = limiterOf();
    const permit = await limiter.acquire('webaccel', 'list');
    await clock.advance(60_000);
    expect(() => permit.sent()).toThrow('the time for requests that were asked for is over');
  });

  it('end where the hour has no room, and once the service wants fewer', async () => {
    const refused = new HourRefused('no room', 'Try later.');
    await expect(send(limiterOf(10, refused))).rejects.toBe(refused);
    const limiter = limiterOf();
    await send(limiter);
    limiter.throttled('webaccel', 30);
    await expect(send(limiter)).rejects.toThrow('wants fewer web acceleration requests');
  });
});

describe('other requests of a command', () => {
  it('are three a second, claim nothing, and wait as long as the service asks for', async () => {
    const limiter = limiterOf();
    let sent = 0;
    const all = Array.from({ length: 9 }, async () => {
      const permit = await limiter.acquire('cloud', 'list');
      permit.sent();
      sent++;
      permit.release();
    });
    await clock.advance(1000);
    const first = sent;
    limiter.throttled('cloud', 20);
    await clock.advance(19_000);
    const paused = sent;
    await clock.advance(10_000);
    await Promise.all(all);
    expect([first, paused, sent, claims, pauses]).toEqual([6, 6, 9, [], [20]]);
  });

  it('end where it asks for longer than a person waits', async () => {
    const limiter = limiterOf();
    limiter.throttled('cloud', 600);
    await settle();
    await expect(limiter.acquire('cloud', 'list')).rejects.toMatchObject({
      message: 'the service wants fewer requests, so no more are sent',
      advice: 'Try again in 600 seconds.',
    });
  });
});
