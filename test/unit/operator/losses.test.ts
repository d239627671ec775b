import { expect, test } from 'vitest';
import type { ManagedObjects } from '../../../src/kinds/index.ts';
import { createLosses } from '../../../src/operator/losses.ts';
import type { AccountSession } from '../../../src/reconcile/session.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const ACCOUNT = 'CloudAccount/fleet/default';
const SHOWN_MILLISECONDS = 180_000;

type Options = Parameters<typeof createLosses>[0];

/** Three Sims, none of which a list shows, made so long before now; a negative age is what a clock that was set back tells. */
function missing(age: number) {
  const clock = new ManualClock();
  const sims = ['1', '2', '3'].map((id): ManagedObjects['Sim'] => ({
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: { name: `sim-${id}`, namespace: 'fleet', uid: id, resourceVersion: '1' },
    spec: { iccid: id },
    status: { id, iccid: id, creationAnsweredAt: new Date(clock.now() - age).toISOString() },
  }));
  const items = new Map<string, { id: string; iccid: string }>();
  const none = { list: () => [] };
  const sent = {
    identity: 'east',
    sims: { snapshot: () => ({ startedAt: 0, items, complete: true }), hasShown: () => false },
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
    shownMilliseconds: SHOWN_MILLISECONDS,
    onChanged: () => undefined,
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of the operator as is asked
  const losses = createLosses(options as unknown as Options);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of an account as is asked
  const session = sent as unknown as AccountSession;
  return { clock, sims, items, losses, session, doubts: () => sims.map((sim) => losses.doubt(sim, session)?.reason) };
}

const MANY = Array.from({ length: 3 }, () => 'ManyMissing');
const NONE = Array.from({ length: 3 }, () => undefined);

test('what no list shows is missing as soon as it is too old to be new', async () => {
  const { clock, doubts } = missing(1000);
  expect(doubts()).toEqual(NONE);
  await clock.advance(SHOWN_MILLISECONDS);
  expect(doubts()).toEqual(MANY);
});

test('what is old is not new because the clock was set back', () => {
  expect(missing(-3_600_000).doubts()).toEqual(MANY);
});

test('what was found gone of late is named as it was, whatever was made in its place', async () => {
  const { clock, sims, items, losses, session } = missing(1000);
  const [first, ...others] = sims;
  if (!first) throw new Error('there are three');
  expect(losses.gone(first, 'SIM 1', session)).toBeUndefined();
  sims[0] = { ...first, status: { ...first.status, id: '9' } };
  items.set('9', { id: '9', iccid: '1' });
  await clock.advance(SHOWN_MILLISECONDS);
  expect(others.map((sim) => losses.gone(sim, `SIM ${sim.status?.id}`, session)?.message)).toEqual(
    Array.from({ length: 2 }, () =>
      expect.stringContaining(
        '3 of the 3 objects that resources have in the account are missing all at once: SIM 2 (Sim fleet/sim-2), SIM 3 (Sim fleet/sim-3), SIM 1 (Sim fleet/sim-1).',
      ),
    ),
  );
});

test('what was made by a process whose clock is a little ahead is new', () => {
  expect(missing(-2000).doubts()).toEqual(NONE);
});
