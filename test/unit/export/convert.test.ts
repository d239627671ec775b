import { describe, expect, it } from 'vitest';
import type { ExportOptions } from '../../../src/export/context.ts';
import { convert } from '../../../src/export/convert.ts';
import type { Picture, SeenGateway, SeenSim, SeenSite } from '../../../src/export/picture.ts';
import { reportOf } from '../../../src/export/report.ts';
import { parseWish, selectionOf } from '../../../src/export/select.ts';
import { gatewaySpec } from '../../../src/kinds/mobile-gateway/schema.ts';
import { simSpec } from '../../../src/kinds/sim/schema.ts';
import { siteSpec } from '../../../src/kinds/web-accel-site/schema.ts';
import { gateway, onGateway, sim, site } from './seen.ts';

const options: ExportOptions = { accountRef: undefined, observe: false, dialect: 'Extended' };
const all = selectionOf([], []);
const pictureOf = (some: Partial<Picture>): Picture => ({ sims: [], gateways: [], sites: [], ...some });

/** The spec of the first manifest, and the attributes that it does not have. */
function made(some: Partial<Picture>, more: Partial<ExportOptions> = {}) {
  const { manifests, findings } = convert(pictureOf(some), all, { ...options, ...more });
  return { spec: manifests[0]?.spec, without: findings.map(({ attribute }) => attribute) };
}

const ofSim = {
  iccid: '89810400000001',
  resourceID: '1',
  adoption: 'Required',
  displayName: 'truck-1',
  activated: true,
};

/** One whose status the list did not show. */
const { status: _, ...item } = sim('1').item;
const unclear: SeenSim = { item };

describe('a SIM', () => {
  it.each<[string, SeenSim, object, string[]]>([
    ['that is active', sim('1'), ofSim, []],
    ['that is not', sim('1', {}, { activated: false }), { ...ofSim, activated: false }, []],
    ['without a name', sim('1', { name: '' }), { ...ofSim, displayName: undefined }, []],
    ['whose name has two lines', sim('1', { name: 'a\nb' }), { ...ofSim, displayName: undefined }, ['displayName']],
    [
      'locked to an IMEI',
      sim('1', {}, { imeiLock: true, imei: '356938035643809' }),
      { ...ofSim, imeiLock: '356938035643809' },
      [],
    ],
    ['locked to one that is not shown', sim('1', {}, { imeiLock: true }), ofSim, ['imeiLock']],
    [
      'with carriers',
      { ...sim('1'), carriers: [{ name: 'KDDI', allow: true, countryCode: 'JP' }] },
      { ...ofSim, carriers: [{ name: 'KDDI', allow: true }] },
      [],
    ],
    ['that may use no carrier', { ...sim('1'), carriers: [{ name: 'KDDI', allow: false }] }, ofSim, ['carriers']],
    ['on a gateway nobody knows', sim('1', {}, { registered: true, ip: '10.0.0.1' }), ofSim, ['gatewayRef']],
    ['with what has no place', sim('1', { tags: ['east'], description: 'spare' }), ofSim, ['description', 'tags']],
    ['without a status', unclear, { ...ofSim, activated: undefined }, ['activated']],
  ])('%s', (_, seen, spec, without) => {
    expect(made({ sims: [seen] })).toEqual({ spec, without });
  });

  it('refers to its gateway, and the gateway’s routes to it', () => {
    const truck = sim('1', {}, { registered: true, ip: '10.0.0.1' });
    const depot = gateway(
      '9',
      {},
      { sims: [onGateway(truck)], simRoutes: [{ resourceID: '1', prefix: '192.168.0.0/24' }] },
    );
    const { manifests, findings } = convert(pictureOf({ sims: [truck], gateways: [depot] }), all, options);
    expect(manifests.map(({ kind, name, spec }) => [kind, name, spec])).toEqual([
      [
        'MobileGateway',
        'depot-9',
        {
          zone: 'is1b',
          resourceID: '9',
          adoption: 'Required',
          displayName: 'depot-9',
          simRoutes: [{ prefix: '192.168.0.0/24', simRef: { name: 'truck-1' } }],
        },
      ],
      ['Sim', 'truck-1', { ...ofSim, gatewayRef: { name: 'depot-9' }, ipAddress: '10.0.0.1' }],
    ]);
    expect(findings).toEqual([]);
  });

  it('without its gateway, or a gateway without its SIMs, says what it cannot refer to', () => {
    const truck = sim('1', {}, { registered: true });
    const depot = gateway(
      '9',
      {},
      { sims: [onGateway(truck)], simRoutes: [{ resourceID: '1', prefix: '192.168.0.0/24' }] },
    );
    const picture = pictureOf({ sims: [truck], gateways: [depot] });
    const of = (wish: string) => convert(picture, selectionOf([parseWish(wish)], []), options);
    expect(
      [of('sim').findings, of('gateway').findings].map((list) => list.map(({ attribute, why }) => [attribute, why])),
    ).toEqual([
      [['gatewayRef', 'its gateway 9 is not among what is exported']],
      [['simRoutes', 'routes lead to SIMs that are not among what is exported, or not on this gateway: 1']],
    ]);
  });
});

