import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import type { Message } from '../../src/shadow/world/messages.ts';
import { atFirst } from './at-first.ts';
import { createVirtualFleet, type VirtualFleet } from './fleet.ts';
import { GROUP, GW, gateway, letPass, MGW, OTHER, SECOND, SIM, theGateway } from './gateway-fleet.ts';

const DEPOT = `${MGW}/depot`;
const TRUCK = `${GROUP}/sims/truck`;
const simOf = (fleet: VirtualFleet) => fleet.world.service.world('fleet').sims.get(SIM.id);

interface Field {
  readonly field: string;
  readonly path: string;
  /** What sets it. */
  readonly route: RegExp;
  /** It has the first, and is to have the second. */
  readonly values: readonly [unknown, unknown];
  readonly read: (fleet: VirtualFleet) => unknown;
}

const fields: readonly Field[] = [
  {
    field: 'trafficMonitoring',
    path: DEPOT,
    route: /traffic_monitoring$/,
    values: [
      { quotaMB: 100, email: true },
      { quotaMB: 200, email: true },
    ],
    read: (fleet) => theGateway(fleet)?.trafficMonitoring?.quotaMB ?? null,
  },
  {
    field: 'privateInterface',
    path: DEPOT,
    route: /^PUT .appliance.:id$/,
    values: [
      { ipAddress: '10.0.0.1', networkMaskLength: 24 },
      { ipAddress: '10.9.0.1', networkMaskLength: 24 },
    ],
    read: (fleet) => theGateway(fleet)?.applied?.privateInterface?.ipAddress ?? null,
  },
  {
    field: 'simRoutes',
    path: DEPOT,
    route: /simroutes$/,
    values: [
      [{ prefix: '192.0.2.0/24', simRef: { name: 'truck' } }],
      [{ prefix: '198.51.100.0/24', simRef: { name: 'truck' } }],
    ],
    read: (fleet) => theGateway(fleet)?.simRoutes,
  },
  {
    field: 'imeiLock',
    path: TRUCK,
    route: /imeilock/,
    values: ['490154203237518', '356938035643809'],
    read: (fleet) => simOf(fleet)?.imeiLock,
  },
  {
    field: 'ipAddress',
    path: TRUCK,
    route: /sim.ip$/,
    values: ['10.0.0.22', '10.0.0.23'],
    read: (fleet) => simOf(fleet)?.ip ?? null,
  },
  {
    field: 'gatewayRef',
    path: TRUCK,
    route: /sims$/,
    values: [{ name: 'depot' }, { name: 'other' }],
    read: (fleet) => simOf(fleet)?.gatewayID ?? null,
  },
];

/** A SIM on one of two gateways, where a field has its first value. */
async function createSettled({ field, path, values: [value] }: Field) {
  const { id, name, zone } = GW;
  const gateways = [{ id, name, zone, instanceStatus: 'up' as const }, OTHER];
  const fleet = createVirtualFleet({ seeds: { fleet: { gateways, sims: [SIM] } } });
  const operator = fleet.world.start('operator');
  gateway(fleet, 'depot', { resourceID: GW.id });
  gateway(fleet, 'other', { resourceID: OTHER.id });
  fleet.createSim('fleet', 'truck', 1, { gatewayRef: { name: 'depot' } });
  await letPass(fleet, 600);
  fleet.patch(path, { spec: { [field]: value } });
  await letPass(fleet, 600);
  return { fleet, operator };
}

/** What is there when a spec has its last value, and nothing was late. */
async function withoutTrouble(one: Field, last: unknown): Promise<unknown> {
  const { fleet } = await createSettled(one);
  fleet.patch(one.path, { spec: { [one.field]: last } });
  await letPass(fleet, 900);
  return one.read(fleet);
}

const cases = fields.flatMap((one) =>
  [null, one.values[0]].flatMap((last) => [true, false].map((isKilled) => ({ ...one, last, isKilled }))),
);

it.each(cases)(
  '$field that was changed, where the change arrives late, is as the spec says when it says that (killed: $isKilled, last: $last)',
  async ({ last, isKilled, ...one }) => {
    const { field, path, route, values, read } = one;
    const expected = await withoutTrouble(one, last);
    const { fleet, operator } = await createSettled(one);
    const fits = ({ to, verb, route: of }: Message) => to === 'service' && verb !== 'GET' && route.test(of);
    fleet.world.arm({ to: 'service', fits, count: 1, fault: 'delayed-arrival', milliseconds: 100 * SECOND });
    const isSent = atFirst(fleet.world, 'written', fits);
    fleet.patch(path, { spec: { [field]: values[1] } });
    await letPass(fleet, 60, isSent);
    expect(isSent()).toBe(true);
    if (isKilled) operator.kill(5 * SECOND);
    fleet.patch(path, { spec: { [field]: last } });
    const [plural = '', name = ''] = path.split('/').slice(-2);
    const wrong: unknown[] = [];
    for (let passed = 0; passed < 1800; passed += 10) {
      await letPass(fleet, 10);
      if (!fleet.waiting('fleet', plural).has(name) && !isDeepStrictEqual(read(fleet), expected))
        wrong.push([passed, read(fleet)]);
    }
    expect([wrong, read(fleet)]).toEqual([[], expected]);
  },
);
