import { expect, test } from 'vitest';
import { createAccountReconciler } from '../../../../src/kinds/cloud-account/reconciler.ts';
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
