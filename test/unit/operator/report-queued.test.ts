import { describe, expect, it } from 'vitest';
import type { Api } from '../../../src/cloud/limiter/lanes.ts';
import { createLimiter, type Limiter, type Outlook } from '../../../src/cloud/limiter/limiter.ts';
import { isToBeTold, queuedStatus, toldNow, waitingLong } from '../../../src/operator/report-queued.ts';
import type { CommonStatus, ManagedObject } from '../../../src/reconcile/managed-object.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** `kind` of so many resources, made one a second. */
function fleet(kind: string, count: number, status?: CommonStatus, deletionTimestamp?: string) {
  const list = Array.from({ length: count }, (_, number): ManagedObject => {
    const name = `${kind}-${number}`;
    const creationTimestamp = new Date(Date.UTC(1969, 0, 1) + number * 1000).toISOString();
    const metadata = { name, namespace: 'a', uid: name, resourceVersion: '1', creationTimestamp };
    return {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind,
      metadata: { ...metadata, ...(deletionTimestamp && { deletionTimestamp }) },
      spec: {},
      ...(status && { status }),
    };
  }).toReversed();
  return { reconciler: { kind }, informer: { list: () => list } };
}

/** What is to be expected where the time of each request follows from how many go before it. */
const outlook = (secondsFor: (requests: number) => number, closedUntil?: number): Outlook => ({
  secondsFor,
  closedUntil,
  isSlowed: false,
  isKept: () => false,
});
const at = (rate: number) => () => outlook((requests) => requests / rate);
const inAMinute = () => outlook(() => 60);
const names = (waiting: ReturnType<typeof waitingLong>) =>
  waiting.map(({ object, place }) => `${place.before} before ${object.metadata.name}`);
const one = { accountOf: () => 'one', now: 0 };

it('tells whoever has to wait for seconds how many of its account are before it', () => {
  const waiting = waitingLong({ ...one, kinds: [fleet('Sim', 10)], outlookOf: at(5) });
  expect(names(waiting)).toEqual([6, 7, 8, 9].map((number) => `${number} before Sim-${number}`));
});

it('tells nobody where the limits let a thousand go at once', () => {
  expect(waitingLong({ ...one, kinds: [fleet('Sim', 1000)], outlookOf: at(1000) })).toEqual([]);
});

it('counts what waits for the same limits, account by account', () => {
  const kinds = [fleet('Sim', 4), fleet('MobileGateway', 4), fleet('SiteCertificate', 2)];
  const waiting = waitingLong({
    ...one,
    kinds,
    accountOf: ({ metadata }) => (metadata.name === 'Sim-3' ? 'other' : 'one'),
    outlookOf: (account, api) => (account === 'other' || api === 'webaccel' ? inAMinute() : at(5)()),
  });
  expect(names(waiting)).toEqual([
    '0 before Sim-3',
    '6 before MobileGateway-3',
    '0 before SiteCertificate-0',
    '1 before SiteCertificate-1',
  ]);
});

it('asks what settings of sites and certificates have to expect each of its own lane', () => {
  const asked: string[] = [];
  waitingLong({
    ...one,
    kinds: ['Sim', 'WebAccelSite', 'SiteCertificate'].map((kind) => fleet(kind, 1)),
    outlookOf: (account, api, lane) => void asked.push(`${account} ${api} ${lane}`),
  });
  expect(asked).toEqual(['one cloud write', 'one webaccel list', 'one webaccel list']);
});

it('leaves it to a pass to say of a young site or certificate that it waits for the hour', () => {
  const now = Date.UTC(1969, 0, 1) + 20_000;
  const waiting = (kind: string) =>
    waitingLong({ ...one, now, kinds: [fleet(kind, 1)], outlookOf: () => outlook(() => 60) }).length;
  expect(['Sim', 'WebAccelSite', 'SiteCertificate'].map(waiting)).toEqual([1, 0, 0]);
});

it('asks for each namespace what it has to expect, and foretells that namespaces take turns', () => {
  const line = (namespace: string, count: number) => {
    const { reconciler, informer } = fleet('SiteCertificate', count);
    const list = informer.list().map((object) => {
      const { metadata } = object;
      return { ...object, metadata: { ...metadata, namespace, uid: `${namespace} ${metadata.uid}` } };
    });
    return { reconciler, informer: { list: () => list } };
  };
  const waiting = waitingLong({
    ...one,
    kinds: [line('evil', 40), line('victim', 2)],
    outlookOf: () => ({ ...outlook((requests) => requests * 10), isKept: (party) => party === 'evil' }),
  });
  const seconds = (name: string) =>
    waiting
      .filter(({ object }) => object.metadata.namespace === name)
      .map(({ place }) => [place.before, place.seconds, place.isKept]);
  expect(seconds('victim')).toEqual([
    [1, 50, false],
    [3, 130, false],
  ]);
  expect(seconds('evil').at(-1)).toEqual([41, 1650, true]);
});

it('leaves alone who has been told something, is to be deleted, or has no account that works', () => {
  const told = fleet('Sim', 9, queuedStatus(1, { before: 3, seconds: 60 }, 0));
  const silent = [fleet('Sim', 9, { conditions: [] }), fleet('Sim', 9, undefined, '2026-01-01T00:00:00Z')];
  expect(waitingLong({ ...one, kinds: silent, outlookOf: inAMinute })).toEqual([]);
  expect(waitingLong({ ...one, kinds: [told], outlookOf: () => undefined })).toEqual([]);
  expect(waitingLong({ ...one, kinds: [told], outlookOf: inAMinute })).toHaveLength(9);
});

