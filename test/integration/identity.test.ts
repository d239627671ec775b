import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Operator } from '../../src/operator/start.ts';
import type { Seed } from '../../src/simulator/seed-schema.ts';
import { eventually } from '../support/kubernetes.ts';
import { ACCESS_TOKEN, ACCESS_TOKEN_SECRET, secret } from '../support/manifests.ts';
import { startTestOperator } from '../support/operator.ts';
import { createWorld, type World } from '../support/world.ts';

vi.setConfig({ maxConcurrency: 10 });

const other = { accessToken: 'other-token', accessTokenSecret: 'other-secret' };
const usual = { accessToken: ACCESS_TOKEN, accessTokenSecret: ACCESS_TOKEN_SECRET };
const iccid = (n: number) => `89810400000000001${String(n).padStart(2, '0')}`;
const passCodeSecretRef = { name: 'pass-codes', key: 'code' };

function sim(n: number, spec: object = {}): object {
  return {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: { name: `truck-${n}` },
    spec: { iccid: iccid(n), passCodeSecretRef, activated: true, ...spec },
  };
}

const gateway = {
  apiVersion: 'edgeline.dev/v1alpha1',
  kind: 'MobileGateway',
  metadata: { name: 'depot' },
  spec: { zone: 'is1b', planID: 2 },
};

/** What both accounts hold at first: nothing, or in the other one SIMs with the IDs of the first. */
function seed(theirs: NonNullable<Seed['accounts']>[number]['sims'] = []): Seed {
  return { accounts: [{ name: 'other', ...other, sims: theirs }] };
}

/** A fleet of three Sims and a gateway. */
async function fleet(seeded: Seed = seed()): Promise<World> {
  const world = await createWorld({ seed: seeded });
  for (const one of [sim(1), sim(2), sim(3), structuredClone(gateway)]) await world.apply(one);
  for (const n of [1, 2, 3]) await world.ready('Sim', `truck-${n}`);
  await world.ready('MobileGateway', 'depot');
  await world.forget();
  return world;
}

/** The IDs of the Sims and of the gateway, as their statuses have them. */
async function idsOf(world: World): Promise<string[]> {
  const sims = await Promise.all([1, 2, 3].map((n) => world.get('Sim', `truck-${n}`)));
  return [...sims, await world.get('MobileGateway', 'depot')].map(({ status }) => String(status?.['id']));
}

const refused = { type: 'Ready', status: 'False', reason: 'AccountChanged' } as const;
const missing = { type: 'Ready', status: 'False', reason: 'ManyMissing' } as const;

/** The command at the end of a message, carried out. */
async function accept(world: World, message: string): Promise<void> {
  const until = /accept-missing-until=(\S+)$/.exec(message)?.[1] ?? '';
  expect(Date.parse(until)).toBeGreaterThan(Date.now());
  await world.annotate('CloudAccount', 'default', { 'edgeline.dev/accept-missing-until': until });
}

/** Does something at the service while it shows no list, so that it is seen all at once. */
async function unseen(world: World, change: () => Promise<void>): Promise<void> {
  await world.simulator.fault({ route: 'GET *', code: 503 });
  await change();
  await world.simulator.clearFaults();
}

/** Removes all SIMs at once. */
async function loseAll(world: World) {
  const { sims } = await world.simulator.state();
  await unseen(world, async () => {
    for (const id of Object.keys(sims)) await world.simulator.remove('sims', id);
  });
  return Object.values(sims);
}

let operator: Operator;
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(() => operator.stop());

