/** What the hostile requests are made of: names of the seed, and bodies that the service would take. */
export interface Material {
  /** A chain the service takes, PEM, with its key. */
  readonly chain: string;
  readonly key: string;
}

export const hostileSeed = {
  sims: [
    {
      id: '113300000101',
      iccid: '8981000000000000001',
      name: 'one',
      activated: true,
      gateway: 'depot',
      ip: '10.0.0.17',
    },
    { id: '113300000102', iccid: '8981000000000000002', name: 'two' },
  ],
  gateways: [
    {
      id: '113300000201',
      name: 'depot',
      zone: 'is1b' as const,
      privateInterface: { ipAddress: '10.0.0.1', networkMaskLength: 24 },
    },
    { id: '113300000202', name: 'bare', zone: 'is1a' as const, instanceStatus: 'up' as const },
  ],
  sites: [{ id: '113300000301', name: 'www', domain: 'www.example.jp' }],
  servers: [{ id: '113300000401', name: 'web', zone: 'is1a' as const }],
};

/** Objects of the seed by the word their routes begin with, each with the zone it answers in. */
export const knownObjects: Readonly<Record<string, readonly (readonly [id: string, zone: string])[]>> = {
  commonserviceitem: [
    ['113300000101', 'is1a'],
    ['113300000102', 'tk1v'],
  ],
  appliance: [
    ['113300000201', 'is1b'],
    ['113300000202', 'is1a'],
  ],
  site: [['113300000301', 'is1a']],
  server: [['113300000401', 'is1a']],
};

/** Bodies by the last words of a route's template; what has none takes any. */
export function serviceBodies({ chain, key }: Material): Readonly<Record<string, readonly unknown[]>> {
  const certificate = { Certificate: { CertificateChain: chain, Key: key } };
  return {
    '/commonserviceitem': [
      {
        CommonServiceItem: {
          Name: 'new',
          Description: '',
          Tags: ['a'],
          Status: { ICCID: '8981000000000000003' },
          Remark: { PassCode: 'code' },
          Provider: { Class: 'sim' },
        },
      },
    ],
    '/commonserviceitem/:id': [{ CommonServiceItem: { Name: 'other', Description: 'd', Tags: ['x'] } }],
    '/sim/network_operator_config': [{ network_operator_config: [{ name: 'KDDI', allow: true }] }],
    '/sim/ip': [{ sim: { ip: '10.0.0.18' } }],
    '/sim/imeilock': [{ sim: { imei: '356900000000017' } }],
    '/appliance': [
      {
        Appliance: {
          Name: 'gateway',
          Class: 'mobilegateway',
          Plan: { ID: 2 },
          Remark: { Servers: [{}], Switch: { Scope: 'shared' } },
        },
      },
    ],
    '/appliance/:id': [
      {
        Appliance: {
          Name: 'depot',
          Settings: {
            MobileGateway: {
              InternetConnection: { Enabled: 'True' },
              InterDeviceCommunication: { Enabled: 'False' },
              Interfaces: [null, { IPAddress: ['10.0.0.1'], NetworkMaskLen: 24 }],
              StaticRoutes: [{ Prefix: '192.168.0.0/24', NextHop: '10.0.0.254' }],
            },
          },
          SettingsHash: null,
        },
      },
    ],
    '/dnsresolver': [{ sim_group: { dns_1: '192.0.2.1', dns_2: '192.0.2.2' } }],
    '/simroutes': [{ sim_routes: [{ resource_id: '113300000101', prefix: '192.168.50.0/24' }] }],
    '/traffic_monitoring': [
      {
        traffic_monitoring_config: {
          traffic_quota_in_mb: 1024,
          auto_traffic_shaping: true,
          bandwidth_limit_in_kbps: 64,
          email_config: { enabled: true },
          chat_config: { enabled: true, chat_url: 'https://chat.example.jp/hook' },
          slack_config: { enabled: true, slack_url: 'https://chat.example.jp/hook' },
        },
      },
    ],
    '/mobilegateway/sims': [{ sim: { resource_id: '113300000102' } }],
    '/power': [{ Force: true }, {}],
    '/keyboard': [{ Key: 'a' }, { Keys: ['ctrl', 'alt', 'delete'] }],
    '/site': [{ Site: { Name: 's', DomainType: 'own_domain', Domain: 'new.example.jp', Origin: 'o.example.jp' } }],
    '/site/:id': [
      {
        Site: {
          Name: 'www',
          RequestProtocol: 1,
          OriginProtocol: 'https',
          DefaultCacheTTL: 60,
          NormalizeAE: 1,
          CORSRules: [{ AllowedOrigins: ['https://a.example.jp'] }],
          OnetimeURLSecrets: 'secret',
          Origin: 'o.example.jp',
        },
      },
      {
        Site: {
          OriginType: 1,
          OriginProtocol: 'https',
          BucketName: 'b',
          S3Endpoint: 's3.example.jp',
          S3Region: 'r',
          AccessKeyID: 'id',
          SecretAccessKey: 'secret',
        },
      },
    ],
    '/status': [{ Site: { Status: 'enabled' } }],
    '/acl': [{ ACL: 'deny 192.0.2.0/24\nallow all' }],
    '/certificate': [certificate],
    '/log-upload-config': [
      {
        SiteLogUploadConfig: {
          Bucket: 'logs',
          Endpoint: 's3.example.jp',
          Region: 'r',
          AccessKeyID: 'a',
          SecretAccessKey: 's',
        },
      },
    ],
    '/deleteallcache': [{ Site: { Domain: 'www.example.jp' } }],
    '/deletecache': [{ URL: ['https://www.example.jp/a'] }],
  };
}

