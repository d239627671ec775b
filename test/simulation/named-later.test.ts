import { expect, it } from 'vitest';
import type { Message } from '../../src/shadow/world/messages.ts';
import { atFirst } from './at-first.ts';
import { createVirtualFleet, iccidOf } from './fleet.ts';
import { GROUP, gateway, letPass } from './gateway-fleet.ts';

/** A `resourceID` that comes into a spec later, and is that of another SIM or gateway. */

const ids = ['113300003001', '113300003002'] as const;
const sims = ids.map((id, index) => ({ id, iccid: iccidOf(index + 1), name: `s-${index + 1}` }));
const gateways = ['113300002001', '113300002002'].map(
  (id, index) => ({ id, name: `g-${index + 1}`, zone: 'is1b' }) as const,
);

it('is told, and what the resource has stays its own and is looked after', async () => {
  const fleet = createVirtualFleet({ seeds: { fleet: { sims, gateways } } });
  const { world } = fleet;
  world.start('operator');
  fleet.createSim('fleet', 's-1', 1, {});
  gateway(fleet, 'depot', { resourceID: gateways[0]?.id, planID: null });
  gateway(fleet, 'made', { planID: 2 });
  await letPass(fleet, 300);
  expect([...fleet.waiting('fleet')]).toEqual([]);
  fleet.patch(`${GROUP}/sims/s-1`, { spec: { resourceID: ids[1], activated: true } });
  fleet.patch(`${GROUP}/mobilegateways/made`, { spec: { resourceID: gateways[1]?.id } });
  await letPass(fleet, 300);
  const synced = ['sims/s-1', 'mobilegateways/made'].map((path) => {
    const { id, conditions } = fleet.read(`${GROUP}/${path}`).status;
    const { reason } = conditions.find(({ type }) => type === 'Synced') ?? {};
    return [id === undefined || id === ids[1] || id === gateways[1]?.id, reason];
  });
  expect(synced).toEqual([
    [false, 'ResourceIDMismatch'],
    [false, 'ResourceIDMismatch'],
  ]);
  const { sims: atService } = world.service.world('fleet');
  expect(ids.map((id) => atService.get(id)?.activated)).toEqual([true, false]);
});

it.each([
  [true, ids[0]],
  [false, ids[0]],
  [true, '113399999999'],
])('keeps no Sim from being deleted, nor what that made (made %s, of %s)', async (isMade, resourceID) => {
  const fleet = createVirtualFleet({ seeds: { fleet: { sims } } });
  const { world } = fleet;
  const operator = world.start('operator');
  await letPass(fleet, 60);
  const creates = ({ route }: Message) => route === 'POST /commonserviceitem';
  if (!isMade) world.arm({ to: 'service', fits: creates, count: 1, skip: 0, fault: 'lost-request' });
  const isKilled = atFirst(world, isMade ? 'arrived' : 'written', creates, () => operator.kill(5000));
  fleet.createSim('fleet', 'truck', 3, { passCodeSecretRef: { name: 'pass-codes', key: 'code' } });
  await letPass(fleet, 2);
  expect([isKilled(), world.service.world('fleet').sims.size]).toEqual([true, isMade ? 3 : 2]);
  fleet.patch(`${GROUP}/sims/truck`, { spec: { resourceID } });
  await letPass(fleet, 600);
  world.apiserver.handle({ method: 'DELETE', path: `${GROUP}/sims/truck`, user: 'user' });
  await letPass(fleet, 600);
  expect(world.apiserver.handle({ method: 'GET', path: `${GROUP}/sims/truck`, user: 'user' }).status).toBe(404);
  expect([...world.service.world('fleet').sims.keys()]).toEqual([...ids]);
});

it.each([gateways[0]?.id, '113399999999'])(
  'nor what a MobileGateway made, which names %s by now',
  async (resourceID) => {
    const fleet = createVirtualFleet({ seeds: { fleet: { gateways } } });
    const { world } = fleet;
    const operator = world.start('operator');
    gateway(fleet, 'depot', { resourceID: gateways[0]?.id, planID: null });
    await letPass(fleet, 60);
    const creates = ({ route }: Message) => route === 'POST /appliance';
    const isKilled = atFirst(world, 'arrived', creates, () => operator.kill(5000));
    gateway(fleet, 'made', { planID: 2, deletionPolicy: 'Delete' });
    await letPass(fleet, 2);
    expect([isKilled(), world.service.world('fleet').gateways.size]).toEqual([true, 3]);
    fleet.patch(`${GROUP}/mobilegateways/made`, { spec: { resourceID } });
    await letPass(fleet, 10);
    world.apiserver.handle({ method: 'DELETE', path: `${GROUP}/mobilegateways/made`, user: 'user' });
    await letPass(fleet, 900);
    expect(world.apiserver.handle({ method: 'GET', path: `${GROUP}/mobilegateways/made`, user: 'user' }).status).toBe(
      404,
    );
    expect([...world.service.world('fleet').gateways.keys()]).toEqual(gateways.map(({ id }) => id));
  },
);
