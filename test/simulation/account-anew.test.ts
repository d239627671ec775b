import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createVirtualFleet, type VirtualFleet } from './fleet.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const GROUP = '/apis/edgeline.dev/v1alpha1/namespaces/shop';
const ACCOUNT = `${GROUP}/cloudaccounts/default`;
const SECRET = '/api/v1/namespaces/shop/secrets/credentials';
const LIMIT = 60;
const SITES = Array.from({ length: 8 }, (_, index) => ({
  id: String(113_300_002_000 + index),
  name: `e${index}`,
  domain: `e${index}.example.jp`,
}));

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** The Secret has the token of another account, `shop` or `other`, from now on. */
function exchange(fleet: VirtualFleet, name: string): void {
  const data = { accessToken: base64(`token-${name}`), accessTokenSecret: base64(`secret-${name}`) };
  fleet.patch(SECRET, { data });
}

const spec = {
  baseURL: 'https://service.example',
  credentialsSecretRef: { name: 'credentials' },
  limits: { webAccelRequestsPerHour: LIMIT },
};

/** An account of the namespace, unless it is there. */
function createAccount(fleet: VirtualFleet, name = 'default'): void {
  if (fleet.world.apiserver.get('cloudaccounts', 'shop', name)) return;
  const kind = { apiVersion: 'edgeline.dev/v1alpha1', kind: 'CloudAccount' };
  fleet.create(`${GROUP}/cloudaccounts`, { ...kind, metadata: { name }, spec });
}

const remove = ({ world }: VirtualFleet, path: string) =>
  world.apiserver.handle({ method: 'DELETE', path, user: 'user' });

const minutes = ({ world }: VirtualFleet, count = 1) => world.run(world.now() + count * MINUTE);

async function removeSites(fleet: VirtualFleet): Promise<void> {
  for (const { name } of SITES) remove(fleet, `${GROUP}/webaccelsites/${name}`);
  await minutes(fleet);
}

const sitesOf = (namespace: string) => `/apis/edgeline.dev/v1alpha1/namespaces/${namespace}/webaccelsites`;

function createSites(fleet: VirtualFleet, namespace = 'shop'): void {
  for (const { name, domain } of SITES) {
    if (fleet.world.apiserver.get('webaccelsites', namespace, name)) continue;
    fleet.create(sitesOf(namespace), {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'WebAccelSite',
      metadata: { name },
      spec: { domain, displayName: name, accountRef: { kind: 'CloudAccount', name: 'default' } },
    });
  }
}

/** Sites of a namespace are there, and changed until the hour is used up. */
async function useUp(fleet: VirtualFleet, namespace = 'shop'): Promise<void> {
  createSites(fleet, namespace);
  for (let minute = 0; minute < 6; minute++) {
    await minutes(fleet);
    for (const { name } of SITES) fleet.patch(`${sitesOf(namespace)}/${name}`, { spec: { displayName: `${minute}` } });
  }
  await minutes(fleet);
}

/** A fleet, and how many requests went with the token of `shop`: in the busiest hour, and in all. */
function begin() {
  const sent: number[] = [];
  const fleet = createVirtualFleet({
    seeds: { shop: { sites: SITES }, other: {} },
    limits: { webAccelRequestsPerHour: LIMIT },
    broken({ target, headers }) {
      const isOfShop = headers['authorization'] === `Basic ${base64('token-shop:secret-shop')}`;
      if (target.includes('/webaccel/') && isOfShop) sent.push(fleet.world.now());
      return undefined;
    },
  });
  const most = () =>
    Math.max(...sent.map((at) => sent.filter((other) => other > at - 60 * MINUTE && other <= at).length));
  return { fleet, most, all: () => sent.length };
}

type Process = ReturnType<VirtualFleet['world']['start']>;

/** The sites go, something happens while no operator runs, and another begins. */
async function whileDown(fleet: VirtualFleet, processes: Process[], act: () => unknown): Promise<void> {
  await removeSites(fleet);
  processes[0]?.stop('never');
  await minutes(fleet);
  act();
  processes.push(fleet.world.start('between'));
  await minutes(fleet);
}

