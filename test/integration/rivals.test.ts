import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operator } from '../../src/operator/start.ts';
import type { Seed } from '../../src/simulator/seed-schema.ts';
import { createIntermediate, createRoot, issue, tlsSecret } from '../support/certificates.ts';
import { eventually } from '../support/kubernetes.ts';
import { secret } from '../support/manifests.ts';
import { startTestOperator } from '../support/operator.ts';
import { createWorld, type World, type WorldOptions } from '../support/world.ts';

const ICCID = '8981040000000000017';
const SIM = ['Sim', 'truck'] as const;
const SITE_ID = '113300000301';
const DOMAIN = 'www.example.jp';

const other = { accessToken: 'other-token', accessTokenSecret: 'other-secret' };
const seed = {
  sims: [{ id: '113300000017', iccid: ICCID, activated: true }],
  gateways: [{ id: '113300000101', name: 'depot', zone: 'is1b' as const }],
  sites: [{ id: SITE_ID, name: 'www', domain: DOMAIN, status: 'enabled' as const }],
  accounts: [{ name: 'same', ...other, sameAs: 'default' }],
} satisfies Seed;

function sim(spec: object): object {
  return {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: { name: 'truck' },
    spec: { iccid: ICCID, ...spec },
  };
}

const held = { type: 'Synced', status: 'False', reason: 'AlreadyManaged' } as const;

/** How another namespace may reach what the first one has. */
const ways: readonly { readonly way: string; readonly options: Partial<WorldOptions> }[] = [
  { way: 'the same token', options: {} },
  { way: 'another token of the account', options: { credentials: { ...other, passCode: 'x' } } },
  { way: 'another name of the host', options: { host: '127.0.0.1' } },
];

interface Pair {
  readonly kind: string;
  readonly name: string;
  readonly mine: object | string;
  readonly theirs: object | string;
}

const sitePair: Pair = {
  kind: 'WebAccelSite',
  name: 'www',
  mine: `{apiVersion: edgeline.dev/v1alpha1, kind: WebAccelSite, metadata: {name: www}, spec: {domain: ${DOMAIN}, displayName: mine}}`,
  theirs: `{apiVersion: edgeline.dev/v1alpha1, kind: WebAccelSite, metadata: {name: www}, spec: {siteID: "${SITE_ID}", displayName: theirs}}`,
};

describe.concurrent('what one resource manages', () => {
  let operator: Operator;
  beforeAll(async () => {
    operator = await startTestOperator();
  });
  afterAll(() => operator.stop());

  it.each(ways)('is not touched by a Sim that reaches it with $way', async ({ options }) => {
    const world = await createWorld({ seed });
    await world.apply(sim({ activated: true }));
    await world.ready(...SIM);
    const beside = await createWorld({ ...options, at: world });
    await beside.apply(sim({ activated: false }));
    const { message } = await beside.condition(...SIM, held);
    expect(message).toContain(`is already managed by the Sim ${world.namespace}/truck.`);
    await world.settle();
    expect(await world.writes()).toEqual([]);
    await beside.delete(...SIM);
    await beside.gone(...SIM);
    expect(await world.writes()).toEqual([]);
    await beside.stop();
    await world.stop();
  });

  it.each(ways)('is not touched by a WebAccelSite that reaches it with $way', async ({ options }) => {
    const world = await createWorld({ seed });
    await world.apply(sitePair.mine);
    await world.ready('WebAccelSite', 'www');
    const beside = await createWorld({ ...options, at: world });
    await beside.apply(sitePair.theirs);
    await beside.condition('WebAccelSite', 'www', held);
    expect(await world.writes()).toEqual(['PUT webaccel/site/:id {"Site":{"Name":"mine"}}']);
    await beside.stop();
    await world.stop();
  });

  it.each(ways)('is not touched by a MobileGateway that reaches it with $way', async ({ options }) => {
    const gateway = (spec: object) => ({
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'MobileGateway',
      metadata: { name: 'depot' },
      spec: { zone: 'is1b', resourceID: '113300000101', ...spec },
    });
    const world = await createWorld({ seed });
    await world.apply(gateway({ internetConnection: true }));
    await world.ready('MobileGateway', 'depot');
    await world.forget();
    const beside = await createWorld({ ...options, at: world });
    await beside.apply(gateway({ internetConnection: false, deletionPolicy: 'Delete' }));
    await beside.condition('MobileGateway', 'depot', held);
    await beside.delete('MobileGateway', 'depot');
    await beside.gone('MobileGateway', 'depot');
    expect(await world.writes()).toEqual([]);
    await beside.stop();
    await world.stop();
  });

  it.each(ways)('keeps its certificate from a SiteCertificate that reaches it with $way', async ({ options }) => {
    const issuer = await createIntermediate(await createRoot());
    const certificate = {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'SiteCertificate',
      metadata: { name: 'www' },
      spec: { siteID: SITE_ID, secretRef: { name: 'www-tls' } },
    };
    const world = await createWorld({ seed });
    await world.apply(tlsSecret('www-tls', await issue(issuer, [DOMAIN])));
    await world.apply(structuredClone(certificate));
    await world.ready('SiteCertificate', 'www');
    const beside = await createWorld({ ...options, at: world });
    await beside.apply(tlsSecret('www-tls', await issue(issuer, [DOMAIN])));
    await beside.apply(structuredClone(certificate));
    await beside.condition('SiteCertificate', 'www', held);
    expect((await world.writes()).length).toBe(1);
    await beside.stop();
    await world.stop();
  });

  it('is free for another once it is abandoned', async () => {
    const world = await createWorld({ seed });
    await world.apply(sim({ activated: true }));
    await world.ready(...SIM);
    const beside = await createWorld({ at: world });
    await beside.apply(sim({ activated: false }));
    await beside.condition(...SIM, held);
    await world.annotate(...SIM, { 'edgeline.dev/abandon': 'true' });
    await beside.ready(...SIM);
    expect(await world.writes()).toEqual(['PUT /commonserviceitem/:id/sim/deactivate']);
    await beside.stop();
    await world.stop();
  });
});

