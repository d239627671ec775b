import { expect, it } from 'vitest';
import { createVirtualFleet, iccidOf, type VirtualFleet } from './fleet.ts';
import { GROUP, GW, gateway, letPass, MGW, OTHER, on, privateInterface, SIM } from './gateway-fleet.ts';

const SITE = { id: '113320000009', domain: 'a.example.jp', name: 'a', status: 'enabled' as const };
const ROUTED = { ...SIM, id: '113300003002', iccid: iccidOf(2), name: 'crane' };

/** What of each resource is at the service as its spec says after all of it changed. */
const shown = {
  sim: ['carriers', 'activated', 'imeiLock', 'gateway', 'ipAddress'],
  gateway: ['settings', 'trafficMonitoring', 'dns', 'simRoutes'],
  site: ['settings', 'accessControl'],
} as const;
type Part = keyof typeof shown;

const cases: readonly { readonly part: Part; readonly route: string; readonly without: readonly string[] }[] = [
  { part: 'sim', route: 'PUT /commonserviceitem/:id/sim/network_operator_config', without: ['carriers'] },
  { part: 'sim', route: 'PUT /commonserviceitem/:id/sim/deactivate', without: ['activated'] },
  // It comes into another network only with its lock.
  { part: 'sim', route: 'PUT /commonserviceitem/:id/sim/imeilock', without: ['imeiLock', 'gateway', 'ipAddress'] },
  { part: 'sim', route: 'PUT /commonserviceitem/:id/sim/ip', without: ['ipAddress'] },
  { part: 'gateway', route: 'PUT /appliance/:id', without: ['settings'] },
  { part: 'gateway', route: 'PUT /appliance/:id/config', without: ['settings'] },
  { part: 'gateway', route: 'PUT /appliance/:id/mobilegateway/traffic_monitoring', without: ['trafficMonitoring'] },
  { part: 'gateway', route: 'PUT /appliance/:id/mobilegateway/dnsresolver', without: ['dns'] },
  { part: 'gateway', route: 'PUT /appliance/:id/mobilegateway/simroutes', without: ['simRoutes'] },
  // Figures alone.
  { part: 'gateway', route: 'GET /appliance/:id/mobilegateway/traffic_status', without: [] },
  { part: 'site', route: 'PUT webaccel/site/:id', without: ['settings'] },
  { part: 'site', route: 'PUT webaccel/site/:id/acl', without: ['accessControl'] },
];

/** One of each kind, as its spec says, and what changes all of it. */
async function createSettled() {
  const fleet = createVirtualFleet({ seeds: { fleet: { sims: [SIM, ROUTED], gateways: [GW, OTHER], sites: [SITE] } } });
  const { world } = fleet;
  world.start('operator');
  gateway(fleet, 'depot', { resourceID: GW.id });
  gateway(fleet, 'other', { resourceID: OTHER.id, privateInterface });
  fleet.createSim('fleet', 'truck', 1, { gatewayRef: { name: 'depot' }, ipAddress: '10.0.0.21', activated: true });
  fleet.createSim('fleet', 'crane', 2, { gatewayRef: { name: 'other' }, ipAddress: '10.0.0.22' });
  const spec = { siteID: SITE.id, managementPolicy: 'Manage', defaultCacheTTL: 0 };
  fleet.create(`${GROUP}/webaccelsites`, {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'WebAccelSite',
    metadata: { name: 'a' },
    spec,
  });
  await letPass(fleet, 900);
  const paths = { sim: `${GROUP}/sims/truck`, gateway: `${MGW}/other`, site: `${GROUP}/webaccelsites/a` };
  const specs = {
    sim: {
      carriers: [
        { name: 'KDDI', allow: true },
        { name: 'SoftBank', allow: false },
      ],
      activated: false,
      imeiLock: '356938035643809',
      gatewayRef: { name: 'other' },
      ipAddress: '10.0.0.31',
    },
    gateway: {
      interDeviceCommunication: true,
      trafficMonitoring: { quotaMB: 512, emailNotification: true },
      dns: { primary: '8.8.8.8', secondary: '8.8.4.4' },
      simRoutes: [{ simRef: { name: 'crane' }, prefix: '192.168.5.0/24' }],
    },
    site: { defaultCacheTTL: 60, accessControl: ['deny 192.0.2.0/24'] },
  };
  const service = world.service.world('fleet');
  const facts = {
    sim() {
      const sim = service.sims.get(SIM.id);
      return {
        carriers: sim?.carriers.some((one) => one.name === 'SoftBank' && !one.allow) === true,
        activated: sim?.activated === false,
        imeiLock: sim?.imeiLock === specs.sim.imeiLock,
        gateway: sim?.gatewayID === OTHER.id,
        ipAddress: sim?.ip === specs.sim.ipAddress,
      };
    },
    gateway() {
      const one = service.gateways.get(OTHER.id);
      return {
        settings: one?.applied?.interDeviceCommunication === true,
        trafficMonitoring: one?.trafficMonitoring?.quotaMB === 512,
        dns: one?.dns?.primary === '8.8.8.8',
        simRoutes: one?.simRoutes.length === 1,
      };
    },
    site() {
      const site = service.sites.get(SITE.id);
      return {
        settings: site?.settings.DefaultCacheTTL === 60,
        accessControl: site?.acl.includes('192.0.2.0/24') === true,
      };
    },
  };
  return {
    fleet,
    change: (part: Part) => fleet.patch(paths[part], { spec: specs[part] }),
    /** The fields of a part that are at the service. */
    reached: (part: Part) => Object.entries(facts[part]()).flatMap(([field, is]) => (is ? [field] : [])),
    synced: (part: Part) => fleet.read(paths[part]).status.conditions.find(({ type }) => type === 'Synced'),
  };
}