it.each([
  [
    { before: 12, seconds: 4801 },
    'Waiting for its turn: 12 others were before it at 1970-01-01T00:00:00Z, and the account’s limits say how fast they may go. It continues at about 1970-01-01T01:20:10Z.',
  ],
  [
    { before: 1, seconds: 10 },
    'Waiting for its turn: 1 other was before it at 1970-01-01T00:00:00Z, and the account’s limits say how fast they may go. It continues at about 1970-01-01T00:00:10Z.',
  ],
  [
    { before: 0, seconds: 7 },
    'Waiting for its turn: the account’s limits say when the next request may go. It continues at about 1970-01-01T00:00:10Z.',
  ],
  [
    { before: 0, seconds: 59.5, closedUntil: 59_500 },
    'Waiting for its turn: the service wants none of the account’s requests until 1970-01-01T00:01:00Z. It continues at about 1970-01-01T00:01:00Z.',
  ],
  [
    { before: 2, seconds: 61, closedUntil: 60_000, isSlowed: true },
    'Waiting for its turn: 2 others were before it at 1970-01-01T00:00:00Z, and the service wants none of the account’s requests until 1970-01-01T00:01:00Z. It continues at about 1970-01-01T00:01:10Z.',
  ],
  [
    { before: 0, seconds: 59, isKept: true },
    'Waiting for its turn: what is left of the account’s hour is kept for namespaces that had less of it than this one. It continues at about 1970-01-01T00:01:00Z.',
  ],
  [
    { before: 40, seconds: 100, isSlowed: true },
    'Waiting for its turn: 40 others were before it at 1970-01-01T00:00:00Z, and the service has had too much to do to take as many requests as the account’s limits allow. It continues at about 1970-01-01T00:01:40Z.',
  ],
])('says it in a sentence: %o', (place, message) => {
  const condition = (type: string, status: string) => ({
    type,
    status,
    reason: 'Queued',
    message,
    lastTransitionTime: '1970-01-01T00:00:00Z',
    observedGeneration: 2,
  });
  expect(queuedStatus(2, place, 0)).toEqual({
    observedGeneration: 2,
    conditions: [condition('Ready', 'False'), condition('Synced', 'False'), condition('Reconciling', 'True')],
  });
});

describe('who waits while the service', () => {
  const limits = { webAccelRequestsPerHour: 500, cloudRequestsPerSecond: 10 };

  function messageAfter(happens: (limiter: Limiter) => void, kind = 'Sim'): string | undefined {
    const clock = new ManualClock(0);
    const limiter = createLimiter({ clock, limits });
    happens(limiter);
    const [first] = waitingLong({
      ...one,
      kinds: [fleet(kind, 1)],
      outlookOf: (_, api: Api, lane) => limiter.outlook(api, lane),
    });
    return first && queuedStatus(1, first.place, clock.now()).conditions?.[0]?.message;
  }

  it('has closed its API is told so, and until when', () => {
    expect(messageAfter((limiter) => limiter.throttled('cloud', 60))).toBe(
      'Waiting for its turn: the service wants none of the account’s requests until 1970-01-01T00:01:00Z. It continues at about 1970-01-01T00:01:00Z.',
    );
    expect(messageAfter((limiter) => limiter.throttled('webaccel', 3600), 'SiteCertificate')).toBe(
      'Waiting for its turn: the service wants none of the account’s requests until 1970-01-01T01:00:00Z. It continues at about 1970-01-01T01:00:10Z.',
    );
  });

  it('has closed it for a moment is told nothing', () => {
    expect(messageAfter((limiter) => limiter.throttled('cloud', 4))).toBeUndefined();
  });
});

describe('who waits on', () => {
  /** How often it is told in a line of which `left` says the seconds that it is thought to take at a time. */
  function timesTold(until: number, left: (seconds: number) => number): number {
    let told: ReturnType<typeof toldNow> | undefined;
    let times = 0;
    for (let seconds = 0; seconds < until; seconds++) {
      const place = { before: 1, seconds: left(seconds) };
      if (!isToBeTold(told, place, seconds * 1000)) continue;
      told = toldNow(told, place, seconds * 1000);
      times++;
    }
    return times;
  }

  it.each([
    [60, 1, 1],
    [5000, 1, 1],
    [5000, 1.2, 4],
    [5000, 2, 6],
    [5000, 0.5, 4],
    [5000, 10, 8],
  ])('for %i s, where the line is thought to be %d times as fast, is told %i times in all', (until, faster, times) => {
    expect(timesTold(until, (seconds) => (until - seconds) / faster)).toBe(times);
  });

  it('and is told something else each second hears of it seven times an hour', () => {
    expect(timesTold(3600, (seconds) => (seconds % 2 === 0 ? 100 : 10_000))).toBe(7);
  });

  it('is told at once that it has to wait longer, but not twice in half a minute, and after that not twice in a minute', () => {
    const place = (seconds: number, closedUntil?: number) => ({ before: 0, seconds, closedUntil });
    const told = toldNow(undefined, place(60), 0);
    expect([29_000, 30_000].map((now) => isToBeTold(told, place(600), now))).toEqual([false, true]);
    const again = toldNow(told, place(600), 30_000);
    expect([89_000, 90_000].map((now) => isToBeTold(again, place(60), now))).toEqual([false, true]);
  });

  it('is told that the service wants nothing though its turn comes when it was told', () => {
    const told = toldNow(undefined, { before: 0, seconds: 120 }, 0);
    const now = (closedUntil?: number) => isToBeTold(told, { before: 0, seconds: 90, closedUntil }, 30_000);
    expect([now(), now(90_000)]).toEqual([false, true]);
    const toldSo = toldNow(undefined, { before: 0, seconds: 120, closedUntil: 90_000 }, 0);
    expect(isToBeTold(toldSo, { before: 0, seconds: 90, closedUntil: 90_000 }, 30_000)).toBe(false);
  });
});
