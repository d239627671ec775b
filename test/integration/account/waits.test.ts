import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import type { Operator } from '../../../src/operator/start.ts';
import { createIntermediate, createRoot, issue, tlsSecret } from '../../support/certificates.ts';
import { eventually } from '../../support/kubernetes.ts';
import { startTestOperator } from '../../support/operator.ts';
import type { World } from '../../support/world.ts';
import { DOMAIN, SITE_ID, site, siteWorld } from '../site/support.ts';

let operator: Operator;
afterEach(() => operator.stop());

const certificate = {
  apiVersion: 'edgeline.dev/v1alpha1',
  kind: 'SiteCertificate',
  metadata: { name: 'www' },
  spec: { siteID: SITE_ID, secretRef: { name: 'www-tls' } },
};

const limit = (world: World, webAccelRequestsPerHour: number) =>
  world.patch('CloudAccount', 'default', { spec: { limits: { webAccelRequestsPerHour } } });

async function asked(world: World): Promise<number> {
  return (await world.requests()).filter(({ route }) => route.includes('webaccel')).length;
}

it('who waits for the hour goes on when the limit is raised', async () => {
  const world = await siteWorld();
  operator = await startTestOperator({ namespaces: [world.namespace] });
  const issuer = await createIntermediate(await createRoot());
  await world.apply(tlsSecret('www-tls', await issue(issuer, [DOMAIN])));
  await world.apply(structuredClone(certificate));
  await world.apply(site({ displayName: 'before' }));
  await world.ready('SiteCertificate', 'www');
  await world.ready('WebAccelSite', 'www');
  await limit(world, 2);
  await world.ready('CloudAccount', 'default');
  const renewed = await issue(issuer, [DOMAIN]);
  await world.apply(tlsSecret('www-tls', renewed));
  await world.patch('WebAccelSite', 'www', { spec: { displayName: 'after' } });
  await world.condition('SiteCertificate', 'www', { type: 'Synced', status: 'False', reason: 'Queued' });
  await world.condition('WebAccelSite', 'www', { type: 'Synced', status: 'False', reason: 'Queued' });
  await limit(world, 500);
  await eventually(async () => {
    const { status } = await world.get('SiteCertificate', 'www');
    expect(status?.['current']).toMatchObject({ sha256Fingerprint: renewed.fingerprint });
  });
  await eventually(async () => {
    const { sites } = await world.simulator.state();
    expect(sites[SITE_ID]).toMatchObject({ settings: { Name: 'after' } });
  });
  await world.stop();
});

it('a change of a site does not wait behind its turn to be read', async () => {
  const world = await siteWorld();
  // Turns come at once.
  operator = await startTestOperator({ namespaces: [world.namespace], detailPace: 100_000, sitePollSeconds: 1000 });
  await world.apply(site({ displayName: 'before' }));
  await world.ready('WebAccelSite', 'www');
  // Reads may use nine tenths of it.
  await limit(world, Math.floor((await asked(world)) / 0.9) + 12);
  await sleep(8000);
  const before = await asked(world);
  await sleep(2000);
  expect(await asked(world)).toBe(before);
  await world.patch('WebAccelSite', 'www', { spec: { displayName: 'after' } });
  await eventually(async () => {
    const { sites } = await world.simulator.state();
    expect(sites[SITE_ID]).toMatchObject({ settings: { Name: 'after' } });
  });
  await world.stop();
});

it('a Secret that changed while the operator was down is told of, though the account cannot be used', async () => {
  const world = await siteWorld();
  operator = await startTestOperator({ namespaces: [world.namespace] });
  const issuer = await createIntermediate(await createRoot());
  await world.apply(tlsSecret('www-tls', await issue(issuer, [DOMAIN])));
  await world.apply(structuredClone(certificate));
  await world.ready('SiteCertificate', 'www');
  await world.condition('SiteCertificate', 'www', { type: 'Synced', status: 'True', reason: 'Available' });
  await operator.stop();
  await world.apply(tlsSecret('www-tls', await issue(issuer, [DOMAIN])));
  await world.simulator.fault({ route: '*', code: 503 });
  operator = await startTestOperator({ namespaces: [world.namespace] });
  const told = await world.condition('SiteCertificate', 'www', { type: 'Synced', status: 'False', reason: '*' });
  expect(told.message).toMatch(/CloudAccount default can't be used/);
  await world.condition('SiteCertificate', 'www', { type: 'Ready', status: 'True', reason: '*' });
  await world.stop();
});
