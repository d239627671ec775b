import { describe, expect, it } from 'vitest';
import type { Message } from '../../src/shadow/world/messages.ts';
import { atFirst } from './at-first.ts';
import { createVirtualFleet, type VirtualFleet } from './fleet.ts';

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

describe('one that is taken off before what it was set for was sent', () => {
  const GATEWAY = '/apis/edgeline.dev/v1alpha1/namespaces/fleet/mobilegateways';
  const GATEWAY_PATH = `${GATEWAY}/one`;
  const isWrite = ({ to, verb }: Message) => to === 'service' && verb !== 'GET';
  const made = ({ world }: VirtualFleet) => {
    const { sims, gateways } = world.service.world('fleet');
    return [...sims.values(), ...gateways.values()].map(({ name }) => name);
  };

  const cases = [
    [
      'Sim',
      PATH,
      'patch sims',
      (fleet: VirtualFleet) =>
        fleet.createSim('fleet', 'truck', 1, { passCodeSecretRef: { name: 'pass-codes', key: 'code' } }),
    ],
    [
      'MobileGateway',
      GATEWAY_PATH,
      'patch mobilegateways',
      (fleet: VirtualFleet) =>
        fleet.create(GATEWAY, {
          apiVersion: 'edgeline.dev/v1alpha1',
          kind: 'MobileGateway',
          metadata: { name: 'one' },
          spec: { zone: 'is1b', planID: 2, deletionPolicy: 'Delete' },
        }),
    ],
  ] as const;

  it.each(cases)('is set anew for a %s first', async (_, path, patch, make) => {
    const fleet = createVirtualFleet({ seeds: { fleet: {} } });
    const { world } = fleet;
    world.start('operator');
    const finalizers = () => fleet.read(path).metadata.finalizers;
    // As slow as an apiserver under load: the creation waits until this is on record.
    world.arm({ to: 'kubernetes', fits: ({ route }) => route.startsWith(patch), count: 4, skip: 0, fault: 'slow' });
    const isTaken = atFirst(
      world,
      'arrived',
      ({ route }) => route === patch,
      () => world.at(world.now() + 1, () => fleet.patch(path, { metadata: { finalizers: null } })),
    );
    const atWrites: unknown[] = [];
    world.onMessage((moment, message) => {
      if (moment === 'arrived' && isWrite(message)) atWrites.push(finalizers());
    });
    make(fleet);
    await world.run(world.now() + 600 * SECOND);
    expect(isTaken()).toBe(true);
    expect(atWrites.length).toBeGreaterThan(0);
    expect(new Set(atWrites.map(String))).toEqual(new Set(['edgeline.dev/create']));
    expect(made(fleet)).toHaveLength(1);
  });

  it('again and again: nothing is made for a MobileGateway, which says why, and little is written', async () => {
    const [, path, patch, make] = cases[1];
    const fleet = createVirtualFleet({ seeds: { fleet: {} } });
    const { world } = fleet;
    world.start('operator');
    let writes = 0;
    let isOver = false;
    world.onMessage((moment, { route }) => {
      if (moment !== 'arrived' || route !== patch || isOver) return;
      writes++;
      world.at(world.now() + 1, () => fleet.patch(path, { metadata: { finalizers: null } }));
    });
    make(fleet);
    await world.run(world.now() + 600 * SECOND);
    expect(made(fleet)).toEqual([]);
    expect(writes).toBeLessThan(60);
    expect(fleet.read(path).status.conditions.find(({ type }) => type === 'Stalled')).toMatchObject({
      reason: 'FinalizerNotKept',
    });
    isOver = true;
    await world.run(world.now() + 600 * SECOND);
    expect(made(fleet)).toHaveLength(1);
    expect(fleet.read(path).metadata.finalizers).toEqual(['edgeline.dev/create']);
  });

  it('while it is deleted, what is left stays', async () => {
    const fleet = createVirtualFleet({ seeds: { fleet: {} } });
    const { world } = fleet;
    world.start('operator');
    cases[1][3](fleet);
    await world.run(world.now() + 300 * SECOND);
    fleet.patch(GATEWAY_PATH, { metadata: { finalizers: ['edgeline.dev/create', 'example.com/other'] } });
    // The first call of the deletion waits, and somebody lets the resource go.
    world.arm({ to: 'service', fits: isWrite, count: 1, skip: 0, fault: 'slow' });
    const isBegun = atFirst(world, 'begun', isWrite, () =>
      fleet.patch(GATEWAY_PATH, { metadata: { finalizers: ['example.com/other'] } }),
    );
    const writes: string[] = [];
    world.onMessage((moment, message) => {
      if (moment === 'arrived' && isWrite(message)) writes.push(message.route);
    });
    world.apiserver.handle({ method: 'DELETE', path: GATEWAY_PATH, user: 'user' });
    await world.run(world.now() + 300 * SECOND);
    expect(isBegun()).toBe(true);
    expect(writes).toEqual([]);
    expect(made(fleet)).toHaveLength(1);
  });
});
