import { expect, it } from 'vitest';
import { iccidOf } from './fleet.ts';
import { createTenants, PASS_CODE, type Tenants } from './tenants.ts';

/** Of three SIMs that are lost at once one Sim is abandoned, and something else is the matter before a person says what is so. */

const base64 = (text: string) => Buffer.from(text).toString('base64');
const SIMS = [0, 1, 2] as const;

/** So many Sims, which are Ready. */
async function createFleet(sims: number) {
  const tenants = createTenants();
  const operator = tenants.fleet.world.start('operator');
  for (let n = 0; n < sims; n++) tenants.create('victim', 'sims', `s-${n}`, { iccid: iccidOf(n), ...PASS_CODE });
  await tenants.letPass(900);
  const { world } = tenants.fleet;
  return {
    ...tenants,
    operator,
    count: () => world.service.world('edge').sims.size,
    async loseThree() {
      for (const n of SIMS) world.service.remove('sims', iccidOf(n));
      await tenants.letPass(300);
    },
  };
}

async function createLoss() {
  const fleet = await createFleet(3);
  await fleet.loseThree();
  fleet.annotate('victim', 'sims', 's-0', { 'edgeline.dev/abandon': 'true' });
  await fleet.letPass(300);
  return fleet;
}

type Loss = Awaited<ReturnType<typeof createLoss>>;

const putToken = ({ fleet }: Tenants, token: string) =>
  fleet.patch('/api/v1/namespaces/edge/secrets/credentials', { data: { accessToken: base64(token) } });
const pause = ({ annotate }: Tenants, value: string | null) => {
  for (const n of [1, 2]) annotate('victim', 'sims', `s-${n}`, { 'edgeline.dev/paused': value });
};

it.each<[string, (loss: Loss) => Promise<void>]>([
  [
    'a token that is wrong for a minute',
    async (loss) => {
      putToken(loss, 'wrong');
      await loss.letPass(60);
      putToken(loss, 'token-edge');
    },
  ],
  [
    'a token that is wrong while the operator starts anew',
    async (loss) => {
      putToken(loss, 'wrong');
      await loss.letPass(60);
      loss.operator.kill(5000);
      await loss.letPass(60);
      putToken(loss, 'token-edge');
    },
  ],
  [
    'a service that answers nothing while the operator starts anew',
    async ({ fleet: { world }, operator, letPass }) => {
      world.arm({ to: 'service', fits: () => true, count: 300, fault: { service: 'internal error' } });
      operator.kill(5000);
      await letPass(300);
      world.calm();
    },
  ],
  [
    'a pause of half an hour',
    async (loss) => {
      pause(loss, 'true');
      await loss.letPass(1800);
      pause(loss, null);
    },
  ],
  [
    'a pause over a restart',
    async (loss) => {
      pause(loss, 'true');
      await loss.letPass(60);
      loss.operator.kill(5000);
      await loss.letPass(60);
      pause(loss, null);
    },
  ],
])('after %s the two others wait as before', async (_, trouble) => {
  const loss = await createLoss();
  await trouble(loss);
  await loss.letPass(3600);
  expect(loss.count()).toBe(0);
  loss.operator.kill(5000);
  await loss.letPass(3600);
  expect(loss.count()).toBe(0);
});

it.each([false, true])(
  'of three that are missing one is let go and another deleted: it stays until it is shown (restart: %s)',
  async (restart) => {
    const { fleet, operator, annotate, remove, recordOf, letPass, loseThree } = await createFleet(3);
    const { id, createdAt } = { id: undefined, createdAt: undefined, ...recordOf('victim', 'sims', 's-1') };
    await loseThree();
    remove('victim', 'sims', 's-1');
    annotate('victim', 'sims', 's-0', { 'edgeline.dev/abandon': 'true' });
    await letPass(300);
    if (restart) operator.kill(5000);
    await letPass(3600);
    expect(recordOf('victim', 'sims', 's-1')).toMatchObject({ id });
    fleet.world.service.add('edge', 'sims', { iccid: iccidOf(1), name: 's-1', id, createdAt });
    await letPass(600);
    expect(() => recordOf('victim', 'sims', 's-1')).toThrow(/404|not found|status/);
    expect([...fleet.world.service.world('edge').sims.keys()]).not.toContain(id);
  },
);

it('three are missing over a restart, and one is shown again after it: the two others are made again', async () => {
  const { fleet, operator, recordOf, letPass, loseThree, count } = await createFleet(3);
  const { id, createdAt } = { id: undefined, createdAt: undefined, ...recordOf('victim', 'sims', 's-0') };
  await loseThree();
  operator.kill(5000);
  await letPass(600);
  expect(count()).toBe(0);
  fleet.world.service.add('edge', 'sims', { iccid: iccidOf(0), name: 's-0', id, createdAt });
  await letPass(1800);
  expect(count()).toBe(3);
});

it('of three that are missing one is let go and stays for the finalizer of another: the two others wait', async () => {
  const { fleet, remove, letPass, loseThree, count } = await createFleet(3);
  await loseThree();
  fleet.patch('/apis/edgeline.dev/v1alpha1/namespaces/victim/sims/s-0', {
    metadata: { finalizers: ['edgeline.dev/create', 'example.com/audit'] },
    spec: { deletionPolicy: 'Orphan' },
  });
  await letPass(5);
  remove('victim', 'sims', 's-0');
  await letPass(3600);
  expect(count()).toBe(0);
});

it('three of thirty are missing, and a new one makes them fewer than a tenth: they wait as before', async () => {
  const { fleet, create, letPass, loseThree, count } = await createFleet(30);
  await loseThree();
  create('victim', 'sims', 's-30', { iccid: iccidOf(30), ...PASS_CODE });
  fleet.world.service.add('edge', 'sims', { iccid: iccidOf(30), name: 's-30' });
  await letPass(1800);
  expect(count()).toBe(28);
});

it('three are missing, one is paused, and all are shown again: lost alone later, it is made again', async () => {
  const { fleet, annotate, recordOf, letPass, loseThree, count } = await createFleet(3);
  const records = SIMS.map((n) => ({ id: undefined, createdAt: undefined, ...recordOf('victim', 'sims', `s-${n}`) }));
  await loseThree();
  annotate('victim', 'sims', 's-0', { 'edgeline.dev/paused': 'true' });
  await letPass(60);
  for (const [n, { id, createdAt }] of records.entries()) {
    fleet.world.service.add('edge', 'sims', { iccid: iccidOf(n), name: `s-${n}`, id, createdAt });
  }
  await letPass(3600);
  fleet.world.service.remove('sims', iccidOf(0));
  await letPass(60);
  annotate('victim', 'sims', 's-0', { 'edgeline.dev/paused': null });
  await letPass(1800);
  expect(count()).toBe(3);
});

it('one is lost and can not be made, two more are lost, and the operator starts anew: all three wait', async () => {
  const { fleet, operator, letPass, count } = await createFleet(3);
  const { world } = fleet;
  world.arm({
    to: 'service',
    fits: ({ route }) => route === 'POST /commonserviceitem',
    count: 2000,
    fault: { service: 'internal error' },
  });
  world.service.remove('sims', iccidOf(0));
  await letPass(120);
  for (const n of [1, 2]) world.service.remove('sims', iccidOf(n));
  await letPass(120);
  world.calm();
  await letPass(120);
  operator.kill(5000);
  await letPass(3600);
  expect(count()).toBe(0);
});
