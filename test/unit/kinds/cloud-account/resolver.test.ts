import { describe, expect, test } from 'vitest';
import { accountRefOf, createAccountResolver } from '../../../../src/kinds/cloud-account/resolver.ts';
import type { Account } from '../../../../src/kinds/cloud-account/schema.ts';
import type { ManagedObject } from '../../../../src/reconcile/managed-object.ts';

type Registry = Parameters<typeof createAccountResolver>[1];

/** What is said of new resources where the account is like this and its session is open; undefined: they may come. */
function leavingWhere(account: object | undefined): string | undefined {
  const session = { verified: true, circuit: { isOpen: () => false } };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of an account as is asked
  const found = account as Account | undefined;
  const resolver = createAccountResolver(
    { accounts: { get: () => found }, clusterAccounts: undefined, namespaces: undefined },
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of a session as is asked
    { get: () => session } as unknown as Registry,
    { ofUser: () => undefined },
  );
  const resolved = resolver.resolve('fleet', { accountRef: { kind: 'CloudAccount', name: 'second' } }, undefined);
  return 'session' in resolved ? resolved.leaving?.reason : `held: ${resolved.hold.reason}`;
}

test.each<[string, object | undefined, string | undefined]>([
  ['is open to what is new', { metadata: {}, spec: {} }, undefined],
  [
    'that is being deleted takes on nothing new',
    { metadata: { deletionTimestamp: 'now' }, spec: {} },
    'AccountNotReady',
  ],
  ['that is gone takes on nothing new, though its session is still there', undefined, 'AccountNotFound'],
])('an account %s', (_, account, reason) => {
  expect(leavingWhere(account)).toBe(reason);
});

test('of an account that cannot be used in a namespace that is being deleted, it is told what is left to do', () => {
  const metadata = { name: 'fleet', uid: '1', resourceVersion: '1', deletionTimestamp: 'now' };
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata };
  const resolver = createAccountResolver(
    {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of an account as is asked
      accounts: { get: () => ({ metadata: {}, spec: {} }) as Account },
      clusterAccounts: undefined,
      namespaces: { get: () => namespace },
    },
    { get: () => undefined },
    { ofUser: () => undefined },
  );
  expect(resolver.resolve('fleet', {}, { kind: 'CloudAccount', name: 'default' })).toMatchObject({
    hold: {
      reason: 'AccountNotReady',
      message:
        'Namespace fleet is being deleted, and the CloudAccount default can\'t be used yet. If its Secret is gone, none can be made there any more, and only letting go is left: set the annotation edgeline.dev/abandon: "true". What the resource has at the service (status.id) then stays there.',
    },
  });
});

describe('of a ClusterCloudAccount that another installation has', () => {
  const cluster = { kind: 'ClusterCloudAccount', name: 'default' } as const;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of an account as is asked
  const account = { spec: {} } as Account;
  const resolver = createAccountResolver(
    { accounts: { get: () => undefined }, clusterAccounts: { get: () => account }, namespaces: undefined },
    { get: () => undefined },
    { ofUser: () => undefined },
    () => ({ namespace: 'accounts', holder: 'other/edgeline-operator' }),
  );
  const own = 'make a CloudAccount named default in this namespace';
  const anew =
    'delete this resource with deletionPolicy: Orphan, which leaves at the service what it has, and create it again with another accountRef';

  test.each([
    ['that uses it by default', {}, undefined, own],
    ['that names it', { accountRef: cluster }, undefined, anew],
    ['that is in it', {}, cluster, anew],
  ])('a resource %s is told what helps it', (_, spec, recorded, way) => {
    expect(resolver.resolve('fleet', spec, recorded)).toEqual({
      hold: {
        state: 'Stalled',
        reason: 'HeldElsewhere',
        message: `The ClusterCloudAccount default is looked after by other/edgeline-operator, another installation of the operator: it holds namespace accounts, where the account’s Secrets are. Uninstall one of the two; to use another account, ${way}. If other/edgeline-operator is gone, this installation takes over when its hold ends; at once after: kubectl -n accounts delete lease edgeline-holder`,
      },
    });
  });
});