const ofGateway = { zone: 'is1b', resourceID: '9', adoption: 'Required', displayName: 'depot-9' };
const network = { privateInterface: { ipAddress: '10.0.0.1', networkMaskLength: 24 } };
const monitoring = { quotaMB: 100, autoTrafficShaping: false, email: false, chat: false };

describe('a gateway', () => {
  it.each<[string, SeenGateway, object, string[]]>([
    ['with nothing set', gateway('9'), ofGateway, []],
    [
      'with connections',
      gateway('9', { settings: { internetConnection: true, interDeviceCommunication: false } }),
      { ...ofGateway, internetConnection: true },
      [],
    ],
    [
      'with a private network',
      gateway('9', { settings: { ...network, staticRoutes: [{ prefix: '192.168.0.0/24', nextHop: '10.0.0.9' }] } }),
      { ...ofGateway, ...network, staticRoutes: [{ prefix: '192.168.0.0/24', nextHop: '10.0.0.9' }] },
      [],
    ],
    [
      'with resolvers',
      gateway('9', {}, { dns: { primary: '8.8.8.8', secondary: '8.8.4.4' } }),
      { ...ofGateway, dns: { primary: '8.8.8.8', secondary: '8.8.4.4' } },
      [],
    ],
    [
      'with a quota',
      gateway('9', {}, { trafficMonitoring: monitoring }),
      { ...ofGateway, trafficMonitoring: { quotaMB: 100 } },
      [],
    ],
    [
      'that slows down to nothing',
      gateway('9', {}, { trafficMonitoring: { ...monitoring, autoTrafficShaping: true } }),
      ofGateway,
      ['trafficMonitoring'],
    ],
    [
      'whose webhook is not shown',
      gateway('9', {}, { trafficMonitoring: { ...monitoring, chat: true } }),
      ofGateway,
      ['trafficMonitoring'],
    ],
    ['on a switch', gateway('9', { interfaces: [null, { switch: { id: '5' } }] }), ofGateway, ['switch']],
  ])('%s', (_, seen, spec, without) => {
    expect(made({ gateways: [seen] })).toEqual({ spec, without });
  });

  it('has its webhook in a Secret, and nowhere else', () => {
    const url = 'https://chat.example.jp/hooks/canary';
    const seen = gateway('9', {}, { trafficMonitoring: { ...monitoring, chat: true, chatWebhookURL: url } });
    const exported = convert(pictureOf({ gateways: [seen] }), all, options);
    const report = reportOf(exported, {
      from: 'x',
      requests: { sent: 0, claimed: 0 },
      secretsFile: undefined,
      namespace: 'fleet',
      present: { same: ['Sim truck-1'], others: [] },
    });
    expect(exported.secrets.map(({ name, values }) => [name, values['url']?.reveal()])).toEqual([
      ['depot-9-chat-webhook', url],
    ]);
    expect(report).toContain('- depot-9-chat-webhook: url');
    expect(JSON.stringify(exported) + report).not.toContain('canary');
  });
});

const ofSite = { siteID: '7', displayName: 'www-7', origin: { webServer: { host: 'origin.example.jp' } } };