it.each(cases.flatMap((one) => (['conflict', 'internal error'] as const).map((fault) => ({ ...one, fault }))))(
  'where $route answers with a $fault what else the spec asks for is carried out, and the rest once that is over',
  async ({ part, route, without, fault }) => {
    const { fleet, change, reached, synced } = await createSettled();
    expect(reached(part)).toEqual([]);
    fleet.world.arm({ to: 'service', fits: on(route), count: 1e9, fault: { service: fault } });
    change(part);
    await letPass(fleet, 900);
    const all: readonly string[] = shown[part];
    const expected = all.filter((field) => !without.includes(field));
    expect([reached(part), synced(part)?.status]).toEqual([expected, without.length === 0 ? 'True' : 'False']);
    fleet.world.calm();
    await letPass(fleet, 900);
    expect([reached(part), synced(part)?.status]).toEqual([all, 'True']);
  },
);

it.each(['PUT /appliance/:id', 'PUT /appliance/:id/config'])(
  'Sims stay as they are while their gateway is refused a setting that is nothing to them, by %s',
  async (route) => {
    const { fleet } = await createSettled();
    fleet.world.arm({ to: 'service', fits: on(route), count: 1e9, fault: { service: 'conflict' } });
    let statuses = 0;
    fleet.world.onMessage((moment, message) => {
      if (moment === 'written' && message.route === 'patch sims/status') statuses++;
    });
    fleet.patch(`${MGW}/other`, { spec: { interDeviceCommunication: true } });
    await letPass(fleet, 900);
    expect([statuses, [...fleet.waiting('fleet')]]).toEqual([0, []]);
    // Drift of one is put right meanwhile.
    fleet.world.service.edit({ sims: { [ROUTED.id]: { ip: '10.0.0.99' } } });
    await letPass(fleet, 180);
    expect(fleet.world.service.world('fleet').sims.get(ROUTED.id)?.ip).toBe('10.0.0.22');
  },
);

it.each([
  {
    part: 'site',
    refused: 'PUT webaccel/site/:id',
    passing: 'PUT webaccel/site/:id/acl',
    reached: ['accessControl'],
    count: 8,
  },
  {
    part: 'sim',
    refused: 'PUT /commonserviceitem/:id/sim/network_operator_config',
    passing: 'PUT /commonserviceitem/:id/sim/ip',
    reached: ['activated', 'imeiLock', 'gateway', 'ipAddress'],
    count: 30,
  },
] as const)(
  'what fails for now is tried again though $refused is refused for good, and the status names both',
  async ({ part, refused, passing, reached: expected, count }) => {
    for (const fault of ['conflict', 'internal error'] as const) {
      const { fleet, change, reached, synced } = await createSettled();
      fleet.world.arm({ to: 'service', fits: on(refused), count: 1e9, fault: { service: 'forbidden' } });
      fleet.world.arm({ to: 'service', fits: on(passing), count, fault: { service: fault } });
      change(part);
      await letPass(fleet, 30);
      expect(synced(part)?.message).toMatch(/ Besides, /);
      await letPass(fleet, 3600);
      expect([reached(part), synced(part)?.status, synced(part)?.reason]).toEqual([expected, 'False', 'Rejected']);
    }
  },
);

/** What events tell from now on of what was put right. */
function correctionsTold({ world }: VirtualFleet): readonly string[] {
  const told: string[] = [];
  world.apiserver.onChange(({ resource, new: object }) => {
    if (resource === 'events' && object?.['reason'] === 'DriftCorrected') told.push(String(object['note']));
  });
  return told;
}

it('what was put right is told, and nothing of what the service does not take', async () => {
  const { fleet } = await createSettled();
  const { world } = fleet;
  const told = correctionsTold(fleet);
  const fits = on('PUT /commonserviceitem/:id/sim/imeilock');
  world.arm({ to: 'service', fits, count: 1e9, fault: { service: 'conflict' } });
  fleet.patch(`${GROUP}/sims/truck`, { spec: { imeiLock: '356938035643809' } });
  await letPass(fleet, 120);
  world.service.edit({ sims: { [SIM.id]: { ip: '10.0.0.99' } } });
  await letPass(fleet, 300);
  expect(told).toEqual(['Found ipAddress 10.0.0.99 instead of 10.0.0.21. Set its IP address to 10.0.0.21.']);
});

it('of several that were put right at once each is told as it was found', async () => {
  const { fleet, change } = await createSettled();
  const { world } = fleet;
  change('gateway');
  await letPass(fleet, 900);
  const told = correctionsTold(fleet);
  world.service.edit({ gateways: { [OTHER.id]: { simRoutes: [], trafficMonitoring: { quotaMB: 7 } } } });
  await letPass(fleet, 3600);
  expect(told).toEqual([expect.stringMatching(/^Found trafficMonitoring 7 MB.*; simRoutes none instead of /)]);
});
