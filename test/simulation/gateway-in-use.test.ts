import { expect, it } from 'vitest';
import { atFirst } from './at-first.ts';
import { createVirtualFleet, type VirtualFleet } from './fleet.ts';
import {
  GROUP,
  GW,
  gateway,
  letPass,
  MGW,
  OTHER,
  on,
  privateInterface,
  SECOND,
  SIM,
  theGateway,
} from './gateway-fleet.ts';

const passCodeSecretRef = { name: 'pass-codes', key: 'code' };
const said = (fleet: VirtualFleet, path: string) => JSON.stringify(fleet.read(path).status.conditions);

it('settings that no spec names, and were changed by hand a moment ago, are not overwritten', async () => {
  const fleet = createVirtualFleet({ seeds: { fleet: { gateways: [{ ...OTHER, internetConnection: true }] } } });
  fleet.world.start('operator');
  gateway(fleet, 'one', { resourceID: OTHER.id, internetConnection: true });
  await letPass(fleet, 301);
  let isListed = false;
  fleet.world.onMessage((m, message) => {
    isListed ||= m === 'answered' && on('GET /appliance')(message);
  });
  await letPass(fleet, 200, () => isListed);
  const settings = {
    internetConnection: true,
    privateInterface,
    staticRoutes: [{ prefix: '192.168.10.0/24', nextHop: '10.0.0.254' }],
  };
  await letPass(fleet, 2);
  fleet.world.service.edit({ gateways: { other: { settings, applied: settings } } });
  await letPass(fleet, 2);
  fleet.patch(`${MGW}/one`, { spec: { interDeviceCommunication: true } });
  await letPass(fleet, 300);
  expect(theGateway(fleet, OTHER.id)?.applied).toMatchObject({ ...settings, interDeviceCommunication: true });
});

it('a gateway that SIMs use is not stopped for its deletion by one list that lacks a SIM', async () => {
  const fleet = createVirtualFleet({ seeds: { fleet: { gateways: [GW], sims: [SIM] } } });
  fleet.patch(`${GROUP}/cloudaccounts/default`, { spec: { dialect: 'Extended' } });
  fleet.world.service.edit({ sims: { [SIM.id]: { gatewayID: GW.id } } });
  fleet.world.start('operator');
  gateway(fleet, 'depot', { resourceID: GW.id, deletionPolicy: 'Delete' });
  await letPass(fleet, 120);
  fleet.world.arm({
    to: 'service',
    fits: on('GET /appliance/:id/mobilegateway/sims'),
    count: 1,
    fault: { service: 'list misses a member' },
  });
  fleet.world.apiserver.handle({ method: 'DELETE', path: `${MGW}/depot`, user: 'user' });
  await letPass(fleet, 300);
  expect.soft(said(fleet, `${MGW}/depot`)).not.toContain('Somebody has stopped');
  expect(theGateway(fleet)?.instanceStatus).toBe('up');
});

it('a spec that is corrected after its config was refused is carried out', async () => {
  let fleet: VirtualFleet | undefined;
  fleet = createVirtualFleet({
    seeds: { fleet: { gateways: [GW] } },
    broken(request) {
      if (
        request.method !== 'PUT' ||
        !request.target.endsWith('/config') ||
        !fleet ||
        theGateway(fleet)?.pending?.privateInterface?.ipAddress !== '10.9.0.1'
      )
        return undefined;
      return {
        status: 400,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          is_fatal: true,
          serial: '1',
          error_code: 'bad_request',
          error_msg: 'the network cannot be used',
        }),
      };
    },
  });
  fleet.world.start('operator');
  gateway(fleet, 'depot', { resourceID: GW.id, internetConnection: true, privateInterface });
  await letPass(fleet, 200);
  fleet.patch(`${MGW}/depot`, { spec: { privateInterface: { ipAddress: '10.9.0.1' } } });
  await letPass(fleet, 60);
  fleet.patch(`${MGW}/depot`, { spec: { privateInterface: { ipAddress: '10.0.0.1' } } });
  await letPass(fleet, 3600);
  expect([...fleet.waiting('fleet', 'mobilegateways')]).toEqual([]);
});

it('a change that was sent, not applied and taken back does not take effect for a moment', async () => {
  const fleet = createVirtualFleet({ seeds: { fleet: { gateways: [GW] } } });
  const operator = fleet.world.start('operator');
  gateway(fleet, 'depot', { resourceID: GW.id, internetConnection: true, privateInterface });
  await letPass(fleet, 200);
  const effective = new Set<unknown>();
  fleet.world.service.onChange(({ after }) => {
    if (after && 'applied' in after) effective.add(after.applied?.internetConnection);
  });
  atFirst(fleet.world, 'arrived', on('PUT /appliance/:id'), () => {
    operator.kill(5 * SECOND);
    fleet.patch(`${MGW}/depot`, { spec: { internetConnection: true } });
  });
  fleet.patch(`${MGW}/depot`, { spec: { internetConnection: false } });
  await letPass(fleet, 600);
  expect([...effective]).toEqual([true]);
});

