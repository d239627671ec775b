import { expect, it } from 'vitest';
import { type Account, cloudAccountResource } from '../../../src/kinds/cloud-account/schema.ts';
import { timestamp } from '../../../src/kubernetes/objects.ts';
import { recordHour } from '../../support/hour-record.ts';
import { eventually } from '../../support/kubernetes.ts';
import { secret } from '../../support/manifests.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld, type World } from '../../support/world.ts';
import { seededSite } from '../site/support.ts';

const ACCOUNT = ['CloudAccount', 'default'] as const;
/** Of the hour, by a process that is no more. */
const USED = 300;

const sim = {
  apiVersion: 'edgeline.dev/v1alpha1',
  kind: 'Sim',
  metadata: { name: 'truck-17' },
  spec: { iccid: '8981040000000000017', passCodeSecretRef: { name: 'pass-codes', key: 'code' } },
};

interface Case {
  readonly what: string;
  readonly reason: string;
  readonly begin: (world: World) => Promise<unknown>;
  readonly end: (world: World) => Promise<unknown>;
}

const cases: readonly Case[] = [
  {
    what: 'while the account is paused',
    reason: 'Paused',
    begin: (world) => world.annotate(...ACCOUNT, { 'edgeline.dev/paused': 'true' }),
    end: (world) => world.annotate(...ACCOUNT, { 'edgeline.dev/paused': null }),
  },
  {
    what: 'while the service fails',
    reason: 'ServiceUnavailable',
    begin: (world) => world.simulator.fault({ route: '*', code: 503 }),
    end: (world) => world.simulator.clearFaults(),
  },
  {
    what: 'before its Secret is there',
    reason: 'SecretNotFound',
    begin: (world) => world.delete('Secret', 'service-credentials'),
    end: (world) => world.makeAccount(),
  },
];

/** Puts on record what a process that is no more has used of the hour. */
const record = (world: World, account = 'default', recordedAt = timestamp(Date.now())) =>
  recordHour(world, account, { used: USED, recordedAt });

/** What is on record once a site is looked after. */
async function usedWithSite(world: World): Promise<number> {
  await world.apply({
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'WebAccelSite',
    metadata: { name: 'www' },
    spec: { domain: 'www.example.jp' },
  });
  await world.ready('WebAccelSite', 'www');
  return eventually(async () => {
    const { status } = await world.client.get<Account>(cloudAccountResource, world.namespace, 'default');
    expect(status?.budget?.reserved).toBeGreaterThan(0);
    return status?.budget?.used ?? 0;
  });
}

it.each(cases)('what was used of the hour counts after a restart $what', async ({ begin, end, reason }) => {
  const world = await createWorld({ seed: { sites: [seededSite] } });
  const first = await startTestOperator({ namespaces: [world.namespace] });
  await world.ready(...ACCOUNT);
  await first.stop();
  await record(world);
  await begin(world);
  const operator = await startTestOperator({ namespaces: [world.namespace] });
  await world.condition(...ACCOUNT, { type: 'Ready', status: 'False', reason });
  await end(world);
  expect(await usedWithSite(world)).toBeGreaterThanOrEqual(USED);
  await operator.stop();
  await world.stop();
});

it('what was used of the hour counts when the account gets another token, without a restart', async () => {
  const other = { accessToken: 'other-token', accessTokenSecret: 'other-secret' };
  const world = await createWorld({
    seed: { sites: [seededSite], accounts: [{ name: 'twin', ...other, sameAs: 'default' }] },
  });
  const operator = await startTestOperator({ namespaces: [world.namespace] });
  await world.apply(sim);
  await world.ready('Sim', 'truck-17');
  await record(world);
  // Its limiter takes in what is on record.
  expect(await usedWithSite(world)).toBeGreaterThanOrEqual(USED);
  await world.delete('WebAccelSite', 'www');
  await world.gone('WebAccelSite', 'www');
  await world.apply(secret('service-credentials', other));
  await world.settle();
  expect(await usedWithSite(world)).toBeGreaterThanOrEqual(USED);
  await operator.stop();
  await world.stop();
});

/** Another account with the same credentials. */
async function twin(world: World): Promise<void> {
  const { spec } = await world.client.get<Account>(cloudAccountResource, world.namespace, 'default');
  await world.apply({
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'CloudAccount',
    metadata: { name: 'twin' },
    spec,
  });
  await world.ready('CloudAccount', 'twin');
}