describe('a site', () => {
  it.each<[string, SeenSite, object, (string | undefined)[]]>([
    ['as it is at first', site('7'), ofSite, []],
    [
      'with everything set',
      site(
        '7',
        {
          requestProtocol: 2,
          originProtocol: 'https',
          hostHeader: 'h.example.jp',
          defaultCacheTTL: -1,
          varySupport: true,
          normalizeAE: 3,
          corsRules: [{ allowedOrigins: ['https://a.example.jp'] }],
        },
        ['deny all'],
      ),
      {
        ...ofSite,
        origin: { webServer: { host: 'origin.example.jp', hostHeader: 'h.example.jp', protocol: 'HTTPS' } },
        requestProtocol: 'RedirectToHTTPS',
        defaultCacheTTL: -1,
        vary: true,
        normalizeAcceptEncoding: 'BrotliAndGzip',
        cors: { allowedOrigins: ['https://a.example.jp'] },
        accessControl: ['deny all'],
      },
      [],
    ],
    ['from a bucket', site('7', { originType: 1, bucketName: 'b' }), { ...ofSite, origin: undefined }, ['origin']],
    ['with a one-time URL secret', site('7', { hasOneTimeURLSecret: true }), ofSite, ['oneTimeURLSecretRef']],
    ['with a protocol nobody knows', site('7', { requestProtocol: 9 }), ofSite, ['requestProtocol']],
    ['with a rule that is none', site('7', {}, ['maybe 192.0.2.1']), ofSite, ['accessControl']],
    ['with a guard token', site('7', { hasOriginGuardToken: true }), ofSite, ['originGuardToken']],
    ['with a certificate', site('7', { hasCertificate: true }), ofSite, ['certificate']],
    ['whose settings were not read', { site: site('7').site }, { siteID: '7', displayName: 'www-7' }, []],
  ])('%s', (_, seen, spec, without) => {
    expect(made({ sites: [seen] })).toEqual({ spec, without });
  });

  it('has a SiteCertificate where one is asked for, and the Secret it needs is listed', () => {
    const wishes = ['site', 'certificate'].map(parseWish);
    const { manifests, findings } = convert(
      pictureOf({ sites: [site('7', { hasCertificate: true }), site('8')] }),
      selectionOf(wishes, []),
      options,
    );
    expect(manifests.at(-1)).toMatchObject({
      kind: 'SiteCertificate',
      name: 'www-7',
      spec: { siteRef: { name: 'www-7' }, secretRef: { name: 'www-7-tls' } },
    });
    expect(findings).toMatchObject([
      {
        address: 'certificate of site 7 (www7.example.jp)',
        why: 'the service does not give out its key',
        advice: expect.stringContaining('Make the Secret www-7-tls of the type kubernetes.io/tls'),
      },
    ]);
  });
});

describe('each field of a spec', () => {
  const truck = {
    ...sim('1', {}, { registered: true, ip: '10.0.0.1', imeiLock: true, imei: '356938035643809' }),
    carriers: [{ name: 'KDDI', allow: true }],
  };
  const connected = { internetConnection: true, interDeviceCommunication: true, ...network };
  const depot = gateway(
    '9',
    { settings: { ...connected, staticRoutes: [{ prefix: '192.168.0.0/24', nextHop: '10.0.0.9' }] } },
    {
      sims: [onGateway(truck)],
      simRoutes: [{ resourceID: '1', prefix: '192.168.1.0/24' }],
      trafficMonitoring: monitoring,
      dns: { primary: '8.8.8.8', secondary: '8.8.4.4' },
    },
  );
  const changed = { requestProtocol: 2, defaultCacheTTL: -1, varySupport: true, normalizeAE: 3 };
  const www = site('7', { ...changed, corsRules: [{ allowsAnyOrigin: true }] }, ['deny all']);
  const { manifests } = convert(pictureOf({ sims: [truck], gateways: [depot], sites: [www] }), all, {
    ...options,
    accountRef: { kind: 'CloudAccount', name: 'default' },
    observe: true,
  });
  const specOf = (wanted: string) => manifests.find(({ kind }) => kind === wanted)?.spec ?? {};

  it.each([
    // What the operator alone does, and what creation alone takes.
    ['Sim', simSpec, ['deletionPolicy', 'passCodeSecretRef', 'dataLimit', 'expectOnlineWithin']],
    ['MobileGateway', gatewaySpec, ['deletionPolicy', 'planID']],
    // A site is named by its ID, and its secret is not shown.
    ['WebAccelSite', siteSpec, ['deletionPolicy', 'domain', 'oneTimeURLSecretRef']],
  ])(
    'of a %s is exported by src/export where the service has it, with everything set above, and these are not its own',
    (kind, { shape }, others) => {
      expect([...Object.keys(specOf(kind)), ...others].toSorted()).toEqual(Object.keys(shape).toSorted());
    },
  );
});

describe('what a person chooses', () => {
  it('is in every manifest', () => {
    const accountRef = { kind: 'ClusterCloudAccount', name: 'main' } as const;
    expect(made({ sims: [sim('1')] }, { accountRef, observe: true }).spec).toEqual({
      ...ofSim,
      accountRef,
      managementPolicy: 'Observe',
    });
  });

  it('gives the same names, whatever was chosen and however it was listed', () => {
    const sims = [
      sim('1', { name: 'Truck' }),
      sim('2', { name: 'truck' }),
      sim('3', { name: 'トラック' }),
      sim('4', { name: 'a.b_c' }),
    ];
    const names = (some: readonly SeenSim[], wishes: string[]) =>
      convert(pictureOf({ sims: some }), selectionOf(wishes.map(parseWish), []), options).manifests.map(
        ({ name }) => name,
      );
    expect(names(sims, [])).toEqual(['3', 'a.b-c', 'truck-1', 'truck-2']);
    expect(names(sims.toReversed(), ['sim/2'])).toEqual(['truck-2']);
  });

  it.each([
    ['server/1', 'there is no kind "server"'],
    ['account', 'account is nothing that an account has'],
    ['sim/', '"sim/" names nothing'],
  ])('and mistypes as %s is told', (text, message) => {
    expect(() => parseWish(text)).toThrow(message);
  });
});