it('the routes of a gateway stay while two lists of its SIMs lack one', async () => {
  const fleet = createVirtualFleet({ seeds: { fleet: { gateways: [GW] } } });
  fleet.world.start('operator');
  gateway(fleet, 'depot', {
    resourceID: GW.id,
    simRoutes: [1, 2].map((n) => ({ prefix: `192.168.${n}.0/24`, simRef: { name: `s-${n}` } })),
  });
  for (const n of [1, 2])
    fleet.createSim('fleet', `s-${n}`, n, { passCodeSecretRef, activated: true, gatewayRef: { name: 'depot' } });
  await letPass(fleet, 600);
  const counts = new Set<number>();
  fleet.world.service.onChange(({ after }) => {
    if (after && 'simRoutes' in after) counts.add(after.simRoutes.length);
  });
  fleet.world.arm({
    to: 'service',
    fits: on('GET /appliance/:id/mobilegateway/sims'),
    count: 2,
    fault: { service: 'list misses a member' },
  });
  fleet.patch(`${MGW}/depot`, { metadata: { annotations: { 'edgeline.dev/reconcile-at': 'x1' } } });
  await letPass(fleet, 120);
  expect([...counts]).toEqual([]);
});

it('a gateway stopped for a deletion that became an Orphan is not left so without a word', async () => {
  const fleet = createVirtualFleet({ seeds: { fleet: { gateways: [GW] } } });
  const told: string[] = [];
  fleet.world.apiserver.onChange(({ resource, new: o }) => {
    if (resource === 'events' && o) told.push(JSON.stringify(o));
  });
  fleet.patch(`${GROUP}/cloudaccounts/default`, { spec: { dialect: 'Extended' } });
  fleet.world.start('operator');
  gateway(fleet, 'depot', { resourceID: GW.id, deletionPolicy: 'Delete' });
  await letPass(fleet, 120);
  fleet.world.arm({ to: 'service', fits: on('DELETE /appliance/:id'), count: 1000, fault: { service: 'conflict' } });
  fleet.world.apiserver.handle({ method: 'DELETE', path: `${MGW}/depot`, user: 'user' });
  await letPass(fleet, 60);
  expect.soft(said(fleet, `${MGW}/depot`)).not.toContain('Somebody has stopped');
  fleet.patch(`${MGW}/depot`, { spec: { deletionPolicy: 'Orphan' } });
  await letPass(fleet, 600);
  expect(told.filter((one) => one.includes('Orphaned')).join()).toMatch(/stopped|down/);
});

it('a gateway whose SIMs were not looked at is not asked to be deleted', async () => {
  const fleet = createVirtualFleet({ seeds: { fleet: { gateways: [GW], sims: [SIM] } } });
  fleet.world.start('operator');
  gateway(fleet, 'depot', { resourceID: GW.id, deletionPolicy: 'Delete' });
  await letPass(fleet, 120);
  fleet.world.service.edit({
    sims: { [SIM.id]: { gatewayID: GW.id } },
    gateways: { depot: { availability: 'migrating' } },
  });
  await letPass(fleet, 120);
  const isAsked = atFirst(fleet.world, 'written', on('DELETE /appliance/:id'));
  fleet.world.apiserver.handle({ method: 'DELETE', path: `${MGW}/depot`, user: 'user' });
  await letPass(fleet, 120);
  expect(isAsked()).toBe(false);
});

it('a gateway that another resource has just changed, and gave up, is not told to be as its next one wants it before it is', async () => {
  const fleet = createVirtualFleet({ seeds: { fleet: { gateways: [GW] } } });
  const { world } = fleet;
  world.start('operator');
  gateway(fleet, 'depot', { resourceID: GW.id, internetConnection: true });
  await letPass(fleet, 300);
  const isHandedOver = atFirst(world, 'answered', on('PUT /appliance/:id/config'), () => {
    world.arm({ to: 'service', fits: on('GET /appliance'), count: 1, fault: 'slow', milliseconds: 20 * SECOND });
    fleet.patch(`${MGW}/depot`, { metadata: { annotations: { 'edgeline.dev/abandon': 'true' } } });
    gateway(fleet, 'next', { resourceID: GW.id, internetConnection: true });
  });
  fleet.patch(`${MGW}/depot`, { spec: { internetConnection: false } });
  await letPass(fleet, 60, isHandedOver);
  const internet = new Set<unknown>();
  world.apiserver.onChange(({ resource }) => {
    const isAsWanted = resource === 'mobilegateways' && !fleet.waiting('fleet', resource).has('next');
    if (isAsWanted) internet.add(theGateway(fleet)?.applied?.internetConnection);
  });
  await letPass(fleet, 600);
  expect([isHandedOver(), [...internet]]).toEqual([true, [true]]);
});
