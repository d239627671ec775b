import { describe, expect, it, test } from 'vitest';
import type { ManagedObjects } from '../../../src/kinds/index.ts';
import { createLosses } from '../../../src/operator/losses.ts';
import { managedKindNames } from '../../../src/reconcile/kind-names.ts';
import { sealOf } from '../../../src/reconcile/seal.ts';
import type { AccountSession } from '../../../src/reconcile/session.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const ACCOUNT = 'CloudAccount/fleet/default';
/** Another one with the same token. */
const SECOND = 'CloudAccount/depot/default';
const SHOWN_MILLISECONDS = 180_000;

type Options = Parameters<typeof createLosses>[0];

const digest = (value: string) => `digest of ${value}`;
/** As the operator leaves a record. */
const sealed = (id: string) => ({ id, seal: sealOf('Sim', { identity: 'east', digest }, { id }, 0) });

/**
 * Sims, none of which a list shows at first, made so long before now; a negative age is what a clock that was set back
 * tells.
 */
function unlisted(...ages: number[]) {
  const clock = new ManualClock();
  const items = new Map<string, object>();
  const sims = ages.map((age, index): ManagedObjects['Sim'] => ({
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: { name: `sim-${index}`, namespace: 'fleet', uid: `${index}`, resourceVersion: '1' },
    spec: { iccid: `${index}` },
    status: { ...sealed(`${index}`), creationAnsweredAt: new Date(clock.now() - age).toISOString() },
  }));
  const none = { list: () => [] };
  /** A list is a moment old, unless polls ended. */
  let polledLast: number | undefined;
  const sent = {
    identity: 'east',
    sims: {
      snapshot: () => ({ startedAt: polledLast ?? clock.monotonic(), items, complete: true }),
      hasShown: () => false,
    },
    wasDeleted: () => false,
    digest,
  };
  /** Sims of the second account, which was not verified yet. */
  const ofSecond = new Set<ManagedObjects['Sim']>();
  let identity: string | undefined;
  const options = {
    earlierActedUntil: () => undefined,
    informers: {
      accounts: { get: () => ({ metadata: {}, status: { identity } }) },
      managed: new Map([
        ['Sim', { get: (_: string, name: string) => sims.find(({ metadata }) => metadata.name === name) }],
      ]),
      of: { ...Object.fromEntries(managedKindNames.map((kind) => [kind, none])), Sim: { list: () => sims } },
    },
    registry: {
      get: (account: string) => ({ ...sent, verified: account === ACCOUNT }),
      accountsOf: () => [ACCOUNT, SECOND],
      onSim: () => undefined,
      onGateway: () => undefined,
      onSite: () => undefined,
    },
    users: { accountOf: (sim: ManagedObjects['Sim']) => (ofSecond.has(sim) ? SECOND : ACCOUNT) },
    clock,
    time: { earliest: () => clock.now() },
    shownMilliseconds: SHOWN_MILLISECONDS,
    onChanged: () => undefined,
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of the operator as is asked
  const losses = createLosses(options as unknown as Options);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of an account as is asked
  const session = sent as unknown as AccountSession;
  return {
    clock,
    sims,
    items,
    losses,
    session,
    endPolls: () => void (polledLast = clock.monotonic()),
    show: (index: number) => items.set(`${index}`, { id: `${index}`, iccid: `${index}` }),
    /** These use the second account; `proven`: its status says which account of the service it opened before. */
    moveToSecond(indexes: readonly number[], proven: string | undefined) {
      for (const sim of indexes.flatMap((index) => sims[index] ?? [])) ofSecond.add(sim);
      identity = proven;
    },
    doubts: () => sims.map((sim) => losses.doubt(sim, session)?.reason),
    /** What is said of the first one, which was asked for by its ID and is not there. */
    firstIsGone() {
      const [sim] = sims;
      const hold = sim && losses.gone(sim, `SIM ${sim.status?.id}`, session);
      return hold && `${hold.state} ${hold.reason}`;
    },
  };
}

const missing = (age: number) => unlisted(age, age, age);

const MANY = Array.from({ length: 3 }, () => 'ManyMissing');
const NONE = Array.from({ length: 3 }, () => undefined);

test('what no list shows is missing as soon as it is too old to be new', async () => {
  const { clock, doubts } = missing(1000);
  expect(doubts()).toEqual(NONE);
  await clock.advance(SHOWN_MILLISECONDS);
  expect(doubts()).toEqual(MANY);
});

test('what was new when the last list was asked for is not missing because polls ended, as in a pause', async () => {
  const { clock, doubts, endPolls } = missing(1000);
  endPolls();
  await clock.advance(2 * SHOWN_MILLISECONDS);
  expect(doubts()).toEqual(NONE);
});

test('what is old is not new because the clock was set back', () => {
  expect(missing(-3_600_000).doubts()).toEqual(MANY);
});

test('what a person lets go of while too much is missing makes few of many for as long as any of that is missing', async () => {
  const { clock, sims, items, doubts, show } = missing(1000);
  await clock.advance(SHOWN_MILLISECONDS);
  expect(doubts()).toEqual(MANY);
  sims.shift();
  await clock.advance(5000);
  expect(doubts()).toEqual(MANY.slice(1));
  for (const milliseconds of [300_000, 300_000, 300_000, 601_000, 7_200_000]) {
    await clock.advance(milliseconds);
    expect([items.size, doubts()]).toEqual([0, MANY.slice(1)]);
  }
  show(1);
  await clock.advance(5000);
  expect(doubts()).toEqual(NONE.slice(1));
});

test('what a person let go of and takes back again counts as what it is', async () => {
  const { clock, sims, doubts, show } = missing(1000);
  await clock.advance(SHOWN_MILLISECONDS);
  expect(doubts()).toEqual(MANY);
  const [sim] = sims;
  if (sim) sims[0] = { ...sim, metadata: { ...sim.metadata, annotations: { 'edgeline.dev/abandon': 'true' } } };
  await clock.advance(5000);
  expect(doubts()).toEqual(MANY);
  if (sim) sims[0] = sim;
  await clock.advance(5000);
  expect(doubts()).toEqual(MANY);
  show(0);
  await clock.advance(5000);
  expect(doubts()).toEqual(NONE);
});

test('one of many that were missing when the last process ended waits for a word', () => {
  const { sims, firstIsGone, losses, session } = unlisted(3_600_000, 3_600_000);
  const [sim] = sims;
  if (sim) sims[0] = { ...sim, status: { ...sim.status, missingSince: '2026-01-01T00:00:00Z' } };
  expect(firstIsGone()).toBe('Stalled ManyMissing');
  expect(sims[1] && losses.gone(sims[1], 'SIM 1', session)).toBeUndefined();
});

test('what a status of before says does not count once this process has seen a doubt end', async () => {
  const { clock, sims, doubts, show, firstIsGone } = missing(1000);
  const [sim] = sims;
  if (sim) sims[0] = { ...sim, status: { ...sim.status, missingSince: '2026-01-01T00:00:00Z' } };
  await clock.advance(SHOWN_MILLISECONDS);
  expect(doubts()).toEqual(MANY);
  show(1);
  show(2);
  await clock.advance(5000);
  expect([doubts(), firstIsGone()]).toEqual([NONE, undefined]);
});

test('of what is let go and was shown again nothing is missed', async () => {
  const { clock, sims, doubts, show } = missing(1000);
  await clock.advance(SHOWN_MILLISECONDS);
  expect(doubts()).toEqual(MANY);
  show(0);
  await clock.advance(5000);
  expect(doubts()).toEqual(NONE);
  sims.shift();
  await clock.advance(5000);
  expect(doubts()).toEqual(NONE.slice(1));
});

test('what was found gone of late is named as it was, whatever was made in its place', async () => {
  const { clock, sims, items, losses, session, show } = missing(1000);
  const [first, ...others] = sims;
  if (!first) throw new Error('there are three');
  for (const index of [1, 2]) show(index);
  expect(losses.gone(first, 'SIM 0', session)).toBeUndefined();
  items.clear();
  sims[0] = { ...first, status: { ...first.status, ...sealed('9') } };
  items.set('9', { id: '9', iccid: '0' });
  await clock.advance(SHOWN_MILLISECONDS);
  expect(others.map((sim) => losses.gone(sim, `SIM ${sim.status?.id}`, session)?.message)).toEqual(
    Array.from({ length: 2 }, () =>
      expect.stringContaining(
        '3 of the 3 objects that resources have in the account are missing all at once: SIM 1 (Sim fleet/sim-1), SIM 2 (Sim fleet/sim-2), SIM 0 (Sim fleet/sim-0).',
      ),
    ),
  );
});

test('what was made by a process whose clock is a little ahead is new', () => {
  expect(missing(-2000).doubts()).toEqual(NONE);
});

test('what was never sealed is not missing: anybody may have written it', () => {
  const { sims, doubts } = missing(SHOWN_MILLISECONDS);
  for (const [index, sim] of sims.entries()) sims[index] = { ...sim, status: { ...sim.status, seal: 'x'.repeat(22) } };
  expect(doubts()).toEqual(NONE);
});

test('what the operator has let go is not missing: it stays for the finalizer of somebody else', () => {
  const { sims, doubts } = missing(SHOWN_MILLISECONDS);
  for (const [index, sim] of sims.entries()) {
    sims[index] = {
      ...sim,
      metadata: { ...sim.metadata, deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['example.com/keep'] },
    };
  }
  expect(doubts()).toEqual(NONE);
});

describe('what resources of an account that was not verified yet have on record', () => {
  it.each([
    ['counts where the account was of the same token before', 'digest of east', 'ManyMissing'],
    ['does not count where the account was of another one before', 'digest of west', undefined],
    ['does not count where the account is new', undefined, undefined],
  ])('%s', (_, proven, reason) => {
    const { moveToSecond, doubts } = unlisted(SHOWN_MILLISECONDS, SHOWN_MILLISECONDS, SHOWN_MILLISECONDS);
    moveToSecond([2], proven);
    expect(doubts().slice(0, 2)).toEqual([reason, reason]);
  });
});

describe('one that is gone, where two are so new that no list needs to show them yet,', () => {
  const OLD = SHOWN_MILLISECONDS;

  it('waits until they are shown', () => {
    const { show, doubts, firstIsGone } = unlisted(OLD, 1000, 1000);
    expect(doubts()).toEqual(NONE);
    expect(firstIsGone()).toBe('Waiting ManyMissing');
    show(1);
    expect(firstIsGone()).toBeUndefined();
  });

  it('is one of many that are missing when they are still not shown', async () => {
    const { clock, firstIsGone } = unlisted(OLD, 1000, 2000);
    expect(firstIsGone()).toBe('Waiting ManyMissing');
    await clock.advance(SHOWN_MILLISECONDS - 1500);
    expect(firstIsGone()).toBe('Waiting ManyMissing');
    await clock.advance(1000);
    expect(firstIsGone()).toBe('Stalled ManyMissing');
  });

  it('does not wait where it and they are few among many', () => {
    const { show, firstIsGone } = unlisted(OLD, 1000, 1000, ...Array.from({ length: 30 }, () => OLD));
    for (let index = 3; index < 33; index++) show(index);
    expect(firstIsGone()).toBeUndefined();
  });
});