/** What happens between two uses of the hour. All processes end afterwards, and a new one is started. */
const LIVES: readonly [string, (fleet: VirtualFleet, processes: Process[]) => Promise<void>][] = [
  [
    'it is deleted and made anew',
    async (fleet) => {
      await removeSites(fleet);
      remove(fleet, ACCOUNT);
    },
  ],
  [
    'its finalizer is taken off and it is deleted and made anew',
    async (fleet) => {
      await removeSites(fleet);
      remove(fleet, ACCOUNT);
      fleet.patch(ACCOUNT, { metadata: { finalizers: null } });
    },
  ],
  [
    'its token is exchanged and put back',
    async (fleet) => {
      await removeSites(fleet);
      exchange(fleet, 'other');
    },
  ],
  [
    'it is deleted while no operator runs, and the next process lets it go',
    async (fleet, processes) => {
      await whileDown(fleet, processes, () => remove(fleet, ACCOUNT));
    },
  ],
  [
    'another process has it with a token that the service refuses when it is deleted',
    async (fleet, processes) => {
      await whileDown(fleet, processes, () => exchange(fleet, 'nobody'));
      remove(fleet, ACCOUNT);
    },
  ],
  [
    'its finalizer is taken off and it is deleted while sites still use it',
    async (fleet) => {
      remove(fleet, ACCOUNT);
      await minutes(fleet);
      fleet.patch(ACCOUNT, { metadata: { finalizers: null } });
    },
  ],
  [
    'its finalizer is taken off and it is deleted while the process has it paused, and has not counted its hour',
    async (fleet, processes) => {
      const paused = { metadata: { annotations: { 'edgeline.dev/paused': 'true' } } };
      await whileDown(fleet, processes, () => fleet.patch(ACCOUNT, paused));
      fleet.patch(ACCOUNT, { metadata: { finalizers: null } });
      remove(fleet, ACCOUNT);
    },
  ],
  [
    'it has a finalizer of somebody else when its own is taken off',
    async (fleet) => {
      await removeSites(fleet);
      fleet.patch(ACCOUNT, { metadata: { finalizers: ['example.com/other', 'edgeline.dev/account'] } });
      fleet.createSim('shop', 'user', 1, { passCodeSecretRef: { name: 'pass-codes', key: 'code' } });
      await minutes(fleet);
      remove(fleet, ACCOUNT);
      await minutes(fleet);
      fleet.patch(ACCOUNT, { metadata: { finalizers: ['example.com/other'] } });
      await minutes(fleet);
      fleet.patch(ACCOUNT, { metadata: { finalizers: null } });
    },
  ],
  [
    'its token is exchanged while no operator runs, and it is deleted later',
    async (fleet, processes) => {
      await whileDown(fleet, processes, () => exchange(fleet, 'other'));
      remove(fleet, ACCOUNT);
    },
  ],
  [
    'its token is exchanged while no operator runs to one that another account has, and put back later',
    async (fleet, processes) => {
      await whileDown(fleet, processes, () => exchange(fleet, 'other'));
    },
  ],
  [
    'it is deleted with its sites while no operator runs, and the next process finishes it',
    async (fleet, processes) => {
      processes[0]?.stop('never');
      await minutes(fleet);
      remove(fleet, ACCOUNT);
      processes.push(fleet.world.start('between'));
      await removeSites(fleet);
    },
  ],
];

