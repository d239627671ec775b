import * as z from 'zod';
import type { Seed } from '../../../src/simulator/seed-schema.ts';
import type { Issued } from '../certificates.ts';

/** One account, as the service has it and as a state of the provider's release 2.36 describes it. */
export interface TerraformFleet {
  readonly seed: Seed;
  readonly state: object;
  /** How many resources the state has that become a manifest, or a part of one. */
  readonly resources: number;
}

export interface TerraformFleetOptions {
  readonly sims: number;
  readonly sites: number;
  /** For the sites' domains, which {@link fleetDomains} names. */
  readonly certificates: readonly Issued[];
}

type Gateway = NonNullable<Seed['gateways']>[number];
type Sim = NonNullable<Seed['sims']>[number];
type Site = NonNullable<Seed['sites']>[number];

const provider = 'provider["registry.terraform.io/sacloud/sakuracloud"]';
const SHORT_NAMES: Readonly<Record<string, string>> = { KDDI: 'kddi', SoftBank: 'softbank', 'NTT DOCOMO': 'docomo' };
const WEBHOOK = 'https://hooks.slack.com/services/canary/hook/1';
const corsRule = z.object({ AllowsAnyOrigin: z.boolean().optional(), AllowedOrigins: z.array(z.string()).optional() });
const dns = { primary: '133.242.0.3', secondary: '133.242.0.4' };

/** Domains of the sites, in order. */
export const fleetDomains = (count: number) => Array.from({ length: count }, (_, at) => `site-${at}.example.jp`);

const gateways: readonly Gateway[] = [
  {
    id: '113300100001',
    name: 'depot',
    zone: 'is1b',
    internetConnection: true,
    interDeviceCommunication: true,
    privateInterface: { ipAddress: '10.0.0.1', networkMaskLength: 16 },
    staticRoutes: [{ prefix: '192.168.0.0/24', nextHop: '10.0.0.254' }],
    dns,
    trafficMonitoring: {
      quotaMB: 2048,
      autoTrafficShaping: true,
      bandwidthLimitKbps: 128,
      email: true,
      chatURL: WEBHOOK,
    },
    instanceStatus: 'up',
  },
  {
    id: '113300100002',
    name: 'north & south',
    zone: 'tk1a',
    internetConnection: true,
    interDeviceCommunication: false,
    dns,
    // As the provider leaves it where no bandwidth is given.
    trafficMonitoring: { quotaMB: 512, bandwidthLimitKbps: 0 },
    instanceStatus: 'up',
  },
  { id: '113300100003', name: 'spare', zone: 'is1a', instanceStatus: 'up' },
];

/** So many SIMs and sites, with all there is: routes, locks, carriers, rules, certificates; most alike, as fleets are. */
export function terraformFleet({ sims: count, sites: siteCount, certificates }: TerraformFleetOptions): TerraformFleet {
  const sims = Array.from({ length: count }, (_, at) => simOf(at));
  const sites = fleetDomains(siteCount).map((domain, at) => siteOf(domain, at, certificates[at]));
  const routes = sims.slice(0, 2).map((sim, at) => ({ sim: sim.iccid, prefix: `192.168.${100 + at}.0/24` }));
  const all = gateways.map((gateway, at) => (at === 0 ? { ...gateway, simRoutes: routes } : gateway));
  const instances = [
    ...all.map((gateway) =>
      resource('sakuracloud_mobile_gateway', gateway.name.replaceAll(/\W+/g, '_'), [gatewayState(gateway, sims)]),
    ),
    resource('sakuracloud_sim', 'truck', sims.map(simState), 'for_each'),
    resource('sakuracloud_webaccel', 'site', sites.map(siteState), 'count'),
    resource(
      'sakuracloud_webaccel_acl',
      'site',
      sites.flatMap(({ id, accessControl }) =>
        accessControl ? [{ id, site_id: id, acl: accessControl.join('\n') }] : [],
      ),
      'count',
    ),
    resource(
      'sakuracloud_webaccel_certificate',
      'site',
      sites.flatMap(({ id }, at) => certificateState(id, certificates[at])),
      'count',
    ),
  ];
  return {
    seed: { gateways: all, sims, sites },
    state: { version: 4, terraform_version: '1.9.8', serial: 1, lineage: 'fleet', outputs: {}, resources: instances },
    resources: instances.reduce((sum, one) => sum + one.instances.length, 0),
  };
}

function simOf(at: number): Sim {
  const gateway = at % 10 === 9 ? undefined : gateways[at % 3 === 2 ? 1 : 0];
  const number = String(at).padStart(3, '0');
  return {
    id: `113300200${number}`,
    iccid: `8981040000000000${number}`,
    name: `truck ${number}`,
    activated: true,
    ...(gateway && { gateway: gateway.name, ip: `10.0.${gateway === gateways[0] ? 1 : 2}.${(at % 250) + 1}` }),
    ...(at % 5 === 0 && { imeiLock: `35693803564${String(at).padStart(4, '0')}` }),
    ...(at % 4 === 0 && {
      carriers: [
        { name: 'KDDI', allow: true },
        { name: 'SoftBank', allow: false },
      ],
    }),
  };
}