describe('after a restart', () => {
  it('the token of another account, put there meanwhile, makes nothing there', async () => {
    let operator = await startTestOperator();
    const world = await createWorld({ seed: { ...seed, accounts: [{ name: 'another', ...other }] } });
    await world.apply(sim({ activated: true, passCodeSecretRef: { name: 'pass-codes', key: 'code' } }));
    await world.ready(...SIM);
    await operator.stop();
    await world.apply(secret('service-credentials', other));
    operator = await startTestOperator();
    await world.condition('CloudAccount', 'default', { type: 'Ready', status: 'False', reason: 'AccountChanged' });
    await sleep(1500);
    expect(await world.writes()).toEqual([]);
    expect((await world.get(...SIM)).status).toMatchObject({ id: '113300000017' });
    await world.stop();
    await operator.stop();
  });

  it('a Sim whose account cannot be told keeps its SIM from a rival, and goes on when it can', async () => {
    let operator = await startTestOperator();
    const world = await createWorld({ seed });
    await world.apply(sim({ activated: true }));
    await world.ready(...SIM);
    const beside = await createWorld({ at: world });
    await beside.apply(sim({ activated: false }));
    await beside.condition(...SIM, held);
    await operator.stop();
    await world.delete('Secret', 'service-credentials');
    operator = await startTestOperator();
    await beside.ready('CloudAccount', 'default');
    await beside.annotate(...SIM, { 'edgeline.dev/reconcile-at': '1' });
    await sleep(2000);
    await beside.condition(...SIM, held);
    await world.makeAccount();
    await world.ready(...SIM);
    await world.settle();
    expect(await world.writes()).toEqual([]);
    await beside.stop();
    await world.stop();
    await operator.stop();
  });

  it('tokens may be rotated one namespace at a time', async () => {
    const operator = await startTestOperator();
    const world = await createWorld({ seed });
    await world.apply(sim({ activated: true }));
    await world.ready(...SIM);
    const beside = await createWorld({ at: world });
    await beside.apply(sim({ activated: false }));
    await beside.condition(...SIM, held);
    for (const one of [world, beside]) {
      await one.apply(secret('service-credentials', other));
      await one.ready('CloudAccount', 'default');
      for (const each of [world, beside]) await each.annotate(...SIM, { 'edgeline.dev/reconcile-at': one.namespace });
      await sleep(1500);
      await beside.condition(...SIM, held);
    }
    await world.ready(...SIM);
    expect(await world.writes()).toEqual([]);
    await beside.stop();
    await world.stop();
    await operator.stop();
  });

  it('of twenty accounts on one token the Sim that has a SIM keeps it', async () => {
    let operator = await startTestOperator();
    const world = await createWorld({ seed });
    await world.apply(sim({ activated: true }));
    await world.ready(...SIM);
    const rivals = await Promise.all(Array.from({ length: 19 }, () => createWorld({ at: world })));
    await Promise.all(rivals.map((rival) => rival.apply(sim({ activated: false }))));
    await Promise.all(rivals.map((rival) => rival.condition(...SIM, held)));
    for (let round = 0; round < 2; round++) {
      await operator.stop();
      operator = await startTestOperator();
      await Promise.all(rivals.map((rival) => rival.ready('CloudAccount', 'default')));
      await eventually(async () => world.ready(...SIM));
      await sleep(1500);
      await Promise.all(rivals.map((rival) => rival.condition(...SIM, held)));
    }
    expect(await world.writes()).toEqual([]);
    await Promise.all(rivals.map((rival: World) => rival.stop()));
    await world.stop();
    await operator.stop();
  });
});