describe('a resource that was worked on and names no account', () => {
  const [before, early, late] = ['2025-12-31T23:59:59Z', '2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'];
  const cluster = { kind: 'ClusterCloudAccount', name: 'default' } as const;
  const begun = { finalizers: ['edgeline.dev/create'], uid: 'mine', creationTimestamp: early };
  const told = (account: object, clusterAccount: object | undefined, object: object) => {
    const sources = {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of an account as is asked
      accounts: { get: () => ({ metadata: account }) as Account },
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      clusterAccounts: { get: () => clusterAccount as Account | undefined },
      namespaces: undefined,
    };
    const resolver = createAccountResolver(sources, { get: () => undefined }, { ofUser: () => undefined });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return resolver.unclear({ metadata: begun, spec: {}, ...object } as ManagedObject)?.reason;
  };

  test.each<[string, object, object | undefined, object, string | undefined]>([
    ['whose namespace got an account of its own later', { creationTimestamp: late }, {}, {}, 'AccountUnclear'],
    ['whose namespace got one in the same second', { creationTimestamp: early }, {}, {}, 'AccountUnclear'],
    ['whose namespace had one before', { creationTimestamp: before }, {}, {}, undefined],
    ['where the cluster has none', { creationTimestamp: late }, undefined, {}, undefined],
    ['whose status tells', { creationTimestamp: late }, {}, { status: { accountRef: cluster } }, undefined],
    ['whose spec tells', { creationTimestamp: late }, {}, { spec: { accountRef: cluster } }, undefined],
    [
      'with the status of another that had nothing',
      { creationTimestamp: late },
      {},
      { status: { uid: 'other', accountRef: cluster } },
      'AccountUnclear',
    ],
    [
      'with the status of another that names something',
      { creationTimestamp: late },
      {},
      { status: { uid: 'other', id: '1', accountRef: cluster } },
      undefined,
    ],
    [
      'that was abandoned and is taken back',
      { creationTimestamp: late },
      {},
      { status: { uid: 'mine', creationUnclear: { since: early, until: late } } },
      undefined,
    ],
    [
      'of which nothing was begun',
      { creationTimestamp: late },
      {},
      { metadata: { ...begun, finalizers: [] } },
      undefined,
    ],
  ])('%s', (_, account, clusterAccount, object, reason) => {
    expect(told(account, clusterAccount, object)).toBe(reason);
  });
});

test.each([
  { what: 'that it names', named: true, recorded: true, own: true, cluster: true, expected: 'CloudAccount named' },
  {
    what: 'in which it is, though its namespace has one of its own since',
    named: false,
    recorded: true,
    own: true,
    cluster: true,
    expected: 'ClusterCloudAccount default',
  },
  {
    what: 'of its namespace',
    named: false,
    recorded: false,
    own: true,
    cluster: true,
    expected: 'CloudAccount default',
  },
  {
    what: 'of the cluster, where its namespace has none',
    named: false,
    recorded: false,
    own: false,
    cluster: true,
    expected: 'ClusterCloudAccount default',
  },
  {
    what: 'of its namespace, where there is none at all',
    named: false,
    recorded: false,
    own: false,
    cluster: false,
    expected: 'CloudAccount default',
  },
])('a resource uses the account $what', ({ named, recorded, own, cluster, expected }) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of an account as is asked
  const account = { spec: {} } as Account;
  const { kind, name } = accountRefOf(
    'fleet',
    named ? { accountRef: { kind: 'CloudAccount', name: 'named' } } : {},
    recorded ? { kind: 'ClusterCloudAccount', name: 'default' } : undefined,
    {
      accounts: { get: () => (own ? account : undefined) },
      clusterAccounts: { get: () => (cluster ? account : undefined) },
      namespaces: undefined,
    },
  );
  expect(`${kind} ${name}`).toBe(expected);
});