it('what another account of the token has on record counts after a restart, though that one cannot be used', async () => {
  const world = await createWorld({ seed: { sites: [seededSite] } });
  const first = await startTestOperator({ namespaces: [world.namespace] });
  await world.ready(...ACCOUNT);
  await twin(world);
  await first.stop();
  await record(world, 'twin');
  await world.annotate('CloudAccount', 'twin', { 'edgeline.dev/paused': 'true' });
  const operator = await startTestOperator({ namespaces: [world.namespace] });
  expect(await usedWithSite(world)).toBeGreaterThanOrEqual(USED);
  await operator.stop();
  await world.stop();
});

it('what an account has on record goes to another of the token before it is gone', async () => {
  const world = await createWorld({ seed: { sites: [seededSite] } });
  const operator = await startTestOperator({ namespaces: [world.namespace] });
  await world.ready(...ACCOUNT);
  await twin(world);
  // Used by this process: the record of the twin alone says so.
  await record(world, 'twin');
  await world.annotate('CloudAccount', 'twin', { 'edgeline.dev/reconcile-at': 'now' });
  await eventually(async () => {
    const { status } = await world.client.get<Account>(cloudAccountResource, world.namespace, 'twin');
    expect(status?.budget?.identity).toBeDefined();
  });
  await world.delete('CloudAccount', 'twin');
  await world.gone('CloudAccount', 'twin');
  const { status } = await world.client.get<Account>(cloudAccountResource, world.namespace, 'default');
  expect(status?.budget?.used).toBeGreaterThanOrEqual(USED);
  await operator.stop();
  await world.stop();
});

it('what a stranger copies of the record of an account into one of his own counts for him alone', async () => {
  const world = await createWorld({ seed: { sites: [seededSite] } });
  const stranger = await createWorld({ at: world, account: false, prefix: 'stranger' });
  const namespaces = [world.namespace, stranger.namespace];
  const first = await startTestOperator({ namespaces });
  await world.ready(...ACCOUNT);
  await first.stop();
  const { spec, status } = await world.client.get<Account>(cloudAccountResource, world.namespace, 'default');
  expect(status?.budget?.identity).toBeDefined();
  await stranger.apply({
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'CloudAccount',
    metadata: { name: 'default' },
    spec,
  });
  const forged = { ...status, budget: { ...status?.budget, used: 500, recordedAt: timestamp(Date.now() + 1e11) } };
  await world.client.mergePatch(
    cloudAccountResource,
    stranger.namespace,
    'default',
    { status: forged },
    { subresource: 'status' },
  );
  const operator = await startTestOperator({ namespaces });
  expect(await usedWithSite(world)).toBeLessThan(100);
  await operator.stop();
  await stranger.stop();
  await world.stop();
});

it('what is written into a record by who has not the token’s secret counts for nobody', async () => {
  const world = await createWorld({ seed: { sites: [seededSite] } });
  const first = await startTestOperator({ namespaces: [world.namespace] });
  await world.ready(...ACCOUNT);
  await twin(world);
  await first.stop();
  for (const name of ['default', 'twin']) {
    const budget = { used: 500, reserved: 500, limit: 1, recordedAt: timestamp(Date.now()) };
    // As who may patch the status does: whose it is stays there.
    const patch = { status: { budget } };
    await world.client.mergePatch(cloudAccountResource, world.namespace, name, patch, { subresource: 'status' });
  }
  const operator = await startTestOperator({ namespaces: [world.namespace] });
  expect(await usedWithSite(world)).toBeLessThan(100);
  await operator.stop();
  await world.stop();
});

it('a record of no time does not let go what it does not cover, nor close the hour for ever', async () => {
  const world = await createWorld({ seed: { sites: [seededSite] } });
  const first = await startTestOperator({ namespaces: [world.namespace] });
  await world.ready(...ACCOUNT);
  await record(world, 'default', 'no time');
  await first.stop();
  const operator = await startTestOperator({ namespaces: [world.namespace] });
  expect(await usedWithSite(world)).toBeGreaterThanOrEqual(USED);
  const { status } = await world.client.get<Account>(cloudAccountResource, world.namespace, 'default');
  expect(Date.parse(status?.budget?.recordedAt ?? '')).toBeLessThanOrEqual(Date.now() + 2000);
  await operator.stop();
  await world.stop();
});
