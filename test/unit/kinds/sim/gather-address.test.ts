import { expect, test } from 'vitest';
import type { SimItem } from '../../../../src/cloud/sim/types.ts';
import { type AddressSources, turnOf } from '../../../../src/kinds/sim/gather-address.ts';
import { createPlaces } from '../../../../src/kinds/sim/places.ts';
import type { Sim } from '../../../../src/kinds/sim/schema.ts';
import type { AccountResolver } from '../../../../src/reconcile/account.ts';
import type { Claims } from '../../../../src/reconcile/claims.ts';
import type { Pass } from '../../../../src/reconcile/kind.ts';
import type { AccountSession } from '../../../../src/reconcile/session.ts';
import { partial } from '../../../support/partial.ts';

const item = (id: string, ip: string) =>
  partial<SimItem>({ id, iccid: id, status: partial({ registered: true, simgroupID: 'group', ip }) });

function sim(uid: string, ipAddress: string, status: Sim['status']): Sim {
  return {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: { name: uid, namespace: 'fleet', uid, resourceVersion: '1', generation: 2 },
    spec: { iccid: uid, ipAddress, gatewayRef: { name: 'depot' } },
    ...(status && { status }),
  };
}

/** What turns are found from, where every Sim is of the session's account, and names the gateway `g`. */
const sourcesOf = (
  session: AccountSession,
  of: {
    readonly byID: (id: string) => Sim[];
    readonly has: (sim: Sim) => boolean;
    readonly wanted?: (address: string) => Sim[];
  },
): AddressSources => ({
  accounts: partial<AccountResolver>({
    resolve: () => ({ session, accountRef: { kind: 'CloudAccount', name: 'default' } }),
    pausedBy: () => undefined,
    approvalOf: () => undefined,
  }),
  byID: { get: of.byID },
  byWantedAddress: { get: of.wanted ?? (() => []) },
  places: createPlaces(),
  claims: partial<Claims<Sim>>({ has: of.has }),
  locator: { shownOn: () => Promise.resolve(new Map()) },
  gateway: () => ({ id: 'g', zone: 'is1a' }),
});

/** What a status says of a Sim that is not as its spec says. */
const notSynced = (reason: string, drift: readonly string[] = ['ipAddress'], observedGeneration = 2) => ({
  conditions: [
    { type: 'Synced', status: 'False' as const, reason, message: '', observedGeneration, lastTransitionTime: '' },
  ],
  drift: drift.map((field) => ({ field, desired: 'this', observed: 'that' })),
});
const waits = notSynced('Conflict');

interface Case {
  readonly title: string;
  readonly uid: string;
  readonly managementPolicy?: 'Observe';
  /** What the status of the other one says. */
  readonly status?: object;
  readonly expected: object | undefined;
}

test.each<Case>([
  {
    title: 'gives up its address for one that wants it in turn where the status of that Sim is its own',
    uid: 'two',
    expected: { do: 'clear', holder: 'the Sim fleet/two' },
  },
  {
    title: 'sets it, and lets the service refuse, where the status of the one that has it is a copy of another’s',
    uid: 'three',
    expected: { do: 'set', holder: 'SIM two' },
  },
  {
    title: 'takes no turns, and waits for nobody, where it is only observed',
    uid: 'two',
    managementPolicy: 'Observe',
    expected: undefined,
  },
  ...[
    { what: 'has not looked at its spec as it is now', status: notSynced('Conflict', ['ipAddress'], 1) },
    { what: 'is at work', status: notSynced('Applying') },
    { what: 'waits for its turn', status: notSynced('Queued') },
    { what: 'is refused something else', status: notSynced('Conflict', ['imeiLock', 'ipAddress']) },
    {
      what: 'is refused something else beside its address',
      status: notSynced('AddressTaken', ['imeiLock', 'ipAddress']),
    },
    { what: 'has only begun to work', status: notSynced('Conflict', []) },
    { what: 'gets no answer', status: notSynced('ServiceUnavailable') },
    { what: 'says that it is as its spec says', status: {} },
  ].map(({ what, status }) => ({
    title: `keeps its address as long as the Sim that wants it ${what}`,
    uid: 'two',
    status,
    expected: { do: 'wait', holder: 'the Sim fleet/two' },
  })),
  {
    title: 'gives it up for one that cannot have its name at the service either',
    uid: 'two',
    status: notSynced('Conflict', ['displayName', 'gatewayRef', 'ipAddress']),
    expected: { do: 'clear', holder: 'the Sim fleet/two' },
  },
])('a SIM that is to get another address $title', ({ uid, managementPolicy, status = waits, expected }) => {
  const items = new Map([item('one', '10.0.0.1'), item('two', '10.0.0.2')].map((one) => [one.id, one]));
  const session = partial<AccountSession>({
    identity: 'token',
    dialect: 'Documented',
    sims: partial({ snapshot: () => partial({ items }) }),
  });
  const plain = sim('one', '10.0.0.2', { uid: 'one', id: 'one' });
  const one = { ...plain, spec: { ...plain.spec, managementPolicy } };
  const two = sim('two', '10.0.0.1', { uid, id: 'two', gatewayID: 'g', ip: '10.0.0.2', ...status });
  const turn = turnOf(
    partial<Pass<Sim>>({ object: one, session, deleting: false }),
    sourcesOf(session, { byID: (id) => (id === 'two' ? [two] : []), has: () => false }),
    item('one', '10.0.0.1'),
    'g',
  );
  expect(turn).toEqual(expected);
});

