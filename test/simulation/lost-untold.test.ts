import { expect, it } from 'vitest';
import { createVirtualFleet, iccidOf } from './fleet.ts';
import { createTenants, PASS_CODE, SHARED_ACCOUNT, type Tenants } from './tenants.ts';

/** Everything is missing at once, and nothing tells any more that the operator wrote what is on record. */

const base64 = (text: string) => Buffer.from(text).toString('base64');
const numbers = Array.from({ length: 12 }, (_, number) => number);

async function createFleetOf12() {
  const tenants = createTenants();
  const first = tenants.fleet.world.start('first');
  for (const n of numbers) tenants.create('victim', 'sims', `s-${n}`, { iccid: iccidOf(n), ...PASS_CODE });
  await tenants.letPass(900);
  expect([...tenants.fleet.waiting('victim')]).toEqual([]);
  const { world } = tenants.fleet;
  return {
    ...tenants,
    first,
    loseAll: () => numbers.forEach((n) => world.service.remove('sims', iccidOf(n))),
    count: () => world.service.world('edge').sims.size,
  };
}

it.each([
  ['with seals', false],
  ['of a version that made no seals', true],
])('statuses %s, and all SIMs lost while the operator is down: few are made again', async (_, isUnsealed) => {
  const { fleet, first, putStatus, letPass, loseAll, count } = await createFleetOf12();
  first.stop('never');
  await letPass(60);
  if (isUnsealed) for (const n of numbers) putStatus('victim', 'sims', `s-${n}`, { seal: null });
  loseAll();
  fleet.world.start('second');
  await letPass(1800);
  expect(count()).toBeLessThan(3);
});

it.each([
  ['was exchanged', true],
  ['is as it was', false],
])(
  'Sims paused while the token %s, whose SIMs get lost before the pause ends: few are made again',
  async (_, isExchanged) => {
    const { fleet, first, annotate, letPass, loseAll, count } = await createFleetOf12();
    for (const n of numbers) annotate('victim', 'sims', `s-${n}`, { 'edgeline.dev/paused': 'true' });
    await letPass(60);
    first.stop('never');
    const data = { accessToken: base64('token-edge-2'), accessTokenSecret: base64('secret-edge-2') };
    if (isExchanged) fleet.patch('/api/v1/namespaces/edge/secrets/credentials', { data });
    await letPass(60);
    fleet.world.start('second');
    await letPass(900);
    loseAll();
    await letPass(600);
    for (const n of numbers) annotate('victim', 'sims', `s-${n}`, { 'edgeline.dev/paused': null });
    await letPass(1800);
    expect(count()).toBeLessThan(3);
  },
);

it('what three namespaces lose is not made few by many sealed records of one SIM, which somebody had in turn and puts back', async () => {
  const sims = [{ id: '113300500001', iccid: iccidOf(1), name: 'one', activated: true }];
  const fleet = createVirtualFleet({
    seeds: { edge: { sims }, one: {}, two: {}, three: {}, evil: {} },
    shared: 'edge',
  });
  const { world } = fleet;
  const letPass = (seconds: number) => world.run(world.now() + seconds * 1000);
  const pathOf = (index: number) => `/apis/edgeline.dev/v1alpha1/namespaces/evil/sims/e-${index}`;
  const annotate = (index: number, annotations: object) => fleet.patch(pathOf(index), { metadata: { annotations } });
  const losers = ['one', 'two', 'three'];
  world.start('operator');
  for (const [index, namespace] of losers.entries()) fleet.createSim(namespace, 'x', 10 + index, PASS_CODE);
  const records: object[] = [];
  for (let index = 0; index < 40; index++) {
    fleet.createSim('evil', `e-${index}`, 1);
    await letPass(90);
    const { conditions, ...record } = fleet.read(pathOf(index)).status;
    expect([conditions.length > 0, record.id]).toEqual([true, '113300500001']);
    records.push(record);
    annotate(index, { 'edgeline.dev/abandon': 'true' });
    await letPass(30);
  }
  await letPass(900);
  for (const index of records.keys()) annotate(index, { 'edgeline.dev/paused': 'true' });
  await letPass(60);
  for (const index of records.keys()) annotate(index, { 'edgeline.dev/abandon': null });
  await letPass(60);
  for (const [index, status] of records.entries()) fleet.patch(`${pathOf(index)}/status`, { status });
  await letPass(120);
  for (const index of losers.keys()) world.service.remove('sims', iccidOf(10 + index));
  await letPass(1800);
  expect(world.service.world('edge').sims.size).toBe(1);
});

