import { createService } from '../../../src/shadow/service/service.ts';
import type { Service, ServiceAnswer, ServiceOptions, ServiceRequest } from '../../../src/shadow/service/types.ts';
import { certificateNamed, epoch } from '../../simulation/certificates.ts';

const [truck, idle, spare, locked] = ['113300000101', '113300000102', '113300000103', '113300000104'] as const;
const [depot, empty, up] = ['113300000201', '113300000202', '113300000203'] as const;
const [shop, old] = ['113300000301', '113300000302'] as const;
const [running, stopped] = ['113300000401', '113300000402'] as const;
export const ids = { truck, idle, spare, locked, depot, empty, up, shop, old, running, stopped };

const { chain, key } = certificateNamed('a-1');
const renewed = certificateNamed('a-2');

/** An account in which every operation finds what it works on. */
export const seed = {
  gateways: [
    {
      id: depot,
      name: 'depot',
      zone: 'is1a',
      privateInterface: { ipAddress: '10.0.0.1', networkMaskLength: 24 },
      dns: { primary: '192.0.2.1', secondary: '192.0.2.2' },
      simRoutes: [{ sim: '8981000000000000001', prefix: '10.9.0.0/24' }],
      trafficMonitoring: { quotaMB: 100 },
    },
    { id: empty, name: 'empty', zone: 'is1a' },
    { id: up, name: 'up', zone: 'is1a', instanceStatus: 'up' },
  ],
  sims: [
    { id: truck, iccid: '8981000000000000001', activated: true, gateway: 'depot', ip: '10.0.0.17' },
    { id: idle, iccid: '8981000000000000002', gateway: 'depot' },
    { id: spare, iccid: '8981000000000000003' },
    { id: locked, iccid: '8981000000000000004', imeiLock: '356900000000017' },
  ],
  sites: [
    {
      id: shop,
      name: 'shop',
      domain: 'a.example.jp',
      accessControl: ['deny all'],
      certificate: { chain, key },
    },
    { id: old, name: 'old', domain: 'old.example.jp', status: 'disabled' },
  ],
  servers: [
    { id: running, name: 'running', zone: 'is1a' },
    { id: stopped, name: 'stopped', zone: 'is1a', power: 'down' },
  ],
} as const satisfies NonNullable<ServiceOptions['seed']>[string];

