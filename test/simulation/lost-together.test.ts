import { describe, expect, it } from 'vitest';
import { iccidOf } from './fleet.ts';
import { createTenants, PASS_CODE, type Tenant } from './tenants.ts';

/**
 * One is lost in each of three namespaces at once: together they are many, however long it takes until that of the victim shows,
 * or is looked at, and whatever happens to what is known of the others. Those are paused: nothing notes of them that they are missing.
 */

const MINUTE = 60;
const FIRST = { victim: 0, evil: 100, edge: 200 } as const;
const TENANTS = ['victim', 'evil', 'edge'] as const;

/** A Sim of each that is to be lost, and others of the victim; all Ready. */
async function createFleet({ victim = 20, isGateway = false } = {}) {
  const tenants = createTenants();
  const { fleet, create, annotate, letPass, recordOf } = tenants;
  const { world } = fleet;
  const operator = world.start('operator');
  const make = (tenant: Tenant, n: number) => create(tenant, 'sims', `s-${n}`, { iccid: iccidOf(n), ...PASS_CODE });
  for (let n = 0; n < victim; n++) make('victim', n);
  for (const tenant of ['evil', 'edge'] as const) make(tenant, FIRST[tenant]);
  if (isGateway) create('victim', 'mobilegateways', 'g', { zone: 'is1a', planID: 2 });
  await letPass(15 * MINUTE);
  const service = world.service.world('edge');
  const idOfGateway = (): string => ({ id: '', ...recordOf('victim', 'mobilegateways', 'g') }).id;
  return {
    ...tenants,
    world,
    operator,
    pause: (tenant: Tenant, paused: 'true' | null = 'true') =>
      annotate(tenant, 'sims', `s-${FIRST[tenant]}`, { 'edgeline.dev/paused': paused }),
    lose: (tenant: Tenant) => world.service.remove('sims', iccidOf(FIRST[tenant])),
    loseGateway: () => world.service.remove('gateways', idOfGateway()),
    counts: () => ({ sims: service.sims.size, gateways: service.gateways.size }),
  };
}

it('the victim’s goes eight minutes later', async () => {
  const { pause, lose, letPass, counts, operator } = await createFleet();
  for (const tenant of ['evil', 'edge'] as const) pause(tenant);
  await letPass(MINUTE);
  for (const tenant of ['evil', 'edge'] as const) lose(tenant);
  await letPass(7 * MINUTE);
  lose('victim');
  await letPass(60 * MINUTE);
  operator.kill(5000);
  await letPass(60 * MINUTE);
  expect(counts().sims).toBe(19);
});

it.each([{ restart: false }, { restart: true }])(
  'the victim’s, a gateway, shows half an hour later, for its list fails: %o',
  async ({ restart }) => {
    const { pause, lose, loseGateway, letPass, counts, operator, world } = await createFleet({ isGateway: true });
    for (const tenant of ['evil', 'edge'] as const) pause(tenant);
    await letPass(MINUTE);
    const fits = ({ route }: { readonly route: string }) => route === 'GET /appliance';
    world.arm({ to: 'service', fits, count: 10_000, fault: { service: 'internal error' } });
    for (const tenant of ['evil', 'edge'] as const) lose(tenant);
    loseGateway();
    await letPass(MINUTE);
    if (restart) operator.kill(5000);
    await letPass(30 * MINUTE);
    world.calm();
    await letPass(60 * MINUTE);
    expect(counts()).toEqual({ sims: 20, gateways: 0 });
  },
);

describe('all three are paused, and half an hour later the victim’s is not any more', () => {
  it.each([
    { seconds: 5, isLostBefore: true },
    { seconds: 700, isLostBefore: true },
    { seconds: 5, isLostBefore: false },
  ])('the operator is killed meanwhile: %o', async ({ seconds, isLostBefore }) => {
    const { pause, lose, letPass, counts, operator } = await createFleet({ victim: 3 });
    for (const tenant of TENANTS) pause(tenant);
    await letPass(MINUTE);
    const loseAll = () => {
      for (const tenant of TENANTS) lose(tenant);
    };
    if (isLostBefore) loseAll();
    await letPass(15 * MINUTE);
    operator.kill(seconds * 1000);
    if (!isLostBefore) loseAll();
    await letPass(30 * MINUTE + seconds);
    pause('victim', null);
    await letPass(20 * MINUTE);
    expect(counts().sims).toBe(2);
  });

  it.each([3 * MINUTE, 15 * MINUTE])('the Secret of the account is wrong for %d seconds', async (seconds) => {
    const { pause, lose, letPass, counts, fleet } = await createFleet({ victim: 3 });
    for (const tenant of TENANTS) pause(tenant);
    await letPass(MINUTE);
    for (const tenant of TENANTS) lose(tenant);
    await letPass(15 * MINUTE);
    const path = '/api/v1/namespaces/edge/secrets/credentials';
    const put = (accessTokenSecret: string) =>
      fleet.patch(path, { data: { accessTokenSecret: Buffer.from(accessTokenSecret).toString('base64') } });
    put('wrong');
    await letPass(seconds);
    put('secret-edge');
    await letPass(30 * MINUTE);
    pause('victim', null);
    await letPass(20 * MINUTE);
    expect(counts().sims).toBe(2);
  });
});

it('the victim’s is shown again for a while, and lost again', async () => {
  const { pause, lose, letPass, counts, world, recordOf } = await createFleet();
  for (const tenant of ['evil', 'edge'] as const) pause(tenant);
  await letPass(MINUTE);
  const { id, createdAt } = { id: undefined, createdAt: undefined, ...recordOf('victim', 'sims', 's-0') };
  for (const tenant of TENANTS) lose(tenant);
  await letPass(12 * MINUTE);
  world.service.add('edge', 'sims', { iccid: iccidOf(0), name: 's-0', id, createdAt });
  await letPass(90);
  lose('victim');
  await letPass(30 * MINUTE);
  expect(counts().sims).toBe(19);
});

it('all three are new, and no list has shown them', async () => {
  const { create, letPass, counts, world } = await createFleet({ victim: 3 });
  const news = { victim: 50, evil: 150, edge: 250 };
  for (const tenant of TENANTS) create(tenant, 'sims', 'new', { iccid: iccidOf(news[tenant]), ...PASS_CODE });
  await letPass(2);
  expect(counts().sims).toBe(8);
  for (const n of Object.values(news)) world.service.remove('sims', iccidOf(n));
  await letPass(60 * MINUTE);
  expect(counts().sims).toBe(5);
});
