import { expect, test } from 'vitest';
import type { ManagedObjects } from '../../../src/kinds/index.ts';
import { createLosses } from '../../../src/operator/losses.ts';
import type { AccountSession } from '../../../src/reconcile/session.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const ACCOUNT = 'CloudAccount/fleet/default';

type Options = Parameters<typeof createLosses>[0];

/** Three Sims, none of which a list shows. */
function missing() {
  const clock = new ManualClock();
  let startedAt = 0;
  const sims = ['1', '2', '3'].map((id): ManagedObjects['Sim'] => ({
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: { name: `sim-${id}`, namespace: 'fleet', uid: id, resourceVersion: '1' },
    spec: { iccid: id },
    status: { id, iccid: id },
  }));
  const none = { list: () => [] };
  const sent = {
    identity: 'east',
    sims: { snapshot: () => ({ startedAt, items: new Map(), complete: true }) },
    wasDeleted: () => false,
  };
  const options = {
    informers: {
      accounts: { get: () => undefined },
      of: { Sim: { list: () => sims }, MobileGateway: none, WebAccelSite: none, SiteCertificate: none },
    },
    registry: {
      get: () => ({ ...sent, verified: true }),
      accountsOf: () => [ACCOUNT],
      onSim: () => undefined,
      onGateway: () => undefined,
      onSite: () => undefined,
    },
    users: { accountOf: () => ACCOUNT },
    clock,
    onChanged: () => undefined,
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of the operator as is asked
  const losses = createLosses(options as unknown as Options);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of an account as is asked
  const session = sent as unknown as AccountSession;
  return {
    doubts: () => sims.map((sim) => losses.doubt(sim, session)?.reason),
    find: () => sims.forEach((sim) => losses.isThere(sim, session, startedAt)),
    async list() {
      await clock.advance(60_000);
      startedAt = clock.monotonic();
    },
  };
}

const MANY = Array.from({ length: 3 }, () => 'ManyMissing');
const NONE = Array.from({ length: 3 }, () => undefined);

test('what a list misses is not missing where asking for it showed it, until a later list misses it, too', async () => {
  const { doubts, find, list } = missing();
  expect(doubts()).toEqual(MANY);
  find();
  expect(doubts()).toEqual(NONE);
  await list();
  expect(doubts()).toEqual(MANY);
});