/** Path below the API's prefix, and the body, of a request that each operation carries out. */
export const requests: Readonly<Record<string, { readonly path: string; readonly body?: object }>> = {
  'DELETE /appliance/:id': { path: `/appliance/${empty}` },
  'DELETE /appliance/:id/interface/1/to/switch': { path: `/appliance/${up}/interface/1/to/switch` },
  'DELETE /appliance/:id/mobilegateway/sims/:id': { path: `/appliance/${depot}/mobilegateway/sims/${idle}` },
  'DELETE /appliance/:id/mobilegateway/traffic_monitoring': {
    path: `/appliance/${depot}/mobilegateway/traffic_monitoring`,
  },
  'DELETE /appliance/:id/power': { path: `/appliance/${up}/power`, body: {} },
  'DELETE /commonserviceitem/:id': { path: `/commonserviceitem/${spare}` },
  'DELETE /commonserviceitem/:id/sim/imeilock': { path: `/commonserviceitem/${locked}/sim/imeilock` },
  'DELETE /commonserviceitem/:id/sim/ip': { path: `/commonserviceitem/${truck}/sim/ip` },
  'DELETE /server/:id/power': { path: `/server/${running}/power`, body: {} },
  'DELETE webaccel/site/:id': { path: `/site/${old}` },
  'DELETE webaccel/site/:id/acl': { path: `/site/${shop}/acl` },
  'DELETE webaccel/site/:id/auto-cert-update': { path: `/site/${shop}/auto-cert-update` },
  'DELETE webaccel/site/:id/certificate': { path: `/site/${shop}/certificate` },
  'DELETE webaccel/site/:id/log-upload-config': { path: `/site/${shop}/log-upload-config` },
  'DELETE webaccel/site/:id/origin-guard-token': { path: `/site/${shop}/origin-guard-token` },
  'DELETE webaccel/site/:id/origin-guard-token/next': { path: `/site/${shop}/origin-guard-token/next` },
  'GET /appliance': { path: '/appliance' },
  'GET /appliance/:id': { path: `/appliance/${depot}` },
  'GET /appliance/:id/mobilegateway/dnsresolver': { path: `/appliance/${depot}/mobilegateway/dnsresolver` },
  'GET /appliance/:id/mobilegateway/sessionlog': { path: `/appliance/${depot}/mobilegateway/sessionlog` },
  'GET /appliance/:id/mobilegateway/simroutes': { path: `/appliance/${depot}/mobilegateway/simroutes` },
  'GET /appliance/:id/mobilegateway/sims': { path: `/appliance/${depot}/mobilegateway/sims` },
  'GET /appliance/:id/mobilegateway/traffic_monitoring': {
    path: `/appliance/${depot}/mobilegateway/traffic_monitoring`,
  },
  'GET /appliance/:id/mobilegateway/traffic_status': { path: `/appliance/${depot}/mobilegateway/traffic_status` },
  'GET /appliance/:id/power': { path: `/appliance/${depot}/power` },
  'GET /commonserviceitem': { path: '/commonserviceitem' },
  'GET /commonserviceitem/:id': { path: `/commonserviceitem/${truck}` },
  'GET /commonserviceitem/:id/sim/metrics': { path: `/commonserviceitem/${truck}/sim/metrics` },
  'GET /commonserviceitem/:id/sim/metrics/monitor': { path: `/commonserviceitem/${truck}/sim/metrics/monitor` },
  'GET /commonserviceitem/:id/sim/network_operator_config': {
    path: `/commonserviceitem/${truck}/sim/network_operator_config`,
  },
  'GET /commonserviceitem/:id/sim/sessionlog': { path: `/commonserviceitem/${truck}/sim/sessionlog` },
  'GET /commonserviceitem/:id/sim/status': { path: `/commonserviceitem/${truck}/sim/status` },
  'GET /server/:id': { path: `/server/${running}` },
  'GET /server/:id/monitor': { path: `/server/${running}/monitor` },
  'GET /server/:id/power': { path: `/server/${running}/power` },
  'GET /server/:id/vnc/snapshot': { path: `/server/${running}/vnc/snapshot` },
  'GET /server/:id/vnc/snapshot.png': { path: `/server/${running}/vnc/snapshot.png` },
  'GET webaccel/monthlyusage': { path: '/monthlyusage?target=202601' },
  'GET webaccel/site': { path: '/site' },
  'GET webaccel/site/:id': { path: `/site/${shop}` },
  'GET webaccel/site/:id/acl': { path: `/site/${shop}/acl` },
  'GET webaccel/site/:id/certificate': { path: `/site/${shop}/certificate` },
  'GET webaccel/site/:id/log-upload-config': { path: `/site/${shop}/log-upload-config` },
  'POST /appliance': {
    path: '/appliance',
    body: {
      Appliance: {
        Name: 'new',
        Class: 'mobilegateway',
        Plan: { ID: 2 },
        Remark: { Servers: [{}], Switch: { Scope: 'shared' } },
      },
    },
  },
  'POST /appliance/:id/mobilegateway/sims': {
    path: `/appliance/${depot}/mobilegateway/sims`,
    body: { sim: { resource_id: spare } },
  },
  'POST /commonserviceitem': {
    path: '/commonserviceitem',
    body: {
      CommonServiceItem: {
        Name: 'new',
        Status: { ICCID: '8981000000000000009' },
        Remark: { PassCode: 'pass' },
        Provider: { Class: 'sim' },
      },
    },
  },
  'POST webaccel/deleteallcache': { path: '/deleteallcache', body: { Site: { Domain: 'a.example.jp' } } },
  'POST webaccel/deletecache': { path: '/deletecache', body: { URL: ['https://a.example.jp/x'] } },
  'POST webaccel/site': {
    path: '/site',
    body: { Site: { Name: 'new', DomainType: 'own_domain', Domain: 'new.example.jp', Origin: 'origin.example.jp' } },
  },
  'POST webaccel/site/:id/auto-cert-update': { path: `/site/${shop}/auto-cert-update` },
  'POST webaccel/site/:id/certificate': {
    path: `/site/${shop}/certificate`,
    body: { Certificate: { CertificateChain: renewed.chain, Key: renewed.key } },
  },
  'POST webaccel/site/:id/origin-guard-token': { path: `/site/${shop}/origin-guard-token` },
  'POST webaccel/site/:id/origin-guard-token/next': { path: `/site/${shop}/origin-guard-token/next` },
  'PUT /appliance/:id': { path: `/appliance/${depot}`, body: { Appliance: { Name: 'renamed' } } },
  'PUT /appliance/:id/config': { path: `/appliance/${depot}/config` },
  'PUT /appliance/:id/interface/1/to/switch/:switch_id': {
    path: `/appliance/${depot}/interface/1/to/switch/113300000900`,
  },
  'PUT /appliance/:id/mobilegateway/dnsresolver': {
    path: `/appliance/${depot}/mobilegateway/dnsresolver`,
    body: { sim_group: { dns_1: '192.0.2.8', dns_2: '192.0.2.9' } },
  },
  'PUT /appliance/:id/mobilegateway/simroutes': {
    path: `/appliance/${depot}/mobilegateway/simroutes`,
    body: { sim_routes: [{ resource_id: idle, prefix: '10.8.0.0/24' }] },
  },
  'PUT /appliance/:id/mobilegateway/traffic_monitoring': {
    path: `/appliance/${depot}/mobilegateway/traffic_monitoring`,
    body: { traffic_monitoring_config: { traffic_quota_in_mb: 200 } },
  },
  'PUT /appliance/:id/power': { path: `/appliance/${depot}/power` },
  'PUT /appliance/:id/reset': { path: `/appliance/${up}/reset` },
  'PUT /commonserviceitem/:id': {
    path: `/commonserviceitem/${truck}`,
    body: { CommonServiceItem: { Name: 'renamed' } },
  },
  'PUT /commonserviceitem/:id/sim/activate': { path: `/commonserviceitem/${spare}/sim/activate` },
  'PUT /commonserviceitem/:id/sim/deactivate': { path: `/commonserviceitem/${truck}/sim/deactivate` },
  'PUT /commonserviceitem/:id/sim/imeilock': {
    path: `/commonserviceitem/${truck}/sim/imeilock`,
    body: { sim: { imei: '356900000000017' } },
  },
  'PUT /commonserviceitem/:id/sim/ip': {
    path: `/commonserviceitem/${truck}/sim/ip`,
    body: { sim: { ip: '10.0.0.18' } },
  },
  'PUT /commonserviceitem/:id/sim/network_operator_config': {
    path: `/commonserviceitem/${truck}/sim/network_operator_config`,
    body: { network_operator_config: [{ name: 'KDDI', allow: true }] },
  },
  'PUT /commonserviceitem/:id/sim/reconnect': { path: `/commonserviceitem/${truck}/sim/reconnect` },
  'PUT /server/:id/keyboard': { path: `/server/${running}/keyboard`, body: { Key: 'enter' } },
  'PUT /server/:id/power': { path: `/server/${stopped}/power` },
  'PUT /server/:id/reset': { path: `/server/${running}/reset` },
  'PUT /server/:id/to/plan/:plan_id': { path: `/server/${stopped}/to/plan/4` },
  'PUT webaccel/site/:id': { path: `/site/${shop}`, body: { Site: { DefaultCacheTTL: 60 } } },
  'PUT webaccel/site/:id/acl': { path: `/site/${shop}/acl`, body: { ACL: 'deny 192.0.2.1' } },
  'PUT webaccel/site/:id/certificate': {
    path: `/site/${shop}/certificate`,
    body: { Certificate: { CertificateChain: renewed.chain, Key: renewed.key } },
  },
  'PUT webaccel/site/:id/log-upload-config': {
    path: `/site/${shop}/log-upload-config`,
    body: { SiteLogUploadConfig: { Bucket: 'other', SecretAccessKey: 'secret' } },
  },
  'PUT webaccel/site/:id/status': { path: `/site/${shop}/status`, body: { Site: { Status: 'disabled' } } },
};