describe.concurrent('the token of another account in the Secret', () => {
  it('makes nothing there, forgets no ID, and switched back all goes on', async () => {
    const world = await fleet();
    const before = await idsOf(world);
    await world.apply(secret('service-credentials', other));
    const { message } = await world.condition('CloudAccount', 'default', refused);
    expect(message).toMatch(
      /^With the baseURL and access token as they are now, the account does not show 4 of the 4 objects its resources have: /,
    );
    await world.apply(sim(4));
    await world.delete('Sim', 'truck-3');
    await sleep(3000);
    expect(await world.writes()).toEqual([]);
    expect(await idsOf(world)).toEqual(before);

    await world.apply(secret('service-credentials', usual));
    await world.ready('CloudAccount', 'default');
    await world.gone('Sim', 'truck-3');
    await world.ready('Sim', 'truck-4');
    const { sims } = await world.simulator.state();
    expect(
      Object.values(sims)
        .map((one) => [one?.['account'], one?.['iccid']].join(' '))
        .sort(),
    ).toEqual([1, 2, 4].map((n) => `default ${iccid(n)}`));
    await world.stop();
  });

  it('is used once a person has said that what is missing is gone', async () => {
    const world = await fleet();
    await world.apply(secret('service-credentials', other));
    const { message } = await world.condition('CloudAccount', 'default', refused);
    await loseAll(world);
    await accept(world, message);
    await world.ready('CloudAccount', 'default');
    // Until it is looked at again, a Sim says what it was with the token before.
    await eventually(async () => {
      const { sims } = await world.simulator.state();
      expect(Object.values(sims).filter((one) => one?.['account'] === 'other').length).toBe(3);
    });
    for (const n of [1, 2, 3]) await world.ready('Sim', `truck-${n}`);
    await world.stop();
  });

  it('of the same account is used at once', async () => {
    const world = await fleet({ accounts: [{ name: 'twin', ...other, sameAs: 'default' }] });
    await world.apply(secret('service-credentials', other));
    await world.apply(sim(4));
    await world.ready('Sim', 'truck-4');
    expect((await world.writes()).filter((call) => call.startsWith('POST')).length).toBe(1);
    await world.stop();
  });
});