function siteOf(domain: string, at: number, certificate: Issued | undefined): Site & { readonly id: string } {
  return {
    id: `11330030${String(at).padStart(4, '0')}`,
    name: `site ${at}`,
    domain,
    settings: {
      RequestProtocol: at % 3,
      OriginType: 0,
      Origin: `origin-${at}.example.jp`,
      OriginProtocol: at % 2 === 0 ? 'https' : 'http',
      ...(at % 2 === 0 && { HostHeader: domain }),
      DefaultCacheTTL: at % 2 === 0 ? 300 : 0,
      VarySupport: at % 2,
      NormalizeAE: at % 2 === 0 ? 3 : 1,
      CORSRules:
        at % 3 === 0 ? [{ AllowsAnyOrigin: true }] : at % 3 === 1 ? [{ AllowedOrigins: ['https://a.example.jp'] }] : [],
    },
    ...(at % 2 === 0 && { accessControl: ['deny 192.0.2.0/24', 'allow all'] }),
    ...(certificate && { certificate: { chain: certificate.chain, key: certificate.key } }),
  };
}

function resource(type: string, name: string, all: readonly object[], keys?: 'for_each' | 'count') {
  const key = (at: number) => (keys === undefined ? {} : { index_key: keys === 'count' ? at : `key ${at}` });
  const instances = all.map((attributes, at) => ({ ...key(at), schema_version: 0, attributes }));
  return { mode: 'managed', type, name, provider, instances };
}

function gatewayState(gateway: Gateway, sims: readonly Sim[]): object {
  const { privateInterface: inner, trafficMonitoring: monitoring } = gateway;
  const idOf = (iccid: string) => sims.find((sim) => sim.iccid === iccid)?.id;
  return {
    id: gateway.id,
    name: gateway.name,
    zone: gateway.zone,
    internet_connection: gateway.internetConnection ?? false,
    inter_device_communication: gateway.interDeviceCommunication ?? false,
    dns_servers: [gateway.dns?.primary ?? '', gateway.dns?.secondary ?? ''],
    private_network_interface: inner
      ? [{ switch_id: '', ip_address: inner.ipAddress, netmask: inner.networkMaskLength }]
      : [],
    static_route: (gateway.staticRoutes ?? []).map(({ prefix, nextHop }) => ({ prefix, next_hop: nextHop })),
    sim: sims.filter((sim) => sim.gateway === gateway.name).map(({ id, ip }) => ({ sim_id: id, ip_address: ip ?? '' })),
    sim_route: (gateway.simRoutes ?? []).map(({ sim, prefix }) => ({ sim_id: idOf(sim), prefix })),
    traffic_control: monitoring
      ? [
          {
            quota: monitoring.quotaMB,
            band_width_limit: monitoring.bandwidthLimitKbps ?? 0,
            auto_traffic_shaping: monitoring.autoTrafficShaping ?? false,
            enable_email: monitoring.email ?? false,
            enable_slack: monitoring.chatURL !== undefined,
            slack_webhook: monitoring.chatURL ?? '',
          },
        ]
      : [],
    description: '',
    icon_id: '',
    tags: null,
    public_ip: '203.0.113.10',
    public_netmask: 28,
    timeouts: null,
  };
}

function simState(sim: Sim): object {
  const {
    carriers = [
      { name: 'KDDI', allow: true },
      { name: 'SoftBank', allow: true },
    ],
  } = sim;
  return {
    id: sim.id,
    name: sim.name,
    iccid: sim.iccid,
    passcode: `canary-${sim.iccid}`,
    imei: sim.imeiLock ?? '',
    carrier: carriers.flatMap(({ name, allow }) => (allow ? [SHORT_NAMES[name]] : [])),
    enabled: sim.activated,
    ip_address: sim.ip ?? '',
    mobile_gateway_id: gateways.find(({ name }) => name === sim.gateway)?.id ?? '',
    description: '',
    icon_id: '',
    tags: null,
    timeouts: null,
  };
}

function siteState({ id, name, domain, settings = {} }: Site): object {
  const [rule] = z.array(corsRule).parse(settings['CORSRules']);
  return {
    id,
    name,
    domain,
    domain_type: 'own_domain',
    subdomain: `${id}.user.webaccel.jp`,
    cname_record_value: `${id}.user.webaccel.jp.`,
    txt_record_value: `webaccel=${id}.user.webaccel.jp`,
    request_protocol: ['http+https', 'https', 'https-redirect'][Number(settings['RequestProtocol'])],
    origin_parameters: [
      {
        type: 'web',
        origin: settings['Origin'],
        protocol: settings['OriginProtocol'],
        host_header: settings['HostHeader'] ?? '',
        s3_doc_index: false,
      },
    ],
    cors_rules: rule
      ? [{ allow_all: rule.AllowsAnyOrigin ?? false, allowed_origins: rule.AllowedOrigins ?? null }]
      : [],
    default_cache_ttl: settings['DefaultCacheTTL'] === 0 ? null : settings['DefaultCacheTTL'],
    vary_support: settings['VarySupport'] === 1 ? true : null,
    normalize_ae: settings['NormalizeAE'] === 3 ? 'br+gzip' : null,
    onetime_url_secrets: null,
    logging: [],
  };
}

function certificateState(id: string, certificate: Issued | undefined): object[] {
  if (!certificate) return [];
  return [
    {
      id,
      site_id: id,
      certificate_chain: certificate.chain,
      private_key: certificate.key,
      sha256_fingerprint: certificate.fingerprint,
      serial_number: '01',
      not_before: '2026-11-21T00:00:00Z',
      not_after: '2027-02-20T00:00:00Z',
      issuer_common_name: 'Test intermediate',
      subject_common_name: 'Test site',
      dns_names: [],
    },
  ];
}
