import { expect, it } from 'vitest';
import type { Message } from '../../src/shadow/world/messages.ts';
import { atFirst } from './at-first.ts';
import { createVirtualFleet, iccidOf } from './fleet.ts';

const SECOND = 1000;
const GROUP = '/apis/edgeline.dev/v1alpha1/namespaces/fleet';
const GATEWAY = { id: '113300002001', name: 'depot', zone: 'is1b', instanceStatus: 'up' } as const;
const SIM = { id: '113300003001', iccid: iccidOf(1), name: 'truck', activated: true };
const SITE = { id: '113300001001', name: 'www', domain: 'a.example.jp' };
const on = (route: string) => (message: Message) => message.to === 'service' && message.route === route;
const hook = { chatWebhookSecretRef: { name: 'hook', key: 'url' }, quotaMB: 100 };

/** What no resource may leave at the service. */
function left({ world }: ReturnType<typeof createVirtualFleet>): object {
  const { gateways, sims, sites } = world.service.world('fleet');
  const gateway = gateways.get(GATEWAY.id);
  const { ip, imeiLock } = sims.get(SIM.id) ?? {};
  return {
    internet: gateway?.applied?.internetConnection ?? false,
    monitoring: gateway?.trafficMonitoring ?? null,
    ip: ip ?? null,
    imeiLock: imeiLock ?? null,
    ttl: sites.get(SITE.id)?.settings['DefaultCacheTTL'] ?? 0,
  };
}

const WRITES = [
  ['mobilegateways/depot', 'internetConnection', true, 'PUT /appliance/:id'],
  ['mobilegateways/depot', 'trafficMonitoring', hook, 'PUT /appliance/:id/mobilegateway/traffic_monitoring'],
  ['sims/truck', 'ipAddress', '10.0.0.22', 'PUT /commonserviceitem/:id/sim/ip'],
  ['sims/truck', 'imeiLock', '490154203237518', 'PUT /commonserviceitem/:id/sim/imeilock'],
  ['webaccelsites/www', 'defaultCacheTTL', 60, 'PUT webaccel/site/:id'],
] as const;

it.each(
  WRITES.flatMap(([path, field, value, route]) =>
    [
      { late: 20, killed: false, repeated: false },
      { late: 120, killed: false, repeated: false },
      { late: 120, killed: false, repeated: true },
      { late: 120, killed: true, repeated: false },
    ].map((how) => ({ path, field, value, route, ...how })),
  ),
)(
  'nothing stays of what arrives after its field left the spec: $path $field $late s late, killed $killed, repeated and answered $repeated',
  async (how) => {
    const { path, field, value, route, late, killed, repeated } = how;
    const fleet = createVirtualFleet({ seeds: { fleet: { gateways: [GATEWAY], sims: [SIM], sites: [SITE] } } });
    const { world, create, patch } = fleet;
    const letPass = (seconds: number, until?: () => boolean) => world.run(world.now() + seconds * SECOND, until);
    const operator = world.start('operator');
    create('/api/v1/namespaces/fleet/secrets', {
      metadata: { name: 'hook' },
      data: { url: Buffer.from('https://chat.example/x').toString('base64') },
    });
    const make = (kind: string, plural: string, name: string, spec: object) =>
      create(`${GROUP}/${plural}`, { apiVersion: 'edgeline.dev/v1alpha1', kind, metadata: { name }, spec });
    make('MobileGateway', 'mobilegateways', 'depot', { zone: 'is1b', resourceID: GATEWAY.id });
    make('WebAccelSite', 'webaccelsites', 'www', { siteID: SITE.id, managementPolicy: 'Manage' });
    fleet.createSim('fleet', 'truck', 1, { gatewayRef: { name: 'depot' } });
    await letPass(600);
    const before = left(fleet);
    world.arm({ to: 'service', fits: on(route), count: 1, fault: 'delayed-arrival', milliseconds: late * SECOND });
    const isSent = atFirst(world, 'written', on(route));
    patch(`${GROUP}/${path}`, { spec: { [field]: value } });
    await letPass(60, isSent);
    expect(isSent()).toBe(true);
    if (repeated) await letPass(15);
    if (killed) operator.kill(5 * SECOND);
    patch(`${GROUP}/${path}`, { spec: { [field]: null } });
    await letPass(1200);
    expect([left(fleet), fleet.waiting('fleet', path.split('/')[0]).size]).toEqual([before, 0]);
  },
);

/** A SIM on a gateway, of which the write of an address was cut off before it was carried out, and left the spec. */
async function withLateAddress() {
  const fleet = createVirtualFleet({ seeds: { fleet: { gateways: [GATEWAY], sims: [SIM] } } });
  const { world, create, patch, createSim } = fleet;
  const letPass = (seconds: number, until?: () => boolean) => world.run(world.now() + seconds * SECOND, until);
  world.start('operator');
  create(`${GROUP}/mobilegateways`, {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'MobileGateway',
    metadata: { name: 'depot' },
    spec: { zone: 'is1b', resourceID: GATEWAY.id },
  });
  createSim('fleet', 'truck', 1, { gatewayRef: { name: 'depot' } });
  await letPass(300);
  const fits = on('PUT /commonserviceitem/:id/sim/ip');
  const isSent = atFirst(world, 'written', fits);
  const setIP = (ipAddress: string | null) => patch(`${GROUP}/sims/truck`, { spec: { ipAddress } });
  const reason = () => {
    const { conditions } = fleet.read(`${GROUP}/sims/truck`).status;
    return conditions.find(({ type }) => type === 'Synced')?.reason;
  };
  return { fleet, letPass, fits, isSent, setIP, reason };
}

it.each([20, 100, 170])('what others set %i s after a write that was not answered is not unset', async (seconds) => {
  const { fleet, letPass, fits, isSent, setIP, reason } = await withLateAddress();
  fleet.world.arm({ to: 'service', fits, count: 1, fault: { service: 'cut before' } });
  setIP('10.0.0.22');
  await letPass(60, isSent);
  setIP(null);
  await letPass(seconds);
  expect(reason()).toBe('OutcomeUnknown');
  fleet.world.service.edit({ sims: { [SIM.id]: { ip: '10.0.0.77' } } });
  await letPass(900);
  expect([fleet.world.service.world('fleet').sims.get(SIM.id)?.ip, reason()]).toEqual(['10.0.0.77', 'Available']);
});

it('what the rest of the spec waits for is told before what may arrive', async () => {
  const { fleet, letPass, fits, isSent, setIP, reason } = await withLateAddress();
  fleet.world.arm({ to: 'service', fits, count: 1, fault: 'delayed-arrival', milliseconds: 150 * SECOND });
  setIP('10.0.0.22');
  await letPass(60, isSent);
  fleet.patch(`${GROUP}/sims/truck`, { spec: { ipAddress: null, gatewayRef: { name: 'nope' } } });
  await letPass(20);
  expect(reason()).toBe('GatewayNotFound');
});
