import { describe, expect, test } from 'vitest';
import type { Lane } from '../../../../src/cloud/limiter/lanes.ts';
import { createLimiter, type RestoredBudget } from '../../../../src/cloud/limiter/limiter.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const HOUR = 3_600_000;
const SECOND = 1000;

interface Account {
  readonly limit?: number;
  /** By default several namespaces may use it. */
  readonly isShared?: boolean;
  readonly restored?: RestoredBudget;
  readonly clock?: ManualClock;
}

function accountOf({ limit = 500, isShared = true, restored, clock = new ManualClock() }: Account = {}) {
  const limits = { webAccelRequestsPerHour: limit, cloudRequestsPerSecond: 10, isShared };
  const limiter = createLimiter({ clock, limits, ...(restored && { restored }) });
  const counts = new Map<string, number>();
  const countOf = (party: string) => counts.get(party) ?? 0;
  async function ask(lane: Lane, party: string): Promise<void> {
    const permit = await limiter.acquire('webaccel', lane, undefined, undefined, party);
    permit.sent();
    counts.set(party, countOf(party) + 1);
    permit.release();
  }
  /** Asks for so many at once, and lets them go for so long. */
  async function askFor(requests: number, party: string, milliseconds: number, lane: Lane = 'write'): Promise<void> {
    for (let request = 0; request < requests; request++) void ask(lane, party);
    await clock.advance(milliseconds);
  }
  /** One certificate that was renewed: a look, and the upload. Gives whether it is on the site in time. */
  async function renew(party: string, milliseconds: number): Promise<boolean> {
    let isDone = false;
    const renewing = async () => {
      await ask('upload', party);
      await ask('upload', party);
      isDone = true;
    };
    void renewing();
    await clock.advance(milliseconds);
    return isDone;
  }
  return { clock, limiter, ask, askFor, renew, countOf };
}

describe('of an hour that several namespaces share', () => {
  test('one that takes all it can leaves another its renewed certificate, within seconds', async () => {
    const { askFor, renew, countOf } = accountOf();
    await askFor(600, 'evil', 120 * SECOND);
    expect([countOf('evil'), await renew('victim', 2 * SECOND)]).toEqual([455, true]);
  });

  test.each([
    ['upload', 475],
    ['write', 455],
    ['verify', 455],
  ] as const)('nobody gets beyond that in lane %s', async (lane, most) => {
    const { askFor, countOf } = accountOf();
    await askFor(600, 'evil', 120 * SECOND, lane);
    expect(countOf('evil')).toBe(most);
  });

  test('who has used up what is for changes has what is for certificates, and others theirs after', async () => {
    const { askFor, countOf, renew } = accountOf();
    await askFor(600, 'evil', 120 * SECOND);
    await askFor(600, 'evil', 120 * SECOND, 'upload');
    const before = countOf('evil');
    await askFor(20, 'victim', 20 * SECOND);
    expect([before, countOf('victim'), await renew('victim', 2 * SECOND)]).toEqual([478, 1, true]);
  });

  test('the last are for whoever had fewer than are left: one more namespace has half of them', async () => {
    const { askFor, countOf } = accountOf();
    const parties = ['evil', 'second', 'third', 'fourth', 'fifth', 'sixth'];
    for (const party of parties) await askFor(600, party, 120 * SECOND);
    expect(parties.map(countOf)).toEqual([455, 13, 6, 3, 2, 1]);
  });

  test('a tenant with three namespaces more leaves a certificate of others its turn', async () => {
    const { askFor, renew } = accountOf();
    for (const party of ['evil', 'evil-2', 'evil-3', 'evil-4']) await askFor(600, party, 120 * SECOND);
    expect(await renew('victim', 2 * SECOND)).toBe(true);
  });

  test('what leaves the hour goes first to who had less', async () => {
    const { clock, askFor, renew, countOf } = accountOf();
    for (const party of ['evil', 'b', 'c', 'd', 'e', 'f']) await askFor(600, party, 120 * SECOND);
    await clock.advance(HOUR - 720 * SECOND);
    const before = countOf('evil');
    const isRenewed = await renew('victim', 3 * SECOND);
    expect([isRenewed, countOf('evil') - before <= 1]).toEqual([true, true]);
  });

  test('who had much has as much again once it is an hour ago', async () => {
    const { clock, askFor, countOf } = accountOf();
    await askFor(455, 'early', 120 * SECOND);
    await askFor(25, 'late', 120 * SECOND);
    await clock.advance(HOUR);
    await askFor(455, 'late', 120 * SECOND);
    await askFor(25, 'early', 120 * SECOND);
    expect([countOf('early'), countOf('late')]).toEqual([455 + 13, 13 + 455]);
  });

  test('what nobody in particular asks for has none of the last', async () => {
    const { clock, limiter, askFor } = accountOf();
    await askFor(600, 'evil', 120 * SECOND);
    let isGranted = false;
    void limiter.acquire('webaccel', 'verify').then(() => (isGranted = true));
    await clock.advance(60 * SECOND);
    expect(isGranted).toBe(false);
  });

  test('reads have no more of it than of any hour', async () => {
    const { askFor, countOf } = accountOf();
    await askFor(600, 'evil', 120 * SECOND, 'list');
    await askFor(600, 'victim', 120 * SECOND, 'list');
    expect([countOf('evil'), countOf('victim')]).toEqual([450, 0]);
  });

  test('a process that starts anew knows nobody, so each may have half of what is left, and no more than the hour goes', async () => {
    const clock = new ManualClock();
    const { askFor, countOf, renew, limiter } = accountOf({ clock, restored: { used: 455, at: clock.now() } });
    await askFor(600, 'evil', 120 * SECOND);
    expect([countOf('evil'), await renew('victim', 2 * SECOND), limiter.budget().used]).toEqual([13, true, 470]);
  });
});