describe.concurrent('where only sites tell that the account is another one', () => {
  const DOMAIN = 'www.example.jp';
  const site = {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'WebAccelSite',
    metadata: { name: 'www' },
    spec: { domain: DOMAIN, displayName: 'mine' },
  };

  it('nothing is made or written there, and the ID stays', async () => {
    const theirs = [{ name: 'www', domain: DOMAIN, status: 'enabled' as const }];
    const world = await createWorld({
      seed: { sites: theirs, accounts: [{ name: 'other', ...other, sites: theirs }] },
    });
    await world.apply(structuredClone(site));
    const { status } = await world.ready('WebAccelSite', 'www');
    await world.forget();
    await world.apply(sim(1));
    await world.apply(secret('service-credentials', other));
    await world.condition('CloudAccount', 'default', refused);
    await sleep(1500);
    const there = (await world.requests()).filter(({ account }) => account === 'other');
    expect(there.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect((await world.get('WebAccelSite', 'www')).status?.['id']).toBe(status?.['id']);
    await world.stop();
  });
});

describe.concurrent('deletions while the account is another one', () => {
  it('are not taken for done', async () => {
    const world = await fleet();
    await world.patch('CloudAccount', 'default', { spec: { brakes: { deletions: { policy: 'Allow' } } } });
    await world.apply(secret('service-credentials', other));
    await world.condition('CloudAccount', 'default', refused);
    for (const n of [1, 2, 3]) await world.delete('Sim', `truck-${n}`);
    await world.delete('MobileGateway', 'depot');
    await world.annotate('CloudAccount', 'default', { 'edgeline.dev/reconcile-at': '1' });
    await world.delete('CloudAccount', 'default');
    await sleep(2000);
    for (const n of [1, 2, 3]) expect((await world.get('Sim', `truck-${n}`)).metadata.deletionTimestamp).toBeDefined();
    await world.apply(secret('service-credentials', usual));
    for (const n of [1, 2, 3]) await world.gone('Sim', `truck-${n}`);
    await world.gone('MobileGateway', 'depot');
    const { sims, gateways } = await world.simulator.state();
    expect({ sims, gateways }).toEqual({ sims: {}, gateways: {} });
    await world.stop();
  });
});

describe.concurrent('an account that only names the token of another', () => {
  it('does not put its owner into doubt', async () => {
    const victim = await fleet();
    const stranger = await fleet();
    await stranger.apply(secret('service-ca', { 'ca.crt': victim.ca }));
    await stranger.apply(secret('service-credentials', { accessToken: ACCESS_TOKEN, accessTokenSecret: 'guess' }));
    await stranger.patch('CloudAccount', 'default', { spec: { baseURL: victim.baseURL } });
    await stranger.condition('CloudAccount', 'default', {
      type: 'Ready',
      status: 'False',
      reason: 'CredentialsRejected',
    });
    await victim.annotate('CloudAccount', 'default', { 'edgeline.dev/reconcile-at': '1' });
    await victim.apply(sim(4));
    await victim.ready('Sim', 'truck-4');
    const { status } = await victim.ready('CloudAccount', 'default');
    expect(status?.conditions?.map(({ reason }) => reason)).toEqual(['Verified']);
    await stranger.stop();
    await victim.stop();
  });
});

describe.concurrent('a baseURL that points at another service', () => {
  it('makes nothing there, even where it has SIMs of the same IDs, and deletes nothing', async () => {
    const world = await fleet();
    const ids = await idsOf(world);
    const staging = await createWorld({
      account: false,
      seed: {
        sims: ids.slice(0, 3).map((id, n) => ({ id, iccid: iccid(n + 50), activated: true })),
        gateways: [{ id: ids[3] ?? '', name: 'other', zone: 'is1b' }],
      },
    });
    await world.apply(secret('service-ca', { 'ca.crt': staging.ca }));
    await world.patch('CloudAccount', 'default', { spec: { baseURL: staging.baseURL } });
    await world.condition('CloudAccount', 'default', refused);
    await world.delete('Sim', 'truck-1');
    await world.delete('MobileGateway', 'depot');
    await sleep(3000);
    expect(await staging.writes()).toEqual([]);
    expect(await idsOf(world)).toEqual(ids);
    await world.stop();
    await staging.stop();
  });
});

describe.concurrent('what is recorded', () => {
  it('counts only with its ICCID and the time it was made: another SIM under its ID is left alone', async () => {
    const world = await fleet();
    const [id = ''] = await idsOf(world);
    await unseen(world, async () => {
      await world.simulator.remove('sims', id);
      await world.simulator.add('sims', { id, iccid: iccid(77), activated: true });
    });
    const { message } = await world.condition('Sim', 'truck-1', { ...missing, reason: 'NotTheSame' });
    expect(message).toContain(`SIM ${id} is not what this resource has: its ICCID is not ${iccid(1)}`);
    await world.delete('Sim', 'truck-1');
    await sleep(1500);
    expect(await world.writes()).toEqual([]);
    await accept(world, message);
    await world.gone('Sim', 'truck-1');
    expect(await world.writes()).toEqual([]);
    await world.stop();
  });

  it('of a gateway counts only with the time it was made', async () => {
    const world = await fleet();
    const id = (await idsOf(world))[3] ?? '';
    await unseen(world, async () => {
      await world.simulator.remove('gateways', id);
      await world.simulator.add('gateways', { id, name: 'depot', zone: 'is1b', createdAt: '2020-01-01T00:00:00Z' });
    });
    await world.condition('MobileGateway', 'depot', { ...missing, reason: 'NotTheSame' });
    await world.patch('MobileGateway', 'depot', { spec: { internetConnection: true } });
    await world.delete('MobileGateway', 'depot');
    await sleep(1500);
    expect(await world.writes()).toEqual([]);
    await world.stop();
  });

  it('is not made anew when all of it is missing at once, until a person says so', async () => {
    const world = await fleet();
    const before = await idsOf(world);
    await loseAll(world);
    for (const n of [1, 2, 3]) await world.condition('Sim', `truck-${n}`, missing);
    const { message } = await world.condition('CloudAccount', 'default', missing);
    await world.apply(sim(4));
    await world.condition('Sim', 'truck-4', missing);
    expect(await idsOf(world)).toEqual(before);
    expect(await world.writes()).toEqual([]);
    await accept(world, message);
    for (const n of [1, 2, 3, 4]) await world.ready('Sim', `truck-${n}`);
    await world.ready('CloudAccount', 'default');
    await world.stop();
  });

  it('is made anew one by one only until it is too many in a short time', async () => {
    const world = await fleet();
    for (const n of [1, 2]) {
      await world.simulator.remove('sims', iccid(n));
      await eventually(async () => expect((await world.writes()).length).toBe(2 * n));
      await world.ready('Sim', `truck-${n}`);
    }
    await world.simulator.remove('sims', iccid(3));
    await world.condition('Sim', 'truck-3', missing);
    await world.settle();
    expect((await world.writes()).length).toBe(4);
    await world.stop();
  });

  it('goes on by itself when what was missing is shown again', async () => {
    const world = await fleet();
    const all = await loseAll(world);
    await world.condition('CloudAccount', 'default', missing);
    for (const one of all) {
      const createdAt = new Date(Number(one?.['createdAt'])).toISOString();
      const [id, digits, name] = ['id', 'iccid', 'name'].map((member) => String(one?.[member]));
      await world.simulator.add('sims', { id, iccid: digits, name, activated: true, createdAt });
    }
    await eventually(async () => world.ready('CloudAccount', 'default'));
    for (const n of [1, 2, 3]) await world.ready('Sim', `truck-${n}`);
    expect(await world.writes()).toEqual([]);
    await world.stop();
  });
});
