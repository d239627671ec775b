import { describe, expect, it } from 'vitest';
import type { Account } from '../../../../src/kinds/cloud-account/schema.ts';
import { createAccountUsers } from '../../../../src/kinds/cloud-account/users.ts';
import { watchAccounts } from '../../../../src/operator/watch-accounts.ts';
import type { AccountRef, ManagedObject } from '../../../../src/reconcile/managed-object.ts';

type Handler = (change: { readonly old?: object; readonly new?: object }) => void;

function sim(namespace: string, name: string, refs: { named?: AccountRef; recorded?: AccountRef } = {}): ManagedObject {
  return {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: { name, namespace, uid: `${namespace}/${name}`, resourceVersion: '1' },
    spec: { accountRef: refs.named },
    status: { accountRef: refs.recorded },
  };
}

/** An informer of objects that are there already. */
function informerOf<T extends { metadata: { namespace?: string | undefined } }>(objects: readonly T[]) {
  const handlers: Handler[] = [];
  let looks = 0;
  const informer = {
    get: () => undefined,
    list: () => {
      looks += objects.length;
      return objects;
    },
    byNamespace: (namespace: string) => objects.filter(({ metadata }) => metadata.namespace === namespace),
    onChange(handler: Handler) {
      handlers.push(handler);
      for (const object of objects) handler({ new: object });
    },
  };
  return { informer, handlers, looks: () => looks };
}

const sims = [
  sim('fleet', 'by-default'),
  sim('harbour', 'by-default'),
  sim('fleet', 'named', { named: { kind: 'CloudAccount', name: 'other' } }),
  sim('fleet', 'recorded', { recorded: { kind: 'CloudAccount', name: 'other' } }),
];
const none = informerOf<Account>([]).informer;

function usersOf(bindings?: Parameters<typeof createAccountUsers>[2]) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of informers as is asked
  const informers = new Map([['Sim', informerOf(sims).informer]]) as unknown as Parameters<
    typeof createAccountUsers
  >[0];
  return createAccountUsers(informers, { accounts: none, clusterAccounts: none, namespaces: none }, bindings);
}

describe('who takes the default account', () => {
  it.each([
    ['ClusterCloudAccount//default', ['Sim/fleet/by-default', 'Sim/harbour/by-default']],
    ['CloudAccount/fleet/default', ['Sim/fleet/by-default']],
    ['CloudAccount/fleet/other', []],
  ])('of %s is whoever names none and has none on record', (account, expected) => {
    expect(usersOf().byDefault(account)).toEqual(expected);
  });

  it('is looked at when it is gone, though no longer its user', () => {
    const { informer, handlers } = informerOf<Account>([]);
    const enqueued: string[] = [];
    const wiring = {
      informers: { namespaces: undefined, secrets: informerOf([]).informer },
      users: usersOf(),
      enqueue: (key: string, priority: string) => void enqueued.push(`${key} ${priority}`),
    };
    type Watched = Parameters<typeof watchAccounts>;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of the wiring and of an informer as is asked
    watchAccounts(...([wiring, 'ClusterCloudAccount', informer, { isReplaced: () => false }] as unknown as Watched));
    const old: Account = {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'ClusterCloudAccount',
      metadata: { name: 'default', uid: 'one', resourceVersion: '1' },
      spec: { baseURL: 'https://api.example.jp', credentialsSecretRef: { name: 'credentials' } },
    };
    for (const handler of handlers) handler({ old });
    expect(enqueued).toEqual([
      'ClusterCloudAccount//default change',
      'Sim/fleet/by-default change',
      'Sim/harbour/by-default change',
    ]);
  });
});

describe('the users of an account', () => {
  const others = Array.from({ length: 100 }, (_, index) => sim('harbour', `${index}`));
  const all = informerOf([...sims, ...others]);

  it.each([
    ['CloudAccount/fleet/default', ['Sim/fleet/by-default']],
    ['CloudAccount/fleet/other', ['Sim/fleet/named', 'Sim/fleet/recorded']],
    ['CloudAccount/fleet/none', []],
    ['ClusterCloudAccount//none', []],
  ])('of %s are found without a look at what uses others', (account, expected) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of informers as is asked
    const informers = new Map([['Sim', all.informer]]) as unknown as Parameters<typeof createAccountUsers>[0];
    const users = createAccountUsers(informers, { accounts: none, clusterAccounts: none, namespaces: none });
    expect([...users.of(account)]).toEqual([['Sim', expected]]);
    expect(users.inNeed(account)).toEqual([]);
    expect(all.looks()).toBe(0);
  });
});

describe('what keeps an account', () => {
  const [before, early, late] = ['2025-12-31T23:59:59Z', '2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'];
  const begun = (name: string, recorded?: AccountRef): ManagedObject => {
    const object = sim('fleet', name, recorded && { recorded });
    return {
      ...object,
      metadata: { ...object.metadata, creationTimestamp: early, finalizers: ['edgeline.dev/create'] },
    };
  };
  const objects = [
    sim('fleet', 'new'),
    begun('unclear'),
    begun('known', { kind: 'ClusterCloudAccount', name: 'default' }),
  ];

  it.each([
    ['ClusterCloudAccount//default', before, ['Sim/fleet/known']],
    ['ClusterCloudAccount//default', early, ['Sim/fleet/unclear', 'Sim/fleet/known']],
    ['ClusterCloudAccount//default', late, ['Sim/fleet/unclear', 'Sim/fleet/known']],
    ['CloudAccount/fleet/default', early, ['Sim/fleet/unclear']],
    ['CloudAccount/fleet/default', late, ['Sim/fleet/unclear']],
  ])('%s, where that of the namespace was made at %s, is all that may be in it', (account, madeAt, expected) => {
    const get = () => ({ metadata: { creationTimestamp: madeAt } });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of informers as is asked
    const [informers, sources] = [
      new Map([['Sim', informerOf(objects).informer]]),
      { accounts: { get }, clusterAccounts: { get }, namespaces: undefined },
    ] as unknown as Parameters<typeof createAccountUsers>;
    expect(createAccountUsers(informers, sources).inNeed(account)).toEqual(expected);
  });
});

it('an account is needed by what is about to be made in it, though no informer tells so yet', () => {
  const of = (account: string) => (account === 'CloudAccount/fleet/default' ? ['Sim/fleet/by-default'] : []);
  const users = usersOf({ of });
  expect(users.inNeed('CloudAccount/fleet/default')).toEqual(['Sim/fleet/by-default']);
  expect(users.inNeed('CloudAccount/fleet/other')).toEqual([]);
});