describe('an hour', () => {
  test('of one namespace is all its own, but for the part of its certificates', async () => {
    const { askFor, countOf, renew, limiter } = accountOf({ isShared: false });
    await askFor(600, 'one', 120 * SECOND);
    expect([countOf('one'), await renew('one', 2 * SECOND)]).toEqual([480, true]);
    await askFor(600, 'one', 120 * SECOND, 'upload');
    expect([countOf('one'), limiter.budget().used]).toEqual([500, 500]);
  });

  test('in which one renews without end leaves the changes of the same namespace a twentieth', async () => {
    const { clock, ask, limiter } = accountOf({ isShared: false });
    let changes = 0;
    const go = async (of: Lane, onGone: () => void) => {
      for (;;) {
        await ask(of, 'one');
        onGone();
      }
    };
    for (let index = 0; index < 4; index++) void go('upload', () => undefined);
    void go('write', () => changes++);
    await clock.advance(2 * HOUR);
    expect([changes > 45, limiter.budget().used]).toEqual([true, 500]);
  });

  test('that is too small to be divided has nothing kept', async () => {
    const { askFor, countOf } = accountOf({ limit: 19 });
    await askFor(600, 'one', 120 * SECOND, 'upload');
    expect(countOf('one')).toBe(19);
  });

  test('that becomes another’s, too, is divided from then on', async () => {
    const { clock, limiter, askFor, countOf } = accountOf({ isShared: false });
    await askFor(460, 'one', 120 * SECOND);
    limiter.setLimits({ ...limiter.limits(), isShared: true });
    await askFor(600, 'one', 120 * SECOND);
    await askFor(5, 'other', 2 * SECOND);
    expect([countOf('one'), countOf('other'), limiter.budget().used]).toEqual([460, 5, 465]);
    await clock.advance(HOUR);
    expect(countOf('one')).toBe(460 + 455);
  });
});

describe('who is refused what is kept for others', () => {
  test('is told that, and when its turn comes; who is not, that it comes at once', async () => {
    const { clock, limiter, ask, askFor } = accountOf();
    for (let request = 0; request < 455; request++) {
      await askFor(1, 'evil', 2 * SECOND);
    }
    const of = (party: string) => {
      const { opensAt, ...hour } = limiter.hourFor('write', party);
      return { ...hour, ...(opensAt !== undefined && { inSeconds: (opensAt - clock.now()) / 1000 }) };
    };
    const outlook = limiter.outlook('webaccel', 'write');
    const expected = outlook.secondsFor(1, 'evil');
    expect({ evil: of('evil'), victim: of('victim'), isKept: outlook.isKept('evil') }).toEqual({
      evil: { used: 455, limit: 500, most: 455, reads: 450, rest: 'others', inSeconds: expected },
      victim: { used: 455, limit: 500, most: 480, reads: 450, rest: 'certificates' },
      isKept: true,
    });
    const began = clock.monotonic();
    let took = Number.NaN;
    void ask('write', 'evil').then(() => (took = (clock.monotonic() - began) / 1000));
    while (Number.isNaN(took)) await clock.advance(SECOND);
    expect(took / expected).toBeCloseTo(1, 2);
    expect(limiter.outlook('webaccel', 'write').isKept('victim')).toBe(false);
  });

  test.each([1, 10, 13, 14, 20, 40, 600])('has the time of %i requests foretold, as who is not', async (requests) => {
    const { clock, limiter, ask, askFor } = accountOf();
    for (let request = 0; request < 455; request++) await askFor(1, 'evil', 7 * SECOND);
    const expected = limiter.outlook('webaccel', 'write').secondsFor(requests, 'victim');
    const began = clock.monotonic();
    const send = async () => {
      for (let request = 0; request < requests; request++) await ask('write', 'victim');
      return (clock.monotonic() - began) / 1000;
    };
    let took = Number.NaN;
    void send().then((seconds) => (took = seconds));
    while (Number.isNaN(took)) await clock.advance(SECOND);
    expect(Math.abs(expected - took)).toBeLessThan(Math.max(2, took / 10));
  });

  test('has nothing put on record for it', async () => {
    let wanted = 0;
    const clock = new ManualClock();
    const limits = { webAccelRequestsPerHour: 500, cloudRequestsPerSecond: 10, isShared: true };
    const limiter = createLimiter({ clock, limits, onRecordWanted: () => wanted++ });
    const ask = async (party: string) => {
      const permit = await limiter.acquire('webaccel', 'write', undefined, undefined, party);
      permit.sent();
      permit.release();
    };
    for (let request = 0; request < 600; request++) void ask('evil');
    for (let second = 0; second < 300; second++) {
      if (limiter.record().wanted) limiter.record().confirm();
      await clock.advance(SECOND);
    }
    const before = wanted;
    for (let minute = 0; minute < 20; minute++) await clock.advance(60 * SECOND);
    const { used, reserved } = limiter.record();
    expect({ used, reserved, wanted: wanted - before }).toEqual({ used: 455, reserved: 0, wanted: 0 });
    void ask('victim');
    await clock.advance(SECOND);
    expect([wanted - before, limiter.record().reserved]).toEqual([1, 1]);
  });
});
