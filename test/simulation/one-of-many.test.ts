import { expect, it } from 'vitest';
import { iccidOf } from './fleet.ts';
import { createTenants, PASS_CODE, type Tenants } from './tenants.ts';

/** Of three SIMs that are lost at once one Sim is abandoned, and something else is the matter before a person says what is so. */

const base64 = (text: string) => Buffer.from(text).toString('base64');
const SIMS = [0, 1, 2] as const;

async function createLoss() {
  const tenants = createTenants();
  const { fleet, create, annotate, letPass } = tenants;
  const { world } = fleet;
  const operator = world.start('operator');
  for (const n of SIMS) create('victim', 'sims', `s-${n}`, { iccid: iccidOf(n), ...PASS_CODE });
  await letPass(900);
  for (const n of SIMS) world.service.remove('sims', iccidOf(n));
  await letPass(300);
  annotate('victim', 'sims', 's-0', { 'edgeline.dev/abandon': 'true' });
  await letPass(300);
  return { ...tenants, operator };
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
  const { world } = loss.fleet;
  await trouble(loss);
  await loss.letPass(3600);
  expect(world.service.world('edge').sims.size).toBe(0);
  loss.operator.kill(5000);
  await loss.letPass(3600);
  expect(world.service.world('edge').sims.size).toBe(0);
});
