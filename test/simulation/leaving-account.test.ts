import { expect, it } from 'vitest';
import { createVirtualFleet } from './fleet.ts';
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
