import { describe, expect, it } from 'vitest';
import { isToBeTold, queuedStatus, waitingLong } from '../../../src/operator/report-queued.ts';
import type { CommonStatus, ManagedObject } from '../../../src/reconcile/managed-object.ts';

/** `kind` of so many resources, made one a second. */
function fleet(kind: string, count: number, status?: CommonStatus, deletionTimestamp?: string) {
  const list = Array.from({ length: count }, (_, number): ManagedObject => {
    const name = `${kind}-${number}`;
    const creationTimestamp = new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString();
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

const at = (rate: number) => (_account: string, _api: string, requests: number) => requests / rate;
const names = (waiting: readonly { object: ManagedObject; before: number }[]) =>
  waiting.map(({ object, before }) => `${before} before ${object.metadata.name}`);

it('tells whoever has to wait for seconds how many of its account are before it', () => {
  const waiting = waitingLong({ kinds: [fleet('Sim', 10)], accountOf: () => 'one', secondsFor: at(5) });
  expect(names(waiting)).toEqual([6, 7, 8, 9].map((number) => `${number} before Sim-${number}`));
});

it('tells nobody where the limits let a thousand go at once', () => {
  const options = { kinds: [fleet('Sim', 1000)], accountOf: () => 'one', secondsFor: at(1000) };
  expect(waitingLong(options)).toEqual([]);
});

it('counts what waits for the same limits, account by account', () => {
  const kinds = [fleet('Sim', 4), fleet('MobileGateway', 4), fleet('SiteCertificate', 2)];
  const waiting = waitingLong({
    kinds,
    accountOf: ({ metadata }) => (metadata.name === 'Sim-3' ? 'other' : 'one'),
    secondsFor: (account, api, requests) => (account === 'other' || api === 'webaccel' ? 60 : requests / 5),
  });
  expect(names(waiting)).toEqual([
    '0 before Sim-3',
    '6 before MobileGateway-3',
    '0 before SiteCertificate-0',
    '1 before SiteCertificate-1',
  ]);
});

it('leaves alone who has been told something, is to be deleted, or has no account that works', () => {
  const told = fleet('Sim', 9, queuedStatus(1, { before: 3, seconds: 60 }, 0));
  const silent = [fleet('Sim', 9, { conditions: [] }), fleet('Sim', 9, undefined, '2026-01-01T00:00:00Z')];
  const accountOf = () => 'one';
  expect(waitingLong({ kinds: silent, accountOf, secondsFor: () => 60 })).toEqual([]);
  expect(waitingLong({ kinds: [told], accountOf, secondsFor: () => undefined })).toEqual([]);
  expect(waitingLong({ kinds: [told], accountOf, secondsFor: () => 60 })).toHaveLength(9);
});

it.each([
  [
    12,
    4801,
    'Waiting for its turn: 12 others were before it at 1970-01-01T00:00:00Z, and the account’s limits say how fast they may go. It continues at about 1970-01-01T01:20:10Z.',
  ],
  [
    1,
    10,
    'Waiting for its turn: 1 other was before it at 1970-01-01T00:00:00Z, and the account’s limits say how fast they may go. It continues at about 1970-01-01T00:00:10Z.',
  ],
  [
    0,
    7,
    'Waiting for its turn: the account’s limits say when the next request may go. It continues at about 1970-01-01T00:00:10Z.',
  ],
])('says it in a sentence with %i before, and %i seconds to go', (before, seconds, message) => {
  const condition = (type: string, status: string) => ({
    type,
    status,
    reason: 'Queued',
    message,
    lastTransitionTime: '1970-01-01T00:00:00Z',
    observedGeneration: 2,
  });
  expect(queuedStatus(2, { before, seconds }, 0)).toEqual({
    observedGeneration: 2,
    conditions: [condition('Ready', 'False'), condition('Synced', 'False'), condition('Reconciling', 'True')],
  });
});

describe('who waits on', () => {
  /** How often it is told in a line that moves at a rate which was estimated as `estimated` times what it is. */
  function timesTold(seconds: number, estimated: number): number {
    let told: { at: number; expectedAt: number } | undefined;
    let times = 0;
    for (let now = 0; now < seconds * 1000; now += 1000) {
      const left = (seconds - now / 1000) / estimated;
      if (!isToBeTold(told, left, now)) continue;
      told = { at: now, expectedAt: now + left * 1000 };
      times++;
    }
    return times;
  }

  it.each([
    [60, 1, 1],
    [5000, 1, 1],
    [5000, 1.2, 4],
    [5000, 2, 13],
    [5000, 0.5, 10],
  ])(
    'for %i s, where the line is thought to be %d times as fast, is told %i times in all',
    (seconds, estimated, times) => {
      expect(timesTold(seconds, estimated)).toBe(times);
    },
  );

  it('is told at once that it has to wait longer, but not twice in half a minute', () => {
    const told = { at: 0, expectedAt: 60_000 };
    expect([29_000, 30_000].map((now) => isToBeTold(told, 600, now))).toEqual([false, true]);
  });
});
