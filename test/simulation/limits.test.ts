import { expect, it } from 'vitest';
import { createVirtualFleet, iccidOf } from './fleet.ts';

const SECOND = 1000;
const NEW_SIMS = 120;
const OLD = { id: '113300500000', iccid: iccidOf(0), name: 'old', activated: true };
const GATEWAY = { id: '113300000900', name: 'depot', zone: 'is1b' as const, instanceStatus: 'up' as const };

/** What a new SIM takes: create, carriers (read and set), activate, register, address. */
const REQUESTS_EACH = 6;
const REQUESTS_A_SECOND = 10;

it('at the default limit, what was begun first is finished first, lists leave nine tenths of it, and one edit does not wait for the new', async () => {
  const { world, waiting, ...fleet } = createVirtualFleet({ seeds: { fleet: { sims: [OLD], gateways: [GATEWAY] } } });
  fleet.create('/apis/edgeline.dev/v1alpha1/namespaces/fleet/mobilegateways', {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'MobileGateway',
    metadata: { name: 'depot' },
    spec: { zone: 'is1b', resourceID: GATEWAY.id },
  });
  fleet.createSim('fleet', 'old', 0);
  world.start('operator');
  await world.run(60 * SECOND);
  expect([...waiting('fleet')]).toEqual([]);
  for (let index = 1; index <= NEW_SIMS; index++) {
    fleet.createSim('fleet', `new-${index}`, index, {
      passCodeSecretRef: { name: 'pass-codes', key: 'code' },
      activated: true,
      gatewayRef: { name: 'depot' },
      ipAddress: `10.64.0.${index}`,
      carriers: [{ name: 'KDDI', allow: true }],
    });
  }
  const began = world.now();
  const seconds = () => (world.now() - began) / SECOND;
  const run = (limit: number, until: () => boolean) => world.run(began + limit * SECOND, until);

  await run(10, () => waiting('fleet').size < NEW_SIMS);
  expect(waiting('fleet').size).toBeLessThan(NEW_SIMS);
  for (let edit = 0; edit < 5; edit++) {
    const from = seconds();
    fleet.patch('/apis/edgeline.dev/v1alpha1/namespaces/fleet/sims/old', {
      spec: { imeiLock: `35693803564380${edit}` },
    });
    await run(from + 3, () => !waiting('fleet').has('old'));
    expect([...waiting('fleet')]).not.toContain('old');
    await run(from + 5, () => false);
  }
  await run(200, () => waiting('fleet').size === 0);
  const least = (NEW_SIMS * REQUESTS_EACH) / REQUESTS_A_SECOND;
  expect(seconds() / least).toBeLessThan(1.2);
});
