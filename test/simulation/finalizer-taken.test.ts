import { expect, it } from 'vitest';
import { createVirtualFleet } from './fleet.ts';

const SECOND = 1000;
const PATH = '/apis/edgeline.dev/v1alpha1/namespaces/fleet/sims/truck';

it('a finalizer that somebody takes off is put back at once, so that a deletion right after it leaves nothing behind', async () => {
  const fleet = createVirtualFleet({ seeds: { fleet: {} } });
  const { world } = fleet;
  world.start('operator');
  const passCodeSecretRef = { name: 'pass-codes', key: 'code' };
  fleet.createSim('fleet', 'truck', 1, { passCodeSecretRef });
  await world.run(30 * SECOND);
  expect([...fleet.waiting('fleet')]).toEqual([]);
  expect(world.service.world('fleet').sims.size).toBe(1);
  fleet.patch(PATH, { metadata: { finalizers: null } });
  await world.run(world.now() + SECOND);
  world.apiserver.handle({ method: 'DELETE', path: PATH, user: 'user' });
  await world.run(world.now() + 60 * SECOND);
  expect(world.apiserver.handle({ method: 'GET', path: PATH, user: 'user' }).status).toBe(404);
  expect(world.service.world('fleet').sims.size).toBe(0);
});

it('one that goes again and again is not written as often', async () => {
  const fleet = createVirtualFleet({ seeds: { fleet: {} } });
  const { world } = fleet;
  world.start('operator');
  fleet.createSim('fleet', 'truck', 1, { passCodeSecretRef: { name: 'pass-codes', key: 'code' } });
  await world.run(30 * SECOND);
  let writes = 0;
  world.onMessage((moment, { route }) => {
    if (moment !== 'arrived' || route !== 'patch sims') return;
    writes++;
    world.at(world.now() + 10, () => fleet.patch(PATH, { metadata: { finalizers: null } }));
  });
  fleet.patch(PATH, { metadata: { finalizers: null } });
  await world.run(world.now() + 600 * SECOND);
  expect(writes).toBeGreaterThan(1);
  expect(writes).toBeLessThan(40);
});

it('one that is taken off twice is there again half a minute later', async () => {
  const fleet = createVirtualFleet({ seeds: { fleet: {} } });
  const { world } = fleet;
  const finalizers = () => world.apiserver.get('sims', 'fleet', 'truck')?.metadata.finalizers;
  world.start('operator');
  fleet.createSim('fleet', 'truck', 1, { passCodeSecretRef: { name: 'pass-codes', key: 'code' } });
  await world.run(30 * SECOND);
  for (let time = 0; time < 3; time++) {
    fleet.patch(PATH, { metadata: { finalizers: null } });
    await world.run(world.now() + SECOND);
  }
  expect(finalizers()).toBeUndefined();
  await world.run(world.now() + 30 * SECOND);
  expect(finalizers()).toEqual(['edgeline.dev/create']);
});