export const listQueries: readonly unknown[] = [
  { From: 0, Count: 0 },
  { From: 1, Count: 5, Sort: ['-Name', 'Status.ICCID'], Include: ['*', 'Status.sim'] },
  { Include: ['Name', 'Status.sim.ip', '__proto__.toString', 'constructor.name'], Filter: { 'Provider.Class': 'sim' } },
  { Filter: { Name: ['one'], 'Tags.Name': [['a', 'b']], 'Appliances.Class': 'mobilegateway', 'ID>=': 5 } },
  { Start: '2026-01-01T00:00:00.000+09:00', End: '2026-01-01T01:00:00.000+09:00' },
  { Count: 5 },
];

export const plainQueries = [
  '',
  'type=current',
  'type=old',
  'target=202601',
  'target=999912',
  'target=000001',
  'target=',
  '%7B',
  '%ff',
  '{',
  '&&==',
];

/** The control port's own requests. None makes a request wait: that would be asked for. */
export function controlRequests({ chain, key }: Material): readonly (readonly [string, string, unknown?])[] {
  return [
    ['GET', '/'],
    ['GET', '/requests?since=0'],
    ['GET', '/requests?since=-5.5'],
    ['GET', '/requests?since=%ff'],
    ['DELETE', '/requests'],
    ['GET', '/counts'],
    ['POST', '/faults', { route: 'PUT *', code: 503, count: 2, when: 'after', rate: 0.5, retryAfter: 1 }],
    ['POST', '/faults', { route: '*a*p*p*l*i*a*n*c*e*!', cut: true, count: 1 }],
    ['POST', '/faults', { route: '*', garbage: true, count: 1, skip: 3 }],
    ['GET', '/faults'],
    ['DELETE', '/faults/1'],
    ['DELETE', '/faults'],
    ['DELETE', '/faults'],
    ['GET', '/holds?wait=0'],
    ['GET', '/holds?wait=x'],
    ['POST', '/holds/1/release'],
    ['GET', '/clock'],
    ['POST', '/clock', { set: '2026-01-01T00:00:00Z' }],
    ['POST', '/clock', { set: '+275760-09-13T00:00:00.000Z' }],
    ['POST', '/clock', { advanceSeconds: 3600 }],
    ['POST', '/clock', { advanceSeconds: 1e300 }],
    ['GET', '/state'],
    ['GET', '/state/sims/113300000101'],
    ['GET', '/state/sims/__proto__/constructor'],
    [
      'PATCH',
      '/state',
      { sims: { '113300000101': { activated: false, ip: '10.0.0.20', gatewayID: 'depot', tags: [] } } },
    ],
    [
      'PATCH',
      '/state',
      {
        gateways: {
          depot: {
            availability: 'migrating',
            instanceStatus: 'up',
            settings: { privateInterface: { ipAddress: '10.0.0.1', networkMaskLength: 24 } },
            dns: { primary: '192.0.2.1', secondary: '192.0.2.2' },
          },
        },
      },
    ],
    [
      'PATCH',
      '/state',
      {
        sites: {
          'www.example.jp': {
            status: 'disabled',
            settings: { Name: 'x' },
            accessControl: ['allow all'],
            certificate: { chain, key },
          },
        },
        servers: { web: { power: 'down' } },
      },
    ],
    [
      'POST',
      '/state/sims',
      { iccid: '8981000000000000009', createdAt: '9999-12-31T23:59:59Z', gateway: 'depot', ip: '10.0.0.30' },
    ],
    ['POST', '/state/gateways', { name: 'more', zone: 'is1a', staticRoutes: [], simRoutes: [] }],
    ['POST', '/state/sites', { name: 'more', domain: 'more.example.jp', settings: {}, certificate: { chain, key } }],
    ['POST', '/state/servers', { name: 'more', zone: 'is1a' }],
    ['DELETE', '/state/sims/113300000101'],
    ['GET', '/settings'],
    [
      'PATCH',
      '/settings',
      {
        migratingTime: 0,
        stillCreatingMs: 0,
        shownAfterCreate: 0,
        notFoundAfterCreate: 0,
        webAccelLimit: 500,
        pageLimit: 10,
        nonceLifetime: 300_000,
        requestLogLimit: 100,
      },
    ],
    ['GET', '//'],
    ['GET', '/%ff'],
    ['GET', 'http://[/'],
    ['OPTIONS', '*'],
  ];
}
