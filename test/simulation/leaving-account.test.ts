import { expect, it } from 'vitest';
import type { Message } from '../../src/shadow/world/messages.ts';
import { atFirst } from './at-first.ts';
import { createVirtualFleet, iccidOf } from './fleet.ts';
import { PASS_CODE } from './tenants.ts';

const SECOND = 1000;
const ACCOUNT = '/apis/edgeline.dev/v1alpha1/namespaces/fleet/cloudaccounts/default';

it('nothing that waits for its turn is made any more in an account that is deleted', async () => {
  const fleet = createVirtualFleet({ seeds: { fleet: {} }, limits: { cloudRequestsPerSecond: 1 } });
  const { world } = fleet;
  world.start('operator');
  for (let number = 1; number <= 30; number++) fleet.createSim('fleet', `truck-${number}`, number, PASS_CODE);
  await world.run(20 * SECOND);
  const before = world.service.world('fleet').sims.size;
  world.apiserver.handle({ method: 'DELETE', path: ACCOUNT, user: 'user' });
  await world.run(world.now() + 600 * SECOND);
  const after = world.service.world('fleet').sims.size;
  // One may be on its way.
  expect([before > 0 && before < 20, after - before <= 1]).toEqual([true, true]);
});

it('an account stays for what comes back from a backup while its record of the hour is handed over', async () => {
  const site = { id: '113320000009', domain: 'a.example.jp', name: 'a', status: 'enabled' as const };
  const fleet = createVirtualFleet({ seeds: { fleet: { sites: [site] } } });
  const { world } = fleet;
  const SITES = '/apis/edgeline.dev/v1alpha1/namespaces/fleet/webaccelsites';
  const ask = (method: 'GET' | 'DELETE', path: string) => world.apiserver.handle({ method, path, user: 'user' });
  const manifest = { apiVersion: 'edgeline.dev/v1alpha1', kind: 'WebAccelSite', metadata: { name: 'www' } };
  const { spec } = fleet.read(ACCOUNT);
  const metadata = { name: 'other' };
  const another = { apiVersion: 'edgeline.dev/v1alpha1', kind: 'CloudAccount', metadata, spec };
  fleet.create(ACCOUNT.replace('/default', ''), another);
  world.start('operator');
  fleet.create(SITES, { ...manifest, spec: { siteID: site.id, defaultCacheTTL: 60 } });
  await world.run(120 * SECOND);
  expect([...fleet.waiting('fleet', 'webaccelsites')]).toEqual([]);
  const kept = fleet.read(`${SITES}/www`);
  ask('DELETE', ACCOUNT);
  await world.run(world.now() + 60 * SECOND);
  const isHandedOver = ({ target, route }: Message) =>
    route === 'patch cloudaccounts/status' && target.includes('/other/');
  // So that what comes back is seen before it is over.
  world.arm({ to: 'kubernetes', fits: isHandedOver, count: 1, fault: 'slow' });
  const isBack = atFirst(world, 'written', isHandedOver, () => {
    const finalizers = ['edgeline.dev/adopt'];
    fleet.create(SITES, { ...manifest, metadata: { name: 'www', finalizers }, spec: kept.spec });
    fleet.patch(`${SITES}/www/status`, { status: kept.status });
  });
  fleet.patch(`${SITES}/www`, { metadata: { finalizers: null } });
  ask('DELETE', `${SITES}/www`);
  await world.run(world.now() + 60 * SECOND);
  expect([isBack(), ask('GET', ACCOUNT)]).toEqual([true, expect.objectContaining({ status: 200 })]);
});

it('an account that is deleted while a Sim gets its finalizer stays for it, and goes where the Sim got none', async () => {
  const ends: (readonly [isBound: boolean, account: number])[] = [];
  for (const fault of ['slow', { kubernetes: 403 }] as const) {
    const sim = { id: '113300600001', iccid: iccidOf(1), name: 'truck-1' };
    const fleet = createVirtualFleet({ seeds: { fleet: { sims: [sim] } } });
    const { world } = fleet;
    const ask = (method: 'GET' | 'DELETE', path = ACCOUNT) => world.apiserver.handle({ method, path, user: 'user' });
    world.start('operator');
    await world.run(60 * SECOND);
    const isFinalizer = ({ route }: { readonly route: string }) => route === 'patch sims';
    world.arm({ to: 'kubernetes', fits: isFinalizer, count: 1, fault, milliseconds: 5000 });
    atFirst(world, 'begun', isFinalizer, () => ask('DELETE'));
    fleet.createSim('fleet', 'truck-1', 1);
    await world.run(world.now() + 120 * SECOND);
    const told = JSON.stringify(ask('GET', '/apis/edgeline.dev/v1alpha1/namespaces/fleet/sims/truck-1'));
    ends.push([told.includes('edgeline.dev/adopt'), ask('GET').status]);
  }
  expect(ends).toEqual([
    [true, 200],
    [false, 404],
  ]);
});

it('an account that is deleted goes at once when what kept it has nothing there any more', async () => {
  const sim = { id: '113300600001', iccid: iccidOf(1), name: 'truck-1' };
  const fleet = createVirtualFleet({ seeds: { fleet: { sims: [sim] } } });
  const { world } = fleet;
  const path = '/apis/edgeline.dev/v1alpha1/namespaces/fleet/sims/truck-1';
  const ask = (method: 'GET' | 'DELETE') => world.apiserver.handle({ method, path: ACCOUNT, user: 'user' }).status;
  world.start('operator');
  fleet.createSim('fleet', 'truck-1', 1);
  await world.run(60 * SECOND);
  ask('DELETE');
  await world.run(world.now() + 30 * SECOND);
  fleet.patch(path, { metadata: { annotations: { 'edgeline.dev/abandon': 'true' } } });
  await world.run(world.now() + 30 * SECOND);
  expect(ask('GET')).toBe(200);
  fleet.patch(`${path}/status`, { status: { id: null } });
  await world.run(world.now() + 2 * SECOND);
  expect(ask('GET')).toBe(404);
});
