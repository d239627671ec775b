import { expect, it } from 'vitest';
import { iccidOf } from './fleet.ts';
import { createTenants, PASS_CODE } from './tenants.ts';

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