export const routes = Object.keys(requests);

export const basic = (token: string) => `Basic ${Buffer.from(`${token}:secret of ${token}`).toString('base64')}`;

/** A request of an operation, by its route or by another path and body. */
export function requestOf(
  route: string,
  given: Partial<ServiceRequest> & { readonly path?: string } = {},
): ServiceRequest {
  const [method = '', template = ''] = route.split(' ');
  const { path, body } = requests[route] ?? {};
  const prefix = template.startsWith('webaccel/') ? 'webaccel/1.0' : 'cloud/1.1';
  return {
    method,
    target: `/cloud/zone/is1a/api/${prefix}${given.path ?? path ?? ''}`,
    headers: { authorization: basic('one') },
    body: body && JSON.stringify(body),
    from: 'operator-1',
    ...given,
  };
}

/** What the seed has no word for. */
export const preparations: readonly ServiceRequest[] = [
  requestOf('PUT webaccel/site/:id/log-upload-config', { body: '{"SiteLogUploadConfig": {"Bucket": "b"}}' }),
  requestOf('PUT /appliance/:id/interface/1/to/switch/:switch_id', {
    path: `/appliance/${up}/interface/1/to/switch/1`,
  }),
];

/** Two accounts, the first with the seed, a minute after the epoch; and time that is moved by hand. */
export function startService(options: Partial<ServiceOptions> = {}) {
  const time = { now: epoch };
  const service = createService({
    now: () => time.now,
    random: () => 0.5,
    accounts: [account('one'), account('two')],
    seed: { one: seed },
    ...options,
  });
  for (const request of preparations) service.handle(request);
  time.now += 60_000;
  return { service, time };
}

function account(name: string) {
  return { name, accessToken: name, accessTokenSecret: `secret of ${name}` };
}

/** The answer, which must be one. */
export function answered(answer: ServiceAnswer | 'cut' | 'stall'): ServiceAnswer {
  if (typeof answer === 'string') throw new Error(`there is no answer: ${answer}`);
  return answer;
}

/** Everything an account has, as text. */
export function worldText(service: Service): string {
  const { sims, gateways, sites, servers } = service.world('one');
  return JSON.stringify([sims, gateways, sites, servers].map((objects) => [...objects]));
}
