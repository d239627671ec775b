import { describe, expect, it } from 'vitest';
import { digesterOf, identityOf } from '../../src/kinds/cloud-account/members.ts';
import { sealOf } from '../../src/reconcile/seal.ts';
import { SecretValue } from '../../src/reconcile/secret-value.ts';
import { partial } from '../support/partial.ts';
import { atFirst } from './at-first.ts';
import { createVirtualFleet, iccidOf, type VirtualFleet } from './fleet.ts';

const SECOND = 1000;
const GROUP = '/apis/edgeline.dev/v1alpha1';
const SIM = { id: '113300500001', iccid: iccidOf(1), name: 'one', activated: true };

const sims = (namespace: string) => `${GROUP}/namespaces/${namespace}/sims`;
const gateways = (namespace: string) => `${GROUP}/namespaces/${namespace}/mobilegateways`;

function readyOf(fleet: VirtualFleet, path: string): string {
  const ready = fleet.read(path).status.conditions.find(({ type }) => type === 'Ready');
  return `${ready?.status} ${ready?.reason}`;
}

/** The Secret of a namespace has another token from now on. */
function exchange(fleet: VirtualFleet, namespace: string, name: string): void {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  fleet.patch(`/api/v1/namespaces/${namespace}/secrets/credentials`, {
    data: { accessToken: base64(`token-${name}`), accessTokenSecret: base64(`secret-${name}`) },
  });
}

describe('the owner of a SIM keeps it', () => {
  it.each(['never', 'while the operator runs', 'while it is down', 'never, but it is not sealed yet'])(
    'against a younger Sim that a tenant sealed with an account of its own, where the token of the shared account is exchanged %s',
    async (moment) => {
      const fleet = createVirtualFleet({ seeds: { edge: { sims: [SIM] }, victim: {}, evil: {} }, shared: 'edge' });
      const { world } = fleet;
      const own = {
        identity: identityOf({ baseURL: 'https://service.example', accessToken: new SecretValue('token-evil') }),
        digest: digesterOf(partial({ accessTokenSecret: new SecretValue('secret-evil') })),
      };
      fleet.create(`${GROUP}/namespaces/evil/cloudaccounts`, {
        apiVersion: 'edgeline.dev/v1alpha1',
        kind: 'CloudAccount',
        metadata: { name: 'default' },
        spec: { baseURL: 'https://service.example', credentialsSecretRef: { name: 'credentials' } },
      });
      fleet.createSim('victim', 'one', 1);
      const first = world.start('first');
      await world.run(120 * SECOND);
      const { id, createdAt } = fleet.read(`${sims('victim')}/one`).status;
      fleet.create(sims('evil'), {
        apiVersion: 'edgeline.dev/v1alpha1',
        kind: 'Sim',
        metadata: { name: 'one', annotations: { 'edgeline.dev/paused': 'true' } },
        spec: { iccid: iccidOf(1) },
      });
      await world.run(world.now() + 60 * SECOND);
      const record = { uid: fleet.read(`${sims('evil')}/one`).metadata.uid, id, createdAt };
      const accountRef = { kind: 'CloudAccount', name: 'default' };
      fleet.patch(`${sims('evil')}/one/status`, {
        status: { ...record, ownership: 'Created', accountRef, seal: sealOf('Sim', own, record, 0) },
      });
      await world.run(world.now() + 900 * SECOND);
      const isDown = moment !== 'while the operator runs';
      if (isDown) first.stop('never');
      if (moment.startsWith('while')) exchange(fleet, 'edge', 'edge-2');
      if (moment.endsWith('yet')) fleet.patch(`${sims('victim')}/one/status`, { status: { seal: null } });
      await world.run(world.now() + 60 * SECOND);
      if (isDown) world.start('second');
      await world.run(world.now() + 3600 * SECOND);
      expect(readyOf(fleet, `${sims('victim')}/one`)).toBe('True Available');
    },
  );

  it.each([false, true])(
    'against a restored copy of a Sim that is gone, its own token exchanged while no operator runs: %s',
    async (isExchanged) => {
      const fleet = createVirtualFleet({ seeds: { fleet: { sims: [SIM] }, staging: {} } });
      const { world } = fleet;
      fleet.createSim('fleet', 'old', 1, { activated: false });
      const first = world.start('first');
      await world.run(300 * SECOND);
      const backup = fleet.read(`${sims('fleet')}/old`);
      world.apiserver.handle({ method: 'DELETE', path: `${sims('fleet')}/old`, user: 'user' });
      await world.run(world.now() + 60 * SECOND);
      fleet.createSim('fleet', 'new', 1, { activated: true });
      await world.run(world.now() + 300 * SECOND);
      first.stop('never');
      await world.run(world.now() + 60 * SECOND);
      if (isExchanged) exchange(fleet, 'fleet', 'fleet-2');
      exchange(fleet, 'staging', 'fleet');
      fleet.create(sims('staging'), {
        apiVersion: 'edgeline.dev/v1alpha1',
        kind: 'Sim',
        metadata: { name: 'old' },
        spec: backup.spec,
      });
      fleet.patch(`${sims('staging')}/old/status`, { status: backup.status });
      const routes: string[] = [];
      world.service.onChange(({ route }) => void routes.push(route));
      world.start('second');
      await world.run(world.now() + 3600 * SECOND);
      expect({ new: readyOf(fleet, `${sims('fleet')}/new`), routes }).toEqual({ new: 'True Available', routes: [] });
    },
  );
});