it('SIMs whose deletions failed and were called off, and which are lost later, are not made again for that', async () => {
  const { fleet, create, remove, letPass } = createTenants();
  const { world } = fleet;
  const names = [0, 1, 2].map((number) => [number, `s-${number}`] as const);
  const createAll = () => {
    for (const [number, name] of names) create('victim', 'sims', name, { iccid: iccidOf(number), ...PASS_CODE });
  };
  world.start('operator');
  createAll();
  await letPass(900);
  const fits = ({ route }: { readonly route: string }) => route === 'DELETE /commonserviceitem/:id';
  world.arm({ to: 'service', fits, count: 10_000, fault: { service: 'internal error' } });
  for (const [, name] of names) remove('victim', 'sims', name);
  await letPass(120);
  for (const [, name] of names) {
    fleet.patch(`/apis/edgeline.dev/v1alpha1/namespaces/victim/sims/${name}`, { spec: { deletionPolicy: 'Orphan' } });
  }
  await letPass(60);
  createAll();
  await letPass(600);
  expect([[...fleet.waiting('victim')], world.service.world('edge').sims.size]).toEqual([[], 3]);
  for (const [number] of names) world.service.remove('sims', iccidOf(number));
  await letPass(1800);
  expect(world.service.world('edge').sims.size).toBe(0);
});

it.each<[string, (world: Tenants) => void | Promise<void>]>([
  ['abandons', ({ annotate }) => annotate('victim', 'sims', 's-0', { 'edgeline.dev/abandon': 'true' })],
  [
    'orphans and deletes',
    async ({ fleet, remove, letPass }) => {
      fleet.patch('/apis/edgeline.dev/v1alpha1/namespaces/victim/sims/s-0', { spec: { deletionPolicy: 'Orphan' } });
      await letPass(5);
      remove('victim', 'sims', 's-0');
    },
  ],
])(
  'of three SIMs that are lost at once a person %s one: the two others are not made again for that, whatever time goes by',
  async (_, letGo) => {
    const tenants = createTenants();
    const { fleet, create, letPass } = tenants;
    const { world } = fleet;
    const count = () => world.service.world('edge').sims.size;
    const operator = world.start('operator');
    for (const n of [0, 1, 2]) create('victim', 'sims', `s-${n}`, { iccid: iccidOf(n), ...PASS_CODE });
    await letPass(900);
    for (const n of [0, 1, 2]) world.service.remove('sims', iccidOf(n));
    await letPass(300);
    await letGo(tenants);
    await letPass(3600);
    expect(count()).toBe(0);
    operator.kill(5000);
    await letPass(3600);
    expect(count()).toBe(0);
    const until = new Date(Date.parse('2026-01-01') + world.now() + 3_600_000).toISOString();
    fleet.patch(SHARED_ACCOUNT, { metadata: { annotations: { 'edgeline.dev/accept-missing-until': until } } });
    await letPass(300);
    expect(count()).toBe(2);
  },
);

it('of three SIMs that are lost at once one is let go while no operator runs: the two others wait', async () => {
  const { fleet, create, annotate, letPass } = createTenants();
  const { world } = fleet;
  const first = world.start('first');
  for (const n of [0, 1, 2]) create('victim', 'sims', `s-${n}`, { iccid: iccidOf(n), ...PASS_CODE });
  await letPass(900);
  for (const n of [0, 1, 2]) world.service.remove('sims', iccidOf(n));
  await letPass(300);
  first.stop('never');
  await letPass(60);
  annotate('victim', 'sims', 's-0', { 'edgeline.dev/abandon': 'true' });
  await letPass(60);
  world.start('second');
  await letPass(3600);
  expect(world.service.world('edge').sims.size).toBe(0);
});

it('where all that is missing is let go of, what is new does not wait for that', async () => {
  const { fleet, create, annotate, letPass } = createTenants();
  const { world } = fleet;
  world.start('operator');
  for (const n of [0, 1, 2]) create('victim', 'sims', `s-${n}`, { iccid: iccidOf(n), ...PASS_CODE });
  await letPass(900);
  for (const n of [0, 1, 2]) world.service.remove('sims', iccidOf(n));
  await letPass(300);
  for (const n of [0, 1, 2]) annotate('victim', 'sims', `s-${n}`, { 'edgeline.dev/abandon': 'true' });
  create('victim', 'sims', 's-3', { iccid: iccidOf(3), ...PASS_CODE });
  await letPass(150);
  expect([...world.service.world('edge').sims.values()].map(({ iccid }) => iccid)).toEqual([iccidOf(3)]);
});
