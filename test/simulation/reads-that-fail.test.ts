import { expect, it } from 'vitest';
import { createVirtualFleet, iccidOf } from './fleet.ts';
import { GROUP, GW, gateway, letPass, MGW, OTHER, on, privateInterface, SIM, theGateway } from './gateway-fleet.ts';

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

const PROXY = { message: 'no Route matched with those values', request_id: 'abc' };
const failures = {
  conflict: { status: 409, body: { is_fatal: true, serial: '1', error_code: 'conflict', error_msg: 'it is busy' } },
  403: { status: 403, body: { is_fatal: true, serial: '1', ...answers[403] } },
  404: { status: 404, body: { is_fatal: true, serial: '1', ...answers[404] } },
  500: { status: 500, body: { is_fatal: true, serial: '1', ...answers[500] } },
  'a proxy’s 404': { status: 404, body: PROXY },
} as const;
const onlyTold = [reads['a SIM’s carriers'], /\/mobilegateway\/(simroutes|traffic_monitoring|dnsresolver)$/];
const NEW = { passCodeSecretRef: { name: 'pass-codes', key: 'code' } };
const ROUTE = { simID: SIM.id, prefix: '192.168.9.0/24' };

/** A SIM and a gateway whose specs name nothing that no list shows, of all of which the service has something. */
async function createTold(failure: keyof typeof failures, unread: readonly RegExp[] = onlyTold) {
  let isBroken = false;
  const counts = { requests: 0, statuses: 0, written: new Set<string>() };
  const { status, body } = failures[failure];
  const fleet = createVirtualFleet({
    seeds: { fleet: { sims: [SIM], gateways: [GW, OTHER] } },
    broken: ({ method, target }) =>
      isBroken && method === 'GET' && unread.some((one) => one.test(target))
        ? { status, headers: {}, body: JSON.stringify(body) }
        : undefined,
  });
  const { world } = fleet;
  fleet.patch(`${GROUP}/cloudaccounts/default`, { spec: { dialect: 'Extended' } });
  world.start('operator');
  gateway(fleet, 'depot', { resourceID: GW.id, privateInterface });
  const gatewayRef = { name: 'depot' };
  fleet.createSim('fleet', 'truck', 1, { gatewayRef, ipAddress: '10.0.0.21', activated: true });
  await letPass(fleet, 300);
  world.service.edit({
    gateways: {
      [GW.id]: {
        simRoutes: [ROUTE],
        dns: { primary: '1.1.1.1', secondary: '1.0.0.1' },
        trafficMonitoring: { quotaMB: 7 },
      },
    },
  });
  await letPass(fleet, 900);
  world.onMessage((moment, { to, route }) => {
    if (moment !== 'written') return;
    if (to === 'service') {
      counts.requests++;
      if (!route.startsWith('GET ')) counts.written.add(route);
    } else if (route.endsWith('/status')) counts.statuses++;
  });
  const shown = (path: string, fields: readonly string[]) => {
    const { status: told } = fleet.read(`${GROUP}/${path}`);
    return fields.filter((field) => told[field] !== undefined);
  };
  return {
    fleet,
    counts,
    break(is: boolean) {
      isBroken = is;
      counts.written.clear();
    },
    /** What the status shows that no list does. */
    shown: () => [
      ...shown('sims/truck', ['carriers']),
      ...shown('mobilegateways/depot', ['simRoutes', 'dns', 'trafficMonitoring', 'sims']),
    ],
    waiting: () => [...fleet.waiting('fleet'), ...fleet.waiting('fleet', 'mobilegateways')],
    sim: () => world.service.world('fleet').sims.get(SIM.id),
  };
}

const ALL = ['carriers', 'simRoutes', 'dns', 'trafficMonitoring', 'sims'];
const kinds = ['conflict', 403, 404, 500, 'a proxy’s 404'] as const;

it.each(kinds)('what is only told, and can’t be read (%s), keeps nothing from being carried out', async (failure) => {
  const { fleet, counts, shown, waiting, sim, ...told } = await createTold(failure);
  const { world } = fleet;
  expect([waiting(), shown()]).toEqual([[], ALL]);
  told.break(true);
  await letPass(fleet, 900);
  expect([waiting(), shown()]).toEqual([[], ['sims']]);
  world.service.edit({ sims: { [SIM.id]: { ip: '10.0.0.99' } } });
  await letPass(fleet, 120);
  expect(sim()?.ip).toBe('10.0.0.21');
  fleet.patch(`${GROUP}/sims/truck`, { spec: { imeiLock: '356938035643809', activated: false } });
  fleet.patch(`${MGW}/depot`, { spec: { interDeviceCommunication: true } });
  await letPass(fleet, 300);
  expect([waiting(), sim()?.imeiLock, sim()?.activated]).toEqual([[], '356938035643809', false]);
  const depot = () => theGateway(fleet);
  expect(depot()?.applied?.interDeviceCommunication).toBe(true);
  // What could not be looked at is as it was.
  const simRoutes = [expect.objectContaining({ prefix: ROUTE.prefix })];
  expect(depot()).toMatchObject({ simRoutes, dns: { primary: '1.1.1.1' }, trafficMonitoring: { quotaMB: 7 } });
  counts.requests = 0;
  counts.statuses = 0;
  await letPass(fleet, 600);
  expect(counts.requests).toBeLessThanOrEqual(10 * 15);
  expect(counts.statuses).toBeLessThanOrEqual(10);
  told.break(false);
  await letPass(fleet, 900);
  expect([waiting(), shown()]).toEqual([[], ALL]);
});