it.each([
  { isPaused: true, isSealed: false, isExchanged: false },
  { isPaused: false, isSealed: false, isExchanged: false },
  { isPaused: true, isSealed: true, isExchanged: true },
])(
  'the Sims of a gateway do not wait for an older one of another time, of an account that is gone: $isPaused $isSealed $isExchanged',
  async ({ isPaused, isSealed, isExchanged }) => {
    const fleet = createVirtualFleet({ seeds: { edge: {}, victim: {}, other: {} }, shared: 'edge' });
    const { world } = fleet;
    const create = (namespace: string, name: string, accountRef?: object) =>
      fleet.create(gateways(namespace), {
        apiVersion: 'edgeline.dev/v1alpha1',
        kind: 'MobileGateway',
        metadata: { name },
        spec: { zone: 'is1b', planID: 2, internetConnection: true, ...(accountRef && { accountRef }) },
      });
    const createSim = (name: string, number: number) =>
      fleet.createSim('victim', name, number, {
        passCodeSecretRef: { name: 'pass-codes', key: 'code' },
        gatewayRef: { name: 'one' },
      });
    const gone = { kind: 'CloudAccount', name: 'gone' };
    create('other', 'old', gone);
    const first = world.start('first');
    await world.run(60 * SECOND);
    create('victim', 'one');
    createSim('one', 1);
    await world.run(world.now() + 900 * SECOND);
    const { id } = fleet.read(`${gateways('victim')}/one`).status;
    const { uid } = fleet.read(`${gateways('other')}/old`).metadata;
    const record = { uid, id, createdAt: '2020-01-01T00:00:00Z', ownership: 'Created', accountRef: gone };
    fleet.patch(`${gateways('other')}/old/status`, { status: record });
    await world.run(world.now() + 60 * SECOND);
    first.stop('never');
    await world.run(world.now() + 60 * SECOND);
    if (isPaused) {
      fleet.patch(`${gateways('victim')}/one`, { metadata: { annotations: { 'edgeline.dev/paused': 'true' } } });
    }
    if (isExchanged) exchange(fleet, 'edge', 'edge-2');
    // As the version before left it.
    if (!isSealed) fleet.patch(`${gateways('victim')}/one/status`, { status: { seal: null } });
    createSim('two', 2);
    world.start('second');
    await world.run(world.now() + 300 * SECOND);
    expect(['one', 'two'].map((name) => readyOf(fleet, `${sims('victim')}/${name}`))).toEqual([
      'True Available',
      'True Available',
    ]);
  },
);

