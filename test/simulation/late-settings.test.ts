import { expect, it } from 'vitest';
import { createVirtualFleet } from './fleet.ts';
import { GW, gateway, letPass, MGW, on, SECOND, theGateway } from './gateway-fleet.ts';

const one = { ipAddress: '10.1.0.1', networkMaskLength: 24 };
const other = { ipAddress: '10.2.0.1', networkMaskLength: 24 };

const cases = [
  { field: 'internetConnection', values: [true, null, true] },
  { field: 'internetConnection', values: [true, false, true] },
  { field: 'privateInterface', values: [one, null, one] },
  { field: 'privateInterface', values: [one, other, one] },
] as const;

it.each(cases.flatMap((one) => [5, 43, 100].map((later) => ({ ...one, later }))))(
  '$field: settings that arrive after others took effect, and are wanted again $later s later, take effect ($values)',
  async ({ field, values: [first, second, third], later }) => {
    const { internetConnection: _connection, privateInterface: _interface, ...bare } = GW;
    const fleet = createVirtualFleet({ seeds: { fleet: { gateways: [bare] } } });
    fleet.world.start('operator');
    gateway(fleet, 'depot', { resourceID: GW.id });
    await letPass(fleet, 300);
    const fits = on('PUT /appliance/:id');
    fleet.world.arm({ to: 'service', fits, count: 1, fault: 'delayed-arrival', milliseconds: 20 * SECOND });
    fleet.patch(`${MGW}/depot`, { spec: { [field]: first } });
    await letPass(fleet, 3);
    fleet.patch(`${MGW}/depot`, { spec: { [field]: second } });
    await letPass(fleet, 17 + later);
    fleet.patch(`${MGW}/depot`, { spec: { [field]: third } });
    await letPass(fleet, 6 * 3600);
    const inEffect = theGateway(fleet)?.applied?.[field];
    expect([inEffect, [...fleet.waiting('fleet', 'mobilegateways')]]).toEqual([third, []]);
  },
);
