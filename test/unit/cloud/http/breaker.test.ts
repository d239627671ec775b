import { describe, expect, it } from 'vitest';
import { RetryableError } from '../../../../src/cloud/errors.ts';
import type { CallSite } from '../../../../src/cloud/http/answer-errors.ts';
import { type Breaker, createBreaker, type Outcome, ServiceFailingError } from '../../../../src/cloud/http/breaker.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const PUT = 'PUT /site/:id/certificate';
const MINUTE = 60_000;

function siteOf(route: string, id: string): CallSite {
  const name = route.replace(':id', id);
  return {
    route,
    name,
    ofResource: route.includes(':id'),
    write: !route.startsWith('GET'),
    idempotent: false,
    secrets: [],
  };
}

function failure(name: string): Outcome {
  return { failed: new RetryableError(`${name}: the service answered 500`, '', { route: name, status: 500 }) };
}

/** Sends a request, if it may be sent: gives the seconds to wait, or 0 when it was sent and had this outcome. */
function send(
  breaker: Breaker,
  route: string,
  id: string,
  outcome: 'failed' | 'answered',
  party?: string,
  work?: number,
  failedBefore?: { readonly call: string; readonly since: number },
): number {
  const site = siteOf(route, id);
  const turn = work === undefined ? undefined : { began: work, failedBefore };
  try {
    breaker.begin('webaccel', site, party, turn)(outcome === 'failed' ? failure(site.name) : outcome);
    return 0;
  } catch (error) {
    if (!(error instanceof ServiceFailingError)) throw error;
    return error.retryAfterSeconds ?? Number.NaN;
  }
}

/** What forty objects send in that time to a service that fails, each as often as it may. */
async function sentBy(
  objects: number,
  milliseconds: number,
  workOf: (id: number) => number | undefined = () => undefined,
): Promise<{ sent: number; breaker: Breaker; clock: ManualClock }> {
  const clock = new ManualClock();
  const breaker = createBreaker(clock);
  const due = Array.from({ length: objects }, () => 0);
  let sent = 0;
  while (clock.monotonic() < milliseconds) {
    for (const [id, at] of due.entries()) {
      if (at > clock.monotonic()) continue;
      const wait = send(breaker, PUT, String(id), 'failed', undefined, workOf(id));
      if (wait === 0) sent++;
      due[id] = clock.monotonic() + Math.max(1, wait) * 1000;
    }
    await clock.advance(1000);
  }
  return { sent, breaker, clock };
}

describe('an operation that the service fails', () => {
  it.each([
    [MINUTE, 7],
    [60 * MINUTE, 21],
  ])('is tried by forty objects in %i ms no more than %i times', async (milliseconds, most) => {
    expect((await sentBy(40, milliseconds)).sent).toBe(most);
  });

  it('goes on for all at once when a probe was answered', async () => {
    const { breaker, clock } = await sentBy(40, MINUTE);
    const wait = send(breaker, PUT, '1', 'answered');
    expect(wait).toBeLessThanOrEqual(64);
    await clock.advance(wait * 1000);
    const after = ['2', '3', '4'].map((id) => send(breaker, PUT, id, 'answered'));
    expect(after).toEqual([0, 0, 0]);
  });

  it('is tried by one at a time, and the others ask again in a second', async () => {
    const { breaker, clock } = await sentBy(40, MINUTE);
    await clock.advance(2 * MINUTE);
    const told = breaker.begin('webaccel', siteOf(PUT, '1'));
    expect(send(breaker, PUT, '2', 'answered')).toBe(1);
    told('unclear');
    expect(send(breaker, PUT, '2', 'answered')).toBe(0);
  });

  it('is told with the reason and since when, and what is asked for the next time', () => {
    const breaker = createBreaker(new ManualClock());
    for (const id of ['1', '2', '3']) send(breaker, PUT, id, 'failed');
    expect(() => breaker.check(siteOf(PUT, '7'))).toThrow(
      expect.objectContaining({
        code: 'ServiceFailing',
        class: 'Retryable',
        message:
          'PUT /site/7/certificate: not sent, because this operation has been failing since 2026-01-01T00:00:00Z: PUT /site/:id/certificate: the service answered 500',
        retryAfterSeconds: 2,
      }),
    );
  });

  it('keeps no other operation from being sent, and once one works again the others are tried, too', async () => {
    const clock = new ManualClock();
    const breaker = createBreaker(clock);
    for (const id of ['1', '2', '3']) send(breaker, PUT, id, 'failed');
    for (let n = 0; n < 3; n++) send(breaker, 'GET /site', '', 'failed');
    expect(send(breaker, 'GET /site/:id', '1', 'answered')).toBe(0);
    await clock.advance(2000);
    for (let n = 0; n < 6; n++) {
      send(breaker, PUT, '1', 'failed');
      await clock.advance(1000 * send(breaker, PUT, '1', 'failed'));
    }
    send(breaker, PUT, '1', 'failed');
    expect(send(breaker, 'GET /site', '', 'answered')).toBe(0);
    expect(send(breaker, PUT, '1', 'answered')).toBe(0);
  });
});

