import { expect, it } from 'vitest';
import { certificateNamed, tlsSecret } from './certificates.ts';
import { iccidOf } from './fleet.ts';
import { createTenants, PASS_CODE, SITE, takeLease } from './tenants.ts';

/** What somebody tries with statuses that the operator wrote for them once, and that they kept and put back. */

const ABANDON = { 'edgeline.dev/abandon': 'true' };

it.each([
  [
    'sims',
    { iccid: iccidOf(1), ...PASS_CODE, deletionPolicy: 'Delete' },
    () => ({ iccid: iccidOf(1), activated: true }),
  ],
  [
    'mobilegateways',
    { zone: 'is1b', planID: 2, deletionPolicy: 'Delete' },
    (id: string) => ({ zone: 'is1b', planID: 2, resourceID: id }),
  ],
])('who made and abandoned something does not delete it under who took it over: %s', async (plural, made, taken) => {
  const tenants = createTenants();
  const { fleet, create, annotate, recordOf, putStatus, letPass } = tenants;
  const first = fleet.world.start('first');
  create('evil', plural, 'one', made);
  await letPass(600);
  const record = recordOf('evil', plural, 'one');
  annotate('evil', plural, 'one', ABANDON);
  await letPass(60);
  create('victim', plural, 'one', taken('id' in record ? String(record.id) : ''));
  await letPass(300);
  expect([...fleet.waiting('victim', plural)]).toEqual([]);
  first.stop('never');
  await letPass(60);
  annotate('evil', plural, 'one', { 'edgeline.dev/abandon': null });
  putStatus('evil', plural, 'one', record);
  fleet.world.start('second');
  await letPass(300);
  expect([[...fleet.waiting('evil', plural)], [...fleet.waiting('victim', plural)]]).toEqual([['one'], []]);
  tenants.remove('evil', plural, 'one');
  await letPass(900);
  const { sims, gateways } = fleet.world.service.world('edge');
  expect(sims.size + gateways.size).toBe(1);
});

it.each([
  ['while the operator runs', false],
  ['while it is down', true],
])('who abandoned a SIM that was there before does not get it back with its old status, %s', async (_, isDown) => {
  const { fleet, create, annotate, recordOf, putStatus, letPass } = createTenants({ sims: 2 });
  const first = fleet.world.start('first');
  create('evil', 'sims', 'one', { iccid: iccidOf(1) });
  await letPass(60);
  const record = recordOf('evil', 'sims', 'one');
  create('victim', 'sims', 'one', { iccid: iccidOf(1) });
  await letPass(60);
  annotate('evil', 'sims', 'one', ABANDON);
  await letPass(300);
  expect([...fleet.waiting('victim')]).toEqual([]);
  if (isDown) first.stop('never');
  await letPass(60);
  annotate('evil', 'sims', 'one', { 'edgeline.dev/abandon': null });
  putStatus('evil', 'sims', 'one', record);
  if (isDown) fleet.world.start('second');
  await letPass(600);
  expect([[...fleet.waiting('evil')], [...fleet.waiting('victim')]]).toEqual([['one'], []]);
});

it.each([
  ['one namespace', ['evil', 'evil', 'evil']],
  ['two namespaces', ['evil', 'evil', 'edge']],
] as const)('records of SIMs that are gone, sealed once and kept in %s, stop nobody else', async (_, places) => {
  const tenants = createTenants({ sims: 20 });
  const { fleet, create, createOld, annotate, recordOf, putStatus, letPass } = tenants;
  createOld();
  const first = fleet.world.start('first');
  const numbers = [900, 901, 902];
  const ones = numbers.map((number, index) => ({ number, tenant: places[index] ?? 'evil' }));
  for (const { number, tenant } of ones)
    create(tenant, 'sims', `mine-${number}`, { iccid: iccidOf(number), ...PASS_CODE });
  await letPass(300);
  const records = ones.map(({ number, tenant }) => recordOf(tenant, 'sims', `mine-${number}`));
  for (const { number, tenant } of ones) {
    annotate(tenant, 'sims', `mine-${number}`, ABANDON);
    create(tenant, 'sims', `other-${number}`, { iccid: iccidOf(number), deletionPolicy: 'Delete' });
  }
  await letPass(300);
  for (const { number, tenant } of ones) tenants.remove(tenant, 'sims', `other-${number}`);
  await letPass(600);
  expect(fleet.world.service.world('edge').sims.size).toBe(20);
  takeLease(tenants, 'evil');
  await letPass(10);
  for (const [index, { number, tenant }] of ones.entries()) {
    annotate(tenant, 'sims', `mine-${number}`, { 'edgeline.dev/abandon': null });
    putStatus(tenant, 'sims', `mine-${number}`, records[index] ?? {});
  }
  await letPass(60);
  first.stop('never');
  await letPass(60);
  fleet.world.start('second');
  await letPass(1200);
  create('victim', 'sims', 'new', { iccid: iccidOf(50), ...PASS_CODE });
  await letPass(60);
  expect([...fleet.waiting('victim')]).toEqual([]);
});

it('the certificate of a site that somebody had once goes on being renewed by who has the site now', async () => {
  const tenants = createTenants({ edge: { sites: [SITE] } });
  const { fleet, create, annotate, recordOf, putStatus, letPass } = tenants;
  fleet.world.start('operator');
  create('evil', 'webaccelsites', 'one', { domain: SITE.domain });
  await letPass(300);
  const record = recordOf('evil', 'webaccelsites', 'one');
  annotate('evil', 'webaccelsites', 'one', ABANDON);
  await letPass(60);
  fleet.create('/api/v1/namespaces/victim/secrets', tlsSecret('tls', 'a-1'));
  create('victim', 'webaccelsites', 'one', { domain: SITE.domain, enabled: true });
  await letPass(60);
  create('victim', 'sitecertificates', 'one', { siteRef: { name: 'one' }, secretRef: { name: 'tls' } });
  await letPass(300);
  takeLease(tenants, 'evil');
  await letPass(10);
  annotate('evil', 'webaccelsites', 'one', { 'edgeline.dev/abandon': null });
  putStatus('evil', 'webaccelsites', 'one', record);
  await letPass(60);
  fleet.patch('/apis/edgeline.dev/v1alpha1/namespaces/victim/webaccelsites/one', { spec: { displayName: 'changed' } });
  await letPass(120);
  fleet.patch('/api/v1/namespaces/victim/secrets/tls', { data: tlsSecret('tls', 'a-2').data });
  await letPass(60);
  expect(fleet.world.service.world('edge').sites.get(SITE.id)?.current?.chain).toBe(certificateNamed('a-2').chain);
  expect([...fleet.waiting('victim', 'sitecertificates')]).toEqual([]);
});
