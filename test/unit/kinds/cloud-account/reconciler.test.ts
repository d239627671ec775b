import { expect, test } from 'vitest';
import { createAccountReconciler, FINALIZER } from '../../../../src/kinds/cloud-account/reconciler.ts';
import { cloudAccountResource } from '../../../../src/kinds/cloud-account/schema.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { partial } from '../../../support/partial.ts';

const KEY = 'CloudAccount/fleet/gone';

/** What is forgotten of an account that is not there, which these use. */
async function forgotten(users: readonly string[]): Promise<readonly string[]> {
  const told: string[] = [];
  const forgetter = (name: string) => ({ forget: (key: string) => void told.push(`${name} ${key}`) });
  const reconciler = createAccountReconciler(
    partial({
      kind: 'CloudAccount',
      informer: { get: () => undefined },
      users: { inNeed: () => users },
      registry: { close: (key: string) => void told.push(`session ${key}`) },
      accounts: forgetter('accounts'),
      losses: forgetter('losses'),
      records: { ...forgetter('records'), handOver: async (key: string) => void told.push(`handed over ${key}`) },
      brakes: forgetter('brakes'),
      pauses: { resumed: () => undefined },
      clock: new ManualClock(),
    }),
  );
  const slot = { wait: () => () => undefined, number: 1 };
  expect(await reconciler.reconcile(KEY, new AbortController().signal, partial(slot))).toEqual({ requeue: 'never' });
  return told;
}

test('an account whose finalizer was taken off by hand is forgotten with all that is known of it, once what it used of its hour is on record', async () => {
  const all = ['session', 'handed over', 'session', 'accounts', 'losses', 'records', 'brakes'];
  expect(await forgotten([])).toEqual(all.map((name) => `${name} ${KEY}`));
});

test('one that is still in use keeps its session, and all by which it is judged', async () => {
  expect(await forgotten(['Sim/fleet/truck-1'])).toEqual([`handed over ${KEY}`, `brakes ${KEY}`]);
});

test('an account whose pass ends with an error of the operator itself says so, and is tried again', async () => {
  const account = {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'CloudAccount',
    metadata: {
      namespace: 'fleet',
      name: 'gone',
      uid: 'u',
      resourceVersion: '1',
      generation: 2,
      finalizers: [FINALIZER],
    },
    spec: { baseURL: 'https://service.example', credentialsSecretRef: { name: 'token' } },
    status: { conditions: [] },
  };
  const written: object[] = [];
  const reconciler = createAccountReconciler(
    partial({
      kind: 'CloudAccount',
      resource: cloudAccountResource,
      informer: { get: () => account, put: () => undefined },
      users: { inNeed: () => [], of: () => new Map() },
      registry: { get: () => undefined },
      records: { isReplaced: () => false },
      brakes: { unrecorded: () => undefined, verdict: () => undefined },
      pauses: { begin: () => undefined },
      secrets: {
        read: () => {
          throw new TypeError("can't read what is not there");
        },
      },
      client: {
        mergePatch: async (...[, , , patch]: readonly object[]) => {
          written.push(patch ?? {});
          return account;
        },
      },
      events: { record: () => undefined },
      time: { latest: () => 0 },
      clock: new ManualClock(),
    }),
  );
  const slot = { wait: () => () => undefined, number: 1 };
  const pass = reconciler.reconcile(KEY, new AbortController().signal, partial(slot));
  await expect(pass).rejects.toThrow("can't read what is not there");
  const told = { reason: 'InternalError', message: "can't read what is not there", observedGeneration: 2 };
  expect(written).toMatchObject([
    {
      status: {
        conditions: [
          { type: 'Ready', status: 'False', ...told },
          { type: 'Reconciling', status: 'True', ...told },
        ],
      },
    },
  ]);
});
