import { expect, it } from 'vitest';
import { queuedStatus, waitingLong } from '../../../src/operator/report-queued.ts';
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
  const told = fleet('Sim', 9, queuedStatus(1, 3, 0));
  const silent = [fleet('Sim', 9, { conditions: [] }), fleet('Sim', 9, undefined, '2026-01-01T00:00:00Z')];
  const accountOf = () => 'one';
  expect(waitingLong({ kinds: silent, accountOf, secondsFor: () => 60 })).toEqual([]);
  expect(waitingLong({ kinds: [told], accountOf, secondsFor: () => undefined })).toEqual([]);
  expect(waitingLong({ kinds: [told], accountOf, secondsFor: () => 60 })).toHaveLength(9);
});

it.each([
  [12, 'Waiting for its turn: 12 others are before it, and the account’s limits say how fast they may go.'],
  [1, 'Waiting for its turn: 1 other is before it, and the account’s limits say how fast they may go.'],
  [0, 'Waiting for its turn: the account’s limits say when the next request may go.'],
])('says it in a sentence with %i before', (before, message) => {
  const condition = (type: string, status: string) => ({
    type,
    status,
    reason: 'Queued',
    message,
    lastTransitionTime: '1970-01-01T00:00:00Z',
    observedGeneration: 2,
  });
  expect(queuedStatus(2, before, 0)).toEqual({
    observedGeneration: 2,
    conditions: [condition('Ready', 'False'), condition('Synced', 'False'), condition('Reconciling', 'True')],
  });
});
