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

it.each(
  [
    ['mobilegateways/depot', 'internetConnection', true, 'PUT /appliance/:id'],
    ['mobilegateways/depot', 'trafficMonitoring', hook, 'PUT /appliance/:id/mobilegateway/traffic_monitoring'],
    ['sims/truck', 'ipAddress', '10.0.0.22', 'PUT /commonserviceitem/:id/sim/ip'],
    ['sims/truck', 'imeiLock', '490154203237518', 'PUT /commonserviceitem/:id/sim/imeilock'],
    ['webaccelsites/www', 'defaultCacheTTL', 60, 'PUT webaccel/site/:id'],
  ].flatMap(([path, field, value, route]) =>
    [
      { late: 20, killed: false },
      { late: 120, killed: false },
      { late: 120, killed: true },
    ].map((how) => ({ path: String(path), field: String(field), value, route: String(route), ...how })),
  ),
)(
  'nothing stays of what arrives after its field left the spec: $path $field $late s late, killed $killed',
  async (how) => {
    const { path, field, value, route, late, killed } = how;
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
    if (killed) operator.kill(5 * SECOND);
    patch(`${GROUP}/${path}`, { spec: { [field]: null } });
    await letPass(1200);
    expect([left(fleet), fleet.waiting('fleet', path.split('/')[0]).size]).toEqual([before, 0]);
  },
);