describe('where the Secret is exchanged while nobody knows what came of a creation', () => {
  it.each(
    (['sims', 'gateways'] as const).flatMap((kind) =>
      [true, false].flatMap((isKilled) => [true, false].map((isDeleted) => ({ kind, isKilled, isDeleted }))),
    ),
  )(
    'nothing is made in the other account, nor forgotten: $kind, killed $isKilled, deleted $isDeleted',
    async ({ kind, isKilled, isDeleted }) => {
      const fleet = createVirtualFleet({ seeds: { fleet: {}, other: {} } });
      const { world } = fleet;
      const operator = world.start('operator');
      await world.run(60 * SECOND);
      const route = kind === 'sims' ? 'POST /commonserviceitem' : 'POST /appliance';
      if (!isKilled) {
        world.arm({
          to: 'service',
          fits: (message) => message.route === route,
          count: 1,
          skip: 0,
          fault: 'lost-answer',
        });
      }
      const isCreation = (message: { readonly route: string }) => message.route === route;
      const isAsked = atFirst(world, 'arrived', isCreation, () => isKilled && operator.kill(20 * SECOND));
      const path = kind === 'sims' ? `${sims('fleet')}/one` : `${gateways('fleet')}/one`;
      const deletionPolicy = 'Delete';
      if (kind === 'sims') {
        fleet.createSim('fleet', 'one', 1, { passCodeSecretRef: { name: 'pass-codes', key: 'code' }, deletionPolicy });
      } else {
        fleet.create(gateways('fleet'), {
          apiVersion: 'edgeline.dev/v1alpha1',
          kind: 'MobileGateway',
          metadata: { name: 'one' },
          spec: { zone: 'is1b', planID: 2, deletionPolicy },
        });
      }
      await world.run(world.now() + 10 * SECOND, isAsked);
      exchange(fleet, 'fleet', 'other');
      if (isDeleted) world.apiserver.handle({ method: 'DELETE', path, user: 'user' });
      await world.run(world.now() + 900 * SECOND);
      const made = () => ({
        fleet: world.service.world('fleet')[kind].size,
        other: world.service.world('other')[kind].size,
      });
      const account = () => readyOf(fleet, `${GROUP}/namespaces/fleet/cloudaccounts/default`);
      expect({ isAsked: isAsked(), ...made(), account: account() }).toEqual({
        isAsked: true,
        fleet: 1,
        other: 0,
        account: 'False AccountChanged',
      });
      exchange(fleet, 'fleet', 'fleet');
      await world.run(world.now() + 900 * SECOND);
      expect({ ...made(), account: account() }).toEqual({
        fleet: isDeleted ? 0 : 1,
        other: 0,
        account: 'True Verified',
      });
      expect(isDeleted || readyOf(fleet, path).startsWith('True ')).toBe(true);
    },
  );
});