/** Failures that one sound object waits for, where so many others fail and each asks as soon as it may, the sound one last. */
async function failuresBefore(failing: number, party: string | undefined, before: number): Promise<number> {
  const clock = new ManualClock();
  const breaker = createBreaker(clock);
  const due = Array.from({ length: failing + 1 }, () => 0);
  let failures = 0;
  for (;;) {
    for (const [id, at] of due.entries()) {
      if (at > clock.monotonic()) continue;
      const isSound = id === failing;
      if (isSound && failures < before) continue;
      const wait = send(breaker, PUT, String(id), isSound ? 'answered' : 'failed', isSound ? party : party && 'crowd');
      if (isSound && wait === 0) return failures - before;
      if (wait === 0) failures++;
      due[id] = clock.monotonic() + Math.max(1, wait) * 1000;
    }
    await clock.advance(1000);
  }
}

describe('what works, among much that fails by itself,', () => {
  it.each([
    ['is tried next, though others of its namespace ask, too', 3, 'crowd', 0],
    ['is tried next, though forty of another namespace were not tried yet', 40, 'harbour', 0],
    ['is tried after those of its namespace that were not tried either', 10, 'crowd', 10],
  ] as const)('%s', async (_, failing, party, most) => {
    expect(await failuresBefore(failing, party, 7)).toBeLessThanOrEqual(most);
  });
});

describe('work that has just begun, on what has not failed, where much waits for its first try,', () => {
  /** Seconds that each of these pieces of work waits which begin at this moment, and whether they fail then. */
  const begin = (breaker: Breaker, ids: readonly string[], outcome: 'failed' | 'answered') =>
    ids.map((id, index) => send(breaker, PUT, id, outcome, 'crowd', 1_000_000 + index));

  it('is tried at once, an hour after the others began', async () => {
    const { breaker, clock } = await sentBy(40, 3 * MINUTE, (id) => id);
    await clock.advance(60 * MINUTE);
    // Those that may go by the turn of all.
    while (send(breaker, PUT, '0', 'failed', 'crowd', 0) === 0) await clock.advance(1000);
    expect(begin(breaker, ['new'], 'answered')).toEqual([0]);
  });

  it.each([7, 20, 45])('is tried once a minute, where something begins each %i seconds and fails', async (seconds) => {
    const { breaker, clock } = await sentBy(40, 3 * MINUTE, (id) => id);
    let sent = 0;
    for (let index = 0; index * seconds < 3600; index++) {
      if (send(breaker, PUT, `new ${index}`, 'failed', 'crowd', 1_000_000 + index) === 0) sent++;
      await clock.advance(seconds * 1000);
    }
    expect(sent).toBeGreaterThanOrEqual(45);
    // And what the turns of all, and of what has not failed, let through.
    expect(sent).toBeLessThanOrEqual(60 + 8 + 24);
  });

  it('is tried eight times in a minute, however much begins at once, and then as all else', async () => {
    const clock = new ManualClock();
    const breaker = createBreaker(clock);
    for (const id of ['1', '2', '3']) send(breaker, PUT, id, 'failed');
    const sent: number[] = [];
    for (let second = 0; second < 600; second++) {
      const waits = begin(
        breaker,
        Array.from({ length: 1000 }, (_, index) => `new ${index}`),
        'failed',
      );
      sent.push(waits.filter((wait) => wait === 0).length);
      await clock.advance(1000);
    }
    const first = sent.slice(0, 61).reduce((sum, count) => sum + count, 0);
    const later = sent.slice(61).reduce((sum, count) => sum + count, 0);
    expect([first, later]).toEqual([8, 5]);
  });
});

it('what failed before this process keeps no work that has just begun waiting', async () => {
  const clock = new ManualClock();
  const breaker = createBreaker(clock);
  const failedBefore = (id: string) => ({ call: siteOf(PUT, id).name, since: Number.NEGATIVE_INFINITY });
  const all = Array.from({ length: 40 }, (_, id) => String(id));
  // All of them ask for ten minutes.
  for (let second = 0; second < 600; second++) {
    for (const id of all) send(breaker, PUT, id, 'failed', undefined, Number(id), failedBefore(id));
    await clock.advance(1000);
  }
  expect(send(breaker, PUT, 'new', 'answered', undefined, 100)).toBe(0);
});

describe('failures that say nothing of the service', () => {
  it.each([
    ['of one object alone', Array.from({ length: 20 }, (): [string, 'failed'] => ['1', 'failed'])],
    [
      'between answers',
      [
        ['1', 'failed'],
        ['2', 'failed'],
        ['3', 'answered'],
        ['1', 'failed'],
        ['2', 'failed'],
      ] as [string, 'failed' | 'answered'][],
    ],
  ])('are those %s', (_, outcomes) => {
    const breaker = createBreaker(new ManualClock());
    expect(outcomes.map(([id, outcome]) => send(breaker, PUT, id, outcome)).every((wait) => wait === 0)).toBe(true);
  });
});
