import { expect, it } from 'vitest';
import { createVirtualFleet } from './fleet.ts';
import { GW, gateway, letPass, MGW, OTHER, privateInterface, SIM } from './gateway-fleet.ts';

const carriers = [
  { name: 'KDDI', allow: true },
  { name: 'SoftBank', allow: false },
];
const edits = {
  'the SIM is deactivated by hand': { sims: { [SIM.id]: { activated: false } } },
  'the SIM is renamed by hand': { sims: { [SIM.id]: { name: 'renamed' } } },
  'the gateway is renamed by hand': { gateways: { [GW.id]: { name: 'renamed' } } },
};

const answers = {
  404: { error_code: 'not_found', error_msg: 'there is none' },
  403: { error_code: 'forbidden', error_msg: 'it may not be seen' },
  500: { error_code: 'internal_server_error', error_msg: 'something went wrong' },
} as const;
const reads = {
  'a SIM’s carriers': /\/sim\/network_operator_config$/,
  'a gateway’s SIM routes': /\/mobilegateway\/simroutes$/,
  'a gateway’s SIMs': /\/mobilegateway\/sims(\?|$)/,
  'a gateway’s traffic': /\/mobilegateway\/traffic_status$/,
} as const;
const cases = Object.entries(reads).flatMap(([read, target]) =>
  ([404, 403, 500] as const).flatMap((status) =>
    Object.entries(edits).map(([what, edit]) => ({ read, target, status, what, edit })),
  ),
);

it.each(cases)(
  'where $read can’t be read ($status), and $what, that is asked for a few times a minute',
  async ({ target, status, edit }) => {
    let isBroken = false;
    const body = JSON.stringify({ is_fatal: true, serial: '1', status: `${status}`, ...answers[status] });
    const fleet = createVirtualFleet({
      seeds: { fleet: { sims: [SIM], gateways: [GW, OTHER] } },
      broken: ({ method, target: asked }) =>
        isBroken && method === 'GET' && target.test(asked) ? { status, headers: {}, body } : undefined,
    });
    const { world } = fleet;
    const waiting = () => [...fleet.waiting('fleet'), ...fleet.waiting('fleet', 'mobilegateways')];
    world.start('operator');
    gateway(fleet, 'depot', { resourceID: GW.id, privateInterface });
    const gatewayRef = { name: 'depot' };
    fleet.createSim('fleet', 'truck', 1, { gatewayRef, ipAddress: '10.0.0.21', activated: true, carriers });
    await letPass(fleet, 900);
    expect(waiting()).toEqual([]);
    isBroken = true;
    fleet.patch(`${MGW}/depot`, { spec: { interDeviceCommunication: true } });
    world.service.edit(edit);
    await letPass(fleet, 1800);
    const counts = { requests: 0, statuses: 0 };
    world.onMessage((moment, { to, route }) => {
      if (moment !== 'written') return;
      if (to === 'service') counts.requests++;
      else if (route.endsWith('/status')) counts.statuses++;
    });
    await letPass(fleet, 600);
    // Lists are polled once a minute each, of SIMs and of the gateways of a zone, beside what depends on them.
    expect(counts.requests).toBeLessThanOrEqual(10 * 15);
    expect(counts.statuses).toBeLessThanOrEqual(10);
    isBroken = false;
    await letPass(fleet, 600);
    expect(waiting()).toEqual([]);
  },
);
