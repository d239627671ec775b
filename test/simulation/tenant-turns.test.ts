import { expect, it } from 'vitest';
import { createVirtualFleet, iccidOf } from './fleet.ts';

/** What somebody tries to have the operator look at their own all the time. */

const SECOND = 1000;
const GROUP = '/apis/edgeline.dev/v1alpha1';
const ANOTHERS = 60;
const HOURS = 2;

it('what no list shows is put right as soon beside many Sims of a tenant that name what others have', async () => {
  const sims = [1, 2].map((n) => ({
    id: String(113_300_500_000 + n),
    iccid: iccidOf(n),
    name: `s-${n}`,
    activated: true,
  }));
  const fleet = createVirtualFleet({ seeds: { edge: { sims }, victim: {}, evil: {} }, shared: 'edge' });
  const { world } = fleet;
  world.start('operator');
  fleet.createSim('victim', 'one', 1);
  await world.run(60 * SECOND);
  for (let index = 0; index < ANOTHERS; index++) {
    fleet.createSim('evil', `x-${index}`, 1000 + index);
    const path = `${GROUP}/namespaces/evil/sims/x-${index}`;
    const { uid } = fleet.read(path).metadata;
    const accountRef = { kind: 'ClusterCloudAccount', name: 'default' };
    fleet.patch(`${path}/status`, { status: { uid, id: '113300500002', ownership: 'Adopted', accountRef } });
  }
  await world.run(world.now() + 300 * SECOND);
  const since = world.service.arrivals.length;
  await world.run(world.now() + HOURS * 3600 * SECOND);
  const reads = world.service.arrivals.slice(since).filter(({ route }) => route.endsWith('/network_operator_config'));
  expect(new Set(reads.map(({ ids }) => ids[0]))).toEqual(new Set(['113300500001']));
  // Once in each poll.
  expect(reads.length).toBeGreaterThan(HOURS * 50);
});