it.each([
  { to: 'fleet-2', isKilled: false, isBack: false },
  { to: 'fleet-2', isKilled: true, isBack: false },
  { to: 'other', isKilled: true, isBack: true },
  { to: 'other', isKilled: false, isBack: true },
  { to: 'other', isKilled: true, isBack: true, isKilledAgain: true },
])(
  'the hour is that of the account at the service where only sites are on record: $to, killed $isKilled, and back $isBack, and killed again $isKilledAgain',
  async ({ to, isKilled, isBack, isKilledAgain = false }) => {
    const sites = Array.from({ length: 12 }, (_, index) => ({
      id: String(113_300_002_000 + index),
      name: `e${index}`,
      domain: `e${index}.example.jp`,
    }));
    const fleet = createVirtualFleet({
      seeds: { fleet: { sites }, other: {} },
      limits: { webAccelRequestsPerHour: 60 },
    });
    const { world } = fleet;
    // What is on record of a token that somebody else has, too, could do them harm, and does not count.
    const others = `${GROUP}/namespaces/other/cloudaccounts/default`;
    world.apiserver.handle({ method: 'DELETE', path: others, user: 'user' });
    const path = `${GROUP}/namespaces/fleet/webaccelsites`;
    for (const { name, domain } of sites) {
      fleet.create(path, {
        apiVersion: 'edgeline.dev/v1alpha1',
        kind: 'WebAccelSite',
        metadata: { name },
        spec: { domain, displayName: name },
      });
    }
    const operator = world.start('operator');
    await world.run(300 * SECOND);
    const rename = async (round: string) => {
      for (let second = 0; second < 20; second++) {
        for (const { name } of sites)
          fleet.patch(`${path}/${name}`, { spec: { displayName: `${name} ${round} ${second}` } });
        await world.run(world.now() + SECOND);
      }
    };
    await rename('before');
    if (isKilled) {
      operator.kill(60 * SECOND);
      await world.run(world.now() + 10 * SECOND);
    }
    exchange(fleet, 'fleet', to);
    await world.run(world.now() + 240 * SECOND);
    if (isBack) {
      if (isKilledAgain) operator.kill(30 * SECOND);
      exchange(fleet, 'fleet', 'fleet');
      await world.run(world.now() + 120 * SECOND);
    }
    await rename('after');
    await world.run(world.now() + 120 * SECOND);
    const times = world.service.arrivalTimes('fleet', 'webaccel');
    expect(times.length).toBeGreaterThan(50);
    const mostOf = (at: number) => times.filter((other) => other > at - 3600 * SECOND && other <= at).length;
    expect(Math.max(...times.map(mostOf))).toBeLessThanOrEqual(60);
  },
);

it('what uses an account that was taken away by force says so, and nothing more is sent through it', async () => {
  const site = { id: '113300002000', name: 'www', domain: 'a.example.jp' };
  const fleet = createVirtualFleet({ seeds: { fleet: { sims: [SIM], sites: [site] } } });
  const { world } = fleet;
  const account = `${GROUP}/namespaces/fleet/cloudaccounts`;
  fleet.createSim('fleet', 'one', 1, { activated: true });
  const wanted = { domain: site.domain, displayName: 'www' };
  fleet.create(`${GROUP}/namespaces/fleet/webaccelsites`, {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'WebAccelSite',
    metadata: { name: 'www' },
    spec: wanted,
  });
  world.start('operator');
  await world.run(300 * SECOND);
  const paths = [`${sims('fleet')}/one`, `${GROUP}/namespaces/fleet/webaccelsites/www`];
  expect(paths.map((path) => readyOf(fleet, path))).toEqual(['True Available', 'True Available']);
  world.apiserver.handle({ method: 'DELETE', path: `${account}/default`, user: 'user' });
  await world.run(world.now() + 10 * SECOND);
  fleet.patch(`${account}/default`, { metadata: { finalizers: null } });
  await world.run(world.now() + 10 * SECOND);
  const routes: string[] = [];
  world.service.onChange(({ route }) => void routes.push(route));
  fleet.patch(`${sims('fleet')}/one`, { spec: { activated: false } });
  fleet.patch(paths[1] ?? '', { spec: { displayName: 'another' } });
  await world.run(world.now() + 120 * SECOND);
  expect([routes, paths.map((path) => readyOf(fleet, path))]).toEqual([
    [],
    ['False CredentialsGone', 'False CredentialsGone'],
  ]);
  fleet.create(account, {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'CloudAccount',
    metadata: { name: 'default' },
    spec: { baseURL: 'https://service.example', credentialsSecretRef: { name: 'credentials' } },
  });
  await world.run(world.now() + 300 * SECOND);
  expect([...fleet.waiting('fleet', 'webaccelsites'), routes.some((route) => route.endsWith('/deactivate'))]).toEqual([
    true,
  ]);
});