describe('the hour of an account goes on in another process when, in between,', () => {
  it.each(LIVES)('%s', async (_, live) => {
    const { fleet, most } = begin();
    const { world } = fleet;
    const processes = [world.start('first')];
    await useUp(fleet);
    await live(fleet, processes);
    await minutes(fleet);
    for (const process of processes) process.stop('never');
    await minutes(fleet);
    world.start('last');
    await minutes(fleet);
    exchange(fleet, 'shop');
    createAccount(fleet);
    await useUp(fleet);
    await minutes(fleet, 90);
    expect(most()).toBeLessThanOrEqual(LIMIT);
    expect(most()).toBeGreaterThan(LIMIT * 0.8);
    expect(fleet.waiting('shop', 'webaccelsites').size).toBe(0);
  });

  it.each([
    ['another namespace gets its token', async () => undefined],
    [
      'another namespace gets its token, and somebody writes into the Lease',
      async (fleet: VirtualFleet) =>
        fleet.patch('/apis/coordination.k8s.io/v1/namespaces/edgeline-system/leases/edgeline-hours', {
          spec: { holderIdentity: 'me' },
          metadata: { labels: { a: 'b' } },
        }),
    ],
  ])('%s', async (_, act) => {
    const { fleet, most } = begin();
    const { world } = fleet;
    const first = world.start('first');
    await useUp(fleet);
    await removeSites(fleet);
    remove(fleet, ACCOUNT);
    await minutes(fleet);
    await act(fleet);
    first.stop('never');
    await minutes(fleet);
    const data = { accessToken: base64('token-shop'), accessTokenSecret: base64('secret-shop') };
    fleet.patch('/api/v1/namespaces/other/secrets/credentials', { data });
    world.start('last');
    await useUp(fleet, 'other');
    await minutes(fleet, 10);
    expect(most()).toBeLessThanOrEqual(LIMIT);
  });

  it('the process that lets two accounts of one token go is killed at any message', async () => {
    const failed: unknown[] = [];
    for (let index = 0; index < 40; index++) {
      const { fleet, most } = begin();
      const { world } = fleet;
      createAccount(fleet, 'second');
      const first = world.start('first');
      await useUp(fleet);
      await removeSites(fleet);
      let seen = 0;
      world.onMessage((moment, { verb, route }) => {
        if (seen++ !== index) return;
        failed.push(`${moment} ${verb} ${route}`);
        world.at(world.now(), () => first.kill('never'));
      });
      for (const name of ['default', 'second']) remove(fleet, `${GROUP}/cloudaccounts/${name}`);
      await minutes(fleet);
      first.kill('never');
      const second = world.start('second');
      await minutes(fleet);
      second.kill('never');
      world.start('last');
      await minutes(fleet);
      createAccount(fleet);
      await useUp(fleet);
      await minutes(fleet, 10);
      if (most() <= LIMIT) failed.pop();
    }
    expect(failed).toEqual([]);
  });
});

it.each([0, 1, 3])(
  'an account that has used nothing for an hour has its hour, deleted and made anew with a restart %i times meanwhile',
  async (times) => {
    const { fleet } = begin();
    const { world } = fleet;
    let process = world.start('first');
    await useUp(fleet);
    // So that nothing else uses the hour.
    for (const { name } of SITES) fleet.patch(`${GROUP}/webaccelsites/${name}`, { metadata: { finalizers: null } });
    await removeSites(fleet);
    const start = world.now();
    for (let time = 0; time < times; time++) {
      await minutes(fleet, 40);
      remove(fleet, ACCOUNT);
      await minutes(fleet);
      expect(world.apiserver.get('cloudaccounts', 'shop', 'default')).toBeUndefined();
      process.stop('never');
      await minutes(fleet);
      process = world.start(`after ${time}`);
      createAccount(fleet);
    }
    await minutes(fleet, Math.max(3, 68 - (world.now() - start) / MINUTE));
    expect(budget.parse(fleet.read(ACCOUNT).status).budget.used).toBeLessThan(10);
  },
);

it.each([1, 2, 3, 5])(
  'an account that was deleted and made anew waits for no requests that were never sent (deleted after %i s)',
  async (seconds) => {
    const { fleet, all } = begin();
    const { world } = fleet;
    const first = world.start('first');
    await minutes(fleet, 2);
    createSites(fleet);
    await world.run(world.now() + seconds * SECOND);
    for (const { name } of SITES) remove(fleet, `${GROUP}/webaccelsites/${name}`);
    remove(fleet, ACCOUNT);
    await minutes(fleet);
    expect(world.apiserver.get('cloudaccounts', 'shop', 'default')).toBeUndefined();
    first.stop('never');
    await minutes(fleet);
    world.start('second');
    createAccount(fleet);
    await minutes(fleet, 10);
    const { used, reserved } = budget.parse(fleet.read(ACCOUNT).status).budget;
    expect(used + reserved).toBeLessThanOrEqual(all() + 3);
  },
);

const budget = z.object({ budget: z.object({ used: z.number(), reserved: z.number().default(0) }) });
