import { expect, it } from 'vitest';
import { createVirtualFleet, iccidOf } from './fleet.ts';

const GROUP = '/apis/edgeline.dev/v1alpha1/namespaces/fleet/sims';
const SECOND = 1000;
const PASS_CODE = { passCodeSecretRef: { name: 'pass-codes', key: 'code' }, deletionPolicy: 'Delete' };

it.each([
  { after: 1, restart: 500 },
  { after: 2, restart: 500 },
  { after: 3, restart: 500 },
  { after: 2, restart: 600 * SECOND },
])('three of six Sims that are deleted are gone, though the operator is killed in the middle: %o', async (how) => {
  const { after, restart } = how;
  const fleet = createVirtualFleet({ seeds: { fleet: {} } });
  const { world, createSim } = fleet;
  const operator = world.start('operator');
  for (let n = 0; n < 6; n++) createSim('fleet', `s-${n}`, n, PASS_CODE);
  await world.run(300 * SECOND);
  let sent = 0;
  world.onMessage((moment, { route }) => {
    if (moment === 'arrived' && route === 'DELETE /commonserviceitem/:id' && ++sent === after) operator.kill(restart);
  });
  for (let n = 0; n < 3; n++) {
    world.apiserver.handle({ method: 'DELETE', path: `${GROUP}/s-${n}`, user: 'user' });
  }
  await world.run(world.now() + restart + 120 * SECOND);
  const answers = [0, 1, 2].map((n) =>
    world.apiserver.handle({ method: 'GET', path: `${GROUP}/s-${n}`, user: 'user' }),
  );
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  expect(world.service.world('fleet').sims.size).toBe(3);
});

it('three Sims that are deleted after their SIMs were lost with a fourth wait for a word, also after a restart', async () => {
  const fleet = createVirtualFleet({ seeds: { fleet: {} } });
  const { world, createSim } = fleet;
  const operator = world.start('operator');
  for (let n = 0; n < 6; n++) createSim('fleet', `s-${n}`, n, PASS_CODE);
  await world.run(300 * SECOND);
  operator.kill(60 * SECOND);
  for (let n = 0; n < 4; n++) world.service.remove('sims', iccidOf(n));
  for (let n = 0; n < 3; n++) {
    world.apiserver.handle({ method: 'DELETE', path: `${GROUP}/s-${n}`, user: 'user' });
  }
  await world.run(world.now() + 900 * SECOND);
  expect(world.service.world('fleet').sims.size).toBe(2);
  for (let n = 0; n < 4; n++) {
    expect(JSON.stringify(fleet.read(`${GROUP}/s-${n}`).status.conditions)).toContain('4 of the 6 objects');
  }
});

it.each([
  { count: 6, isBraked: true },
  { count: 3, isBraked: false },
])(
  'deletions that nobody sent wait while the service shows nothing, after a restart, too: %o',
  async ({ count, isBraked }) => {
    const fleet = createVirtualFleet({ seeds: { fleet: {} } });
    const { world, createSim } = fleet;
    const operator = world.start('operator');
    for (let n = 0; n < 6; n++) createSim('fleet', `s-${n}`, n, PASS_CODE);
    await world.run(300 * SECOND);
    if (!isBraked) operator.kill(60 * SECOND);
    for (let n = 0; n < count; n++) {
      world.apiserver.handle({ method: 'DELETE', path: `${GROUP}/s-${n}`, user: 'user' });
    }
    await world.run(world.now() + 30 * SECOND);
    const left = world.service.world('fleet').sims.size;
    const hidden = [...world.service.world('fleet').sims.values()].map(({ iccid }) => iccid);
    for (const iccid of hidden) world.service.remove('sims', iccid);
    if (isBraked) operator.kill(SECOND);
    await world.run(world.now() + 600 * SECOND);
    const answers = Array.from({ length: 6 }, (_, n) =>
      world.apiserver.handle({ method: 'GET', path: `${GROUP}/s-${n}`, user: 'user' }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(left);
  },
);

it.each([
  { what: 'is gone where the account shows another', others: 1, token: 'fleet-2', status: 404 },
  { what: 'waits for a word where it shows no other', others: 0, token: 'fleet-2', status: 200 },
  { what: 'waits for a word where it is another account', others: 1, token: 'harbour', status: 200 },
])(
  'a Sim that was deleted as the operator was killed, and whose account has another token since, $what',
  async ({ others, token, status }) => {
    const fleet = createVirtualFleet({ seeds: { fleet: {}, harbour: {} } });
    const { world, createSim } = fleet;
    const operator = world.start('operator');
    for (let n = 0; n <= others; n++) createSim('fleet', `s-${n}`, n, PASS_CODE);
    await world.run(300 * SECOND);
    world.onMessage((moment, { route }) => {
      if (moment === 'arrived' && route === 'DELETE /commonserviceitem/:id') operator.kill(60 * SECOND);
    });
    world.apiserver.handle({ method: 'DELETE', path: `${GROUP}/s-0`, user: 'user' });
    await world.run(world.now() + 30 * SECOND);
    expect(world.service.world('fleet').sims.size).toBe(others);
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    fleet.patch('/api/v1/namespaces/fleet/secrets/credentials', {
      data: { accessToken: base64(`token-${token}`), accessTokenSecret: base64(`secret-${token}`) },
    });
    await world.run(world.now() + 900 * SECOND);
    const path = `${GROUP}/s-0`;
    expect(world.apiserver.handle({ method: 'GET', path, user: 'user' }).status).toBe(status);
  },
);
