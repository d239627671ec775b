import { expect, it } from 'vitest';
import type { Message } from '../../src/shadow/world/messages.ts';
import { createVirtualFleet, iccidOf } from './fleet.ts';
import { GROUP, GW, gateway, letPass, OTHER, SECOND, SIM } from './gateway-fleet.ts';

/** The gateway that a SIM is to move to is deleted while the first call of the move waits for the end of a silence. */

const crane = { ...SIM, id: '113300002102', iccid: iccidOf(2), name: 'crane' };

it.each([
  ['its address is to be cleared', { from: { ipAddress: '10.0.0.21' }, to: { ipAddress: '10.0.0.22' } }],
  ['it is to be taken off', { from: {}, to: {} }],
])('a SIM stays where it is, and as it is, when %s', async (_, { from, to }) => {
  const { privateInterface: _network, internetConnection: _internet, ...depot } = GW;
  const gateways = [depot, OTHER];
  const fleet = createVirtualFleet({ seeds: { fleet: { gateways, sims: [SIM, crane] } } });
  const { world } = fleet;
  world.start('operator');
  gateway(fleet, 'depot', { resourceID: GW.id });
  gateway(fleet, 'yard', { resourceID: OTHER.id, deletionPolicy: 'Delete' });
  fleet.createSim('fleet', 'truck', 1, { gatewayRef: { name: 'depot' }, ...from });
  fleet.createSim('fleet', 'crane', 2, { imeiLock: '123456789012345' });
  await letPass(fleet, 600);
  const truck = () => {
    const { gatewayID, ip } = world.service.world('fleet').sims.get(SIM.id) ?? {};
    return { gatewayID, ip };
  };
  const before = truck();
  const isWrite = ({ to: peer, verb }: Message) => peer === 'service' && verb !== 'GET';
  world.arm({ to: 'service', fits: isWrite, count: 1, skip: 0, fault: { service: 'too many requests, retry later' } });
  fleet.patch(`${GROUP}/sims/crane`, { spec: { imeiLock: '123456789012346' } });
  world.at(world.now() + 0.3 * SECOND, () =>
    fleet.patch(`${GROUP}/sims/truck`, { spec: { gatewayRef: { name: 'yard' }, ...to } }),
  );
  world.at(world.now() + 15 * SECOND, () => {
    world.apiserver.handle({ method: 'DELETE', path: `${GROUP}/mobilegateways/yard`, user: 'user' });
  });
  await letPass(fleet, 600);
  expect([[...world.service.world('fleet').gateways.keys()], before.gatewayID, truck()]).toEqual([
    [GW.id],
    GW.id,
    before,
  ]);
  expect(fleet.read(`${GROUP}/sims/truck`).status.conditions.find(({ type }) => type === 'Synced')?.reason).toBe(
    'GatewayNotFound',
  );
});