it.each(kinds)('what can’t be read (%s) is not written once a spec names it, until it was read', async (failure) => {
  const { fleet, counts, waiting, sim, ...told } = await createTold(failure);
  told.break(true);
  await letPass(fleet, 900);
  const dns = { primary: '8.8.8.8', secondary: '8.8.4.4' };
  fleet.patch(`${MGW}/depot`, { spec: { simRoutes: [], dns, trafficMonitoring: { quotaMB: 512, email: true } } });
  fleet.patch(`${GROUP}/sims/truck`, { spec: { carriers: [{ name: 'KDDI', allow: true }] } });
  await letPass(fleet, 600);
  expect([waiting(), [...counts.written]]).toEqual([['truck', 'depot'], []]);
  told.break(false);
  await letPass(fleet, 900);
  expect(waiting()).toEqual([]);
  expect(theGateway(fleet)).toMatchObject({ simRoutes: [], dns, trafficMonitoring: { quotaMB: 512 } });
  expect(sim()?.carriers.length).toBeGreaterThan(1);
});

it.each(kinds)(
  'a SIM and a gateway are made and finished where what is only told of them can’t be read (%s)',
  async (failure) => {
    const { fleet, waiting, ...told } = await createTold(failure);
    told.break(true);
    gateway(fleet, 'made', { planID: 2, privateInterface });
    fleet.createSim('fleet', 'crane', 2, {
      ...NEW,
      gatewayRef: { name: 'made' },
      ipAddress: '10.0.0.31',
      activated: true,
      imeiLock: '356938035643809',
    });
    await letPass(fleet, 1200);
    const made = [...fleet.world.service.world('fleet').sims.values()].find(({ iccid }) => iccid === iccidOf(2));
    expect([waiting(), made?.ip, made?.activated, made?.imeiLock]).toEqual([[], '10.0.0.31', true, '356938035643809']);
    // A person's word has all of it looked at.
    const asked = { metadata: { annotations: { 'edgeline.dev/reconcile-at': 'now' } } };
    for (const path of [`${GROUP}/sims/crane`, `${MGW}/made`]) fleet.patch(path, asked);
    await letPass(fleet, 300);
    fleet.world.service.edit({ sims: { [made?.id ?? '']: { ip: '10.0.0.99' } } });
    await letPass(fleet, 120);
    expect(fleet.world.service.world('fleet').sims.get(made?.id ?? '')?.ip).toBe('10.0.0.31');
    // A deletion needs the routes, and nothing else of that.
    fleet.world.apiserver.handle({ method: 'DELETE', path: `${GROUP}/sims/crane`, user: 'user' });
    await letPass(fleet, 300);
    expect(fleet.world.service.world('fleet').sims.size).toBe(1);
  },
);

it.each(kinds)('where a gateway’s SIMs can’t be read (%s) its own fields go on, and routes wait', async (failure) => {
  const { fleet, counts, shown, ...told } = await createTold(failure, [reads['a gateway’s SIMs']]);
  const waiting = () => [...fleet.waiting('fleet', 'mobilegateways')];
  told.break(true);
  await letPass(fleet, 900);
  expect([waiting(), shown()]).toEqual([[], ALL.filter((field) => field !== 'sims')]);
  const dns = { primary: '8.8.8.8', secondary: '8.8.4.4' };
  fleet.patch(`${MGW}/depot`, { spec: { interDeviceCommunication: true, dns } });
  await letPass(fleet, 300);
  expect(theGateway(fleet)).toMatchObject({ applied: { interDeviceCommunication: true }, dns });
  expect(waiting()).toEqual([]);
  counts.written.clear();
  const prefix = '192.168.5.0/24';
  fleet.patch(`${MGW}/depot`, { spec: { simRoutes: [{ simRef: { name: 'truck' }, prefix }] } });
  await letPass(fleet, 600);
  expect([waiting(), [...counts.written]]).toEqual([['depot'], []]);
  told.break(false);
  await letPass(fleet, 900);
  expect([waiting(), shown()]).toEqual([[], ALL]);
  expect(theGateway(fleet)?.simRoutes.map((route) => route.prefix)).toEqual([prefix]);
});

it.each([
  { list: 'SIMs', route: 'GET /commonserviceitem' },
  { list: 'sites', route: 'GET webaccel/site' },
])(
  'while the list of $list has no answer since a restart, each resource says so, and not again and again',
  async ({ route }) => {
    const some = Array.from({ length: 10 }, (_, index) => index + 1);
    const sims = some.map((one) => ({ ...SIM, id: `1133000040${10 + one}`, iccid: iccidOf(one) }));
    const sites = some.map((one) => ({ id: `1133200050${10 + one}`, domain: `s-${one}.example.jp`, name: 'a' }));
    const fleet = createVirtualFleet({ seeds: { fleet: { sims, sites } } });
    const { world } = fleet;
    world.start('operator');
    for (const one of some) {
      fleet.createSim('fleet', `s-${one}`, one);
      fleet.create(`${GROUP}/webaccelsites`, {
        apiVersion: 'edgeline.dev/v1alpha1',
        kind: 'WebAccelSite',
        metadata: { name: `s-${one}` },
        spec: { domain: `s-${one}.example.jp` },
      });
    }
    await letPass(fleet, 900);
    expect([...fleet.waiting('fleet'), ...fleet.waiting('fleet', 'webaccelsites')]).toEqual([]);
    world.arm({ to: 'service', fits: on(route), count: 1e9, fault: { service: 'cut after' } });
    world.processes[0]?.kill(2000);
    await letPass(fleet, 600);
    let written = 0;
    world.onMessage((moment, message) => {
      if (moment === 'written' && /^patch (sims|webaccelsites)\/status$/.test(message.route)) written++;
    });
    await letPass(fleet, 1800);
    // Once each minute it was 30 for each of them, and as many events.
    expect(written).toBeLessThanOrEqual(20);
  },
);