test('who has a SIM is the one that was found to have it, and not who wrote its ID first', () => {
  const items = new Map([item('one', '10.0.0.1'), item('two', '10.0.0.2')].map((one) => [one.id, one]));
  const session = partial<AccountSession>({ identity: 'token', sims: partial({ snapshot: () => partial({ items }) }) });
  const forged = sim('forged', '10.0.0.9', { uid: 'forged', id: 'two', gatewayID: 'g', ip: '10.0.0.2' });
  const two = sim('two', '10.0.0.1', { uid: 'two', id: 'two', gatewayID: 'g', ip: '10.0.0.2', ...waits });
  const turn = turnOf(
    partial<Pass<Sim>>({
      object: sim('one', '10.0.0.2', { uid: 'one', id: 'one' }),
      session,
      deleting: false,
    }),
    sourcesOf(session, {
      byID: (id) => (id === 'two' ? [forged, two] : []),
      has: ({ metadata }: Sim) => metadata.uid === 'two',
    }),
    item('one', '10.0.0.1'),
    'g',
  );
  expect(turn).toEqual({ do: 'clear', holder: 'the Sim fleet/two' });
});

test.each([
  {
    title: 'goes after one that asks for the same',
    isAsking: false,
    expected: { do: 'yield', to: 'the Sim fleet/first', isUrgent: false },
  },
  { title: 'does not wait for one that nobody has approved', isAsking: true, expected: { do: 'set' } },
])('a SIM that is to get a free address $title', ({ isAsking, expected }) => {
  const items = new Map([item('one', '10.0.0.1'), item('0', '10.0.0.9')].map((one) => [one.id, one]));
  const session = partial<AccountSession>({ identity: 'token', sims: partial({ snapshot: () => partial({ items }) }) });
  const synced = {
    type: 'Synced',
    status: 'False',
    reason: 'ApprovalPending',
    message: '',
    lastTransitionTime: '',
  } as const;
  const first = sim('first', '10.0.0.2', {
    uid: 'first',
    id: '0',
    gatewayID: 'g',
    ip: '10.0.0.9',
    ...(isAsking && { observedGeneration: 2, plan: partial({ hash: 'x' }), conditions: [synced] }),
  });
  const turn = turnOf(
    partial<Pass<Sim>>({ object: sim('one', '10.0.0.2', { uid: 'one', id: 'one' }), session, deleting: false }),
    sourcesOf(session, { byID: (id) => (id === '0' ? [first] : []), has: () => true, wanted: () => [first] }),
    item('one', '10.0.0.1'),
    'g',
  );
  expect(turn).toEqual(expected);
});

test.each([
  ['of its own namespace', 'fleet', { do: 'set', holder: 'the Sim fleet/two' }],
  ['of another namespace, which says where it is itself', 'other', { do: 'set', holder: 'the Sim other/two' }],
])(
  'a SIM %s is on its gateway though a Sim of a third says that its group is that of another',
  (_, namespace, expected) => {
    const onGateway = (id: string, ip: string, simgroupID: string) =>
      partial<SimItem>({ id, iccid: id, status: partial({ registered: true, simgroupID, ip }) });
    const all = [
      onGateway('one', '10.0.0.1', 'h'),
      onGateway('two', '10.0.0.2', 'g'),
      onGateway('evil', '10.0.0.3', 'h'),
    ];
    const items = new Map(all.map((one) => [one.id, one]));
    const session = partial<AccountSession>({
      identity: 'token',
      sims: partial({ snapshot: () => partial({ items }) }),
    });
    const applied = (id: string) => ({ applied: { gateway: { id, zone: 'is1a', simGroupID: 'g' } } });
    const two = sim('two', '10.0.0.2', { uid: 'two', id: 'two', gatewayID: 'g', ip: '10.0.0.2', ...applied('g') });
    const evil = sim('evil', '10.0.0.3', { uid: 'evil', id: 'evil', gatewayID: 'h', ...applied('made-up') });
    const sims: Record<string, Sim> = {
      two: { ...two, metadata: { ...two.metadata, namespace } },
      evil: { ...evil, metadata: { ...evil.metadata, namespace: 'evil' } },
    };
    const turn = turnOf(
      partial<Pass<Sim>>({ object: sim('one', '10.0.0.2', { uid: 'one', id: 'one' }), session, deleting: false }),
      sourcesOf(session, { byID: (id) => [sims[id]].filter((one) => one !== undefined), has: () => true }),
      onGateway('one', '10.0.0.1', 'h'),
      'h',
    );
    expect(turn).toEqual(expected);
  },
);
