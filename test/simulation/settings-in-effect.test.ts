import { expect, it } from 'vitest';
import { atFirst } from './at-first.ts';
import { createVirtualFleet } from './fleet.ts';
import { GROUP, GW, gateway, letPass, MGW, on, theGateway } from './gateway-fleet.ts';

const { internetConnection: _connection, privateInterface: _interface, ...bare } = GW;
const privateInterface = { ipAddress: '10.1.0.1', networkMaskLength: 24 };
const wanted = { internetConnection: true, privateInterface };

/** One resource has a gateway that nobody has set anything on, and the operator runs. */
async function createBare(dialect: string, spec: object) {
  const fleet = createVirtualFleet({ seeds: { fleet: { gateways: [bare] } } });
  fleet.patch(`${GROUP}/cloudaccounts/default`, { spec: { dialect } });
  fleet.world.start('operator');
  gateway(fleet, 'one', { resourceID: GW.id, ...spec });
  await letPass(fleet, 300);
  return fleet;
}

/** The same, where settings were sent, and are refused to take effect. */
async function createPending(dialect: string) {
  const fleet = await createBare(dialect, { deletionPolicy: 'Orphan' });
  let isRefused = true;
  const isConfig = on('PUT /appliance/:id/config');
  const fits: typeof isConfig = (message) => isRefused && isConfig(message);
  fleet.world.arm({ to: 'service', fits, count: 1000, fault: { service: 'conflict' } });
  const isSent = atFirst(fleet.world, 'answered', on('PUT /appliance/:id'));
  fleet.patch(`${MGW}/one`, { spec: wanted });
  await letPass(fleet, 60, isSent);
  await letPass(fleet, 3);
  return {
    fleet,
    allow: () => {
      isRefused = false;
    },
  };
}

it.each(['Documented', 'Extended'])(
  'what one resource sent, and could not put into effect, the next one that has the gateway does (%s)',
  async (dialect) => {
    const { fleet, allow } = await createPending(dialect);
    fleet.world.apiserver.handle({ method: 'DELETE', path: `${MGW}/one`, user: 'user' });
    await letPass(fleet, 30);
    gateway(fleet, 'two', { resourceID: GW.id, ...wanted });
    allow();
    await letPass(fleet, 3600);
    expect([theGateway(fleet)?.applied, [...fleet.waiting('fleet', 'mobilegateways')]]).toEqual([
      expect.objectContaining(wanted),
      [],
    ]);
  },
);

it('who only observes does not call settings Synced that did not take effect', async () => {
  const { fleet } = await createPending('Documented');
  fleet.patch(`${MGW}/one`, { spec: { managementPolicy: 'Observe' } });
  await letPass(fleet, 600);
  const { conditions } = fleet.read(`${MGW}/one`).status;
  const synced = conditions.find(({ type }) => type === 'Synced');
  expect([synced?.status, synced?.reason, synced?.message]).toEqual([
    'False',
    'DriftObserved',
    expect.stringContaining('did not take effect yet'),
  ]);
});

it.each(['Manage', 'Observe', 'Approve', 'ApproveChanges'])(
  'settings that somebody else puts into effect need nothing more (%s)',
  async (managementPolicy) => {
    const fleet = await createBare('Documented', { managementPolicy: 'Observe', internetConnection: true });
    const settings = { internetConnection: true };
    fleet.world.service.edit({ gateways: { depot: { settings, applied: settings } } });
    const writes: string[] = [];
    fleet.world.onMessage((moment, { to, verb, route }) => {
      if (moment === 'written' && to === 'service' && verb !== 'GET') writes.push(route);
    });
    await letPass(fleet, 300);
    fleet.patch(`${MGW}/one`, { spec: { managementPolicy } });
    await letPass(fleet, 1800);
    expect([writes, [...fleet.waiting('fleet', 'mobilegateways')]]).toEqual([[], []]);
  },
);
