import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DriftTable } from '../../src/kinds/common/drift-table.ts';
import { gatewayDrift } from '../../src/kinds/mobile-gateway/drift-table.ts';
import { simDrift } from '../../src/kinds/sim/drift-table.ts';
import { certificateDrift } from '../../src/kinds/site-certificate/drift-table.ts';
import { siteDrift } from '../../src/kinds/web-accel-site/drift-table.ts';
import type { Operator } from '../../src/operator/start.ts';
import type { StatePatch } from '../../src/simulator/control/patch.ts';
import type { SiteSettings } from '../../src/simulator/model.ts';
import type { Seed } from '../../src/simulator/seed-schema.ts';
import { createIntermediate, createRoot, issue, tlsSecret } from '../support/certificates.ts';
import { eventually } from '../support/kubernetes.ts';
import { manifest, secret } from '../support/manifests.ts';
import { startTestOperator } from '../support/operator.ts';
import { createWorld, type World } from '../support/world.ts';

const PATIENCE = { timeoutSeconds: 60 };
const GATEWAY_ID = '113300000101';
const OTHER_GATEWAY_ID = '113300000102';
const ICCID = '8981040000000000017';
const SIM_ID = '113300000017';
const SITE_ID = '113300000301';
const BUCKET_ID = '113300000302';

let operator: Operator;
beforeAll(async () => {
  // Of a web acceleration hour, details take as much in a minute as otherwise in almost two hours.
  operator = await startTestOperator({ detailPace: 100 });
});
afterAll(() => operator.stop());

/** What somebody changes at the service, and what becomes of it. */
interface Case {
  readonly change: StatePatch;
  /** The member of the object at the service that is changed. */
  readonly member: string;
  /** Where it is told instead of put right: what the status has then. */
  readonly told?: object;
  /** The same: how it is changed back. */
  readonly back?: StatePatch;
}

/** One kind's object, all fields of which its spec gives. */
interface Subject {
  readonly world: World;
  readonly kind: string;
  readonly name: string;
  readonly table: Pick<DriftTable<never, never, string, string>, 'spec' | 'status'>;
  readonly cases: Readonly<Record<string, Case>>;
  readonly stored: () => Promise<Record<string, unknown> | undefined>;
  /** How many objects of the world take turns; default 1. */
  readonly objects?: number;
  /** Routes of the list and of the details that show it. */
  readonly list: string;
  readonly details: string;
}

/** Which of the table's fields can be changed at the service so that it shows. */
function visible({ spec }: Subject['table']): string[] {
  return Object.entries(spec).flatMap(([field, sight]) => (['spec', 'nothing'].includes(sight.in) ? [] : [field]));
}

/** How often drift was told as put right, and whether `field` was ever told of with what was found. */
async function corrections({ world, name }: Subject, field: string): Promise<{ times: number; isNamed: boolean }> {
  const events = (await world.events(name)).filter(({ reason }) => reason === 'DriftCorrected');
  return {
    times: events.reduce((sum, { count }) => sum + count, 0),
    isNamed: events.some(({ note }) => new RegExp(`^Found (.*; )?${topOf(field)}`).test(note)),
  };
}

/** Changes one field behind the operator's back, and sees it put right or told, after how many looks. */
async function disturb(subject: Subject, field: string): Promise<void> {
  const { world, kind, name, table, stored } = subject;
  const one = subject.cases[field];
  const sight = table.spec[field];
  if (!one || !sight || sight.in === 'nothing' || sight.in === 'spec') throw new Error(`${field} has no case`);
  // Of a spec edited since nothing counts as put right again and again, which would be ever more rarely.
  const { managementPolicy } = (await world.get(kind, name)).spec ?? {};
  await world.patch(kind, name, { spec: { managementPolicy: managementPolicy === undefined ? 'Manage' : null } });
  await world.ready(kind, name);
  const wanted = (await stored())?.[one.member];
  const before = await corrections(subject, field);
  await world.forget();
  // One look may be under way when it is changed, and the next shows it. Any further one is held: what is put right
  // meanwhile was noticed by those, however busy the machine is.
  const route = table.status[sight.in]?.from === 'list' ? subject.list : subject.details;
  await world.simulator.fault({ route, hold: true, skip: 2 * (subject.objects ?? 1) });
  await world.simulator.patch(one.change);
  const result = async () => {
    const { times, isNamed } = await corrections(subject, field);
    return {
      field,
      atService: (await stored())?.[one.member],
      status: (await world.get(kind, name)).status,
      isCorrected: times > before.times && isNamed,
      isWritten: (await world.writes()).length > 0,
    };
  };
  const expected = one.told
    ? { status: one.told, isCorrected: false, isWritten: false }
    : { atService: wanted, isCorrected: true, isWritten: true };
  await eventually(async () => expect(await result()).toMatchObject({ field, ...expected }), PATIENCE);
  await world.simulator.clearFaults();
  for (const { id } of await world.simulator.holds()) await world.simulator.release(id);
  if (one.back) await world.simulator.patch(one.back);
  await world.condition(kind, name, { type: 'Synced', status: 'True', reason: '*' });
}

/** What an event names: members of one object are put right together. */
function topOf(field: string): string {
  return field.startsWith('origin.') ? field.replaceAll('.', '\\.') : (field.split('.')[0] ?? field);
}

const cloudObjects: Seed = {
  gateways: [
    {
      id: GATEWAY_ID,
      name: 'depot',
      zone: 'is1b',
      internetConnection: true,
      interDeviceCommunication: true,
      privateInterface: { ipAddress: '10.0.0.1', networkMaskLength: 24 },
    },
    {
      id: OTHER_GATEWAY_ID,
      name: 'other',
      zone: 'is1b',
      privateInterface: { ipAddress: '10.0.0.1', networkMaskLength: 24 },
    },
  ],
  sims: [{ id: SIM_ID, iccid: ICCID, name: 'truck' }],
};

const gatewaySpec = {
  zone: 'is1b',
  resourceID: GATEWAY_ID,
  displayName: 'depot',
  planID: 2,
  internetConnection: true,
  interDeviceCommunication: true,
  privateInterface: { ipAddress: '10.0.0.1', networkMaskLength: 24 },
  staticRoutes: [{ prefix: '192.168.1.0/24', nextHop: '10.0.0.9' }],
  dns: { primary: '8.8.8.8', secondary: '8.8.4.4' },
  simRoutes: [{ prefix: '192.168.20.0/24', simRef: { name: 'truck' } }],
  trafficMonitoring: {
    quotaMB: 1000,
    autoTrafficShaping: true,
    bandwidthLimitKbps: 64,
    email: true,
    chatWebhookSecretRef: { name: 'chat', key: 'url' },
  },
};
const simSpec = {
  iccid: ICCID,
  displayName: 'truck',
  activated: true,
  gatewayRef: { name: 'depot' },
  ipAddress: '10.0.0.17',
  imeiLock: '356938035643809',
  carriers: [
    { name: 'KDDI', allow: true },
    { name: 'SoftBank', allow: false },
  ],
};

/** A world with a gateway and a SIM on it that are as their specs say. */
async function cloudWorld(): Promise<World> {
  const world = await createWorld({ prefix: 'drift', dialect: 'Extended', seed: structuredClone(cloudObjects) });
  await world.apply(secret('chat', { url: 'https://chat.example/hook' }));
  await world.apply(manifest('MobileGateway', 'depot', gatewaySpec));
  await world.apply(manifest('Sim', 'truck', simSpec));
  await world.ready('Sim', 'truck');
  await world.ready('MobileGateway', 'depot');
  return world;
}

describe('what somebody changes at the service behind the operator’s back', () => {
  it('is put right for every field of a Sim', { timeout: 300_000 }, async () => {
    const world = await cloudWorld();
    const change = (sim: NonNullable<StatePatch['sims']>[string]): StatePatch => ({ sims: { [SIM_ID]: sim } });
    const subject: Subject = {
      world,
      kind: 'Sim',
      name: 'truck',
      table: simDrift,
      list: 'GET /commonserviceitem',
      details: 'GET /commonserviceitem/:id/sim/network_operator_config',
      stored: async () => (await world.simulator.state()).sims[SIM_ID],
      cases: {
        displayName: { change: change({ name: 'stolen' }), member: 'name' },
        activated: { change: change({ activated: false }), member: 'activated' },
        gatewayRef: { change: change({ gatewayID: OTHER_GATEWAY_ID }), member: 'gatewayID' },
        ipAddress: { change: change({ ip: '10.0.0.99' }), member: 'ip' },
        imeiLock: { change: change({ imeiLock: '490154203237518' }), member: 'imeiLock' },
        carriers: {
          change: change({
            carriers: [
              { name: 'KDDI', allow: false },
              { name: 'SoftBank', allow: true },
            ],
          }),
          member: 'carriers',
        },
      },
    };
    expect(Object.keys(subject.cases)).toEqual(visible(subject.table));
    for (const field of Object.keys(subject.cases)) await disturb(subject, field);
    await world.stop();
  });

  it('is put right or told for every field of a MobileGateway', { timeout: 300_000 }, async () => {
    const world = await cloudWorld();
    const stored = async () => (await world.simulator.state()).gateways[GATEWAY_ID];
    type Change = NonNullable<StatePatch['gateways']>[string];
    const change = (gateway: Change): StatePatch => ({ gateways: { [GATEWAY_ID]: gateway } });
    const { internetConnection, interDeviceCommunication, privateInterface, staticRoutes } = gatewaySpec;
    const own = { internetConnection, interDeviceCommunication, privateInterface, staticRoutes };
    const settings = (other: Partial<typeof own>): Case => {
      const changed = { ...own, ...other };
      return { change: change({ settings: changed, applied: changed }), member: 'applied' };
    };
    const monitoring = (other: object): Case => ({
      change: change({
        trafficMonitoring: {
          quotaMB: 1000,
          autoTrafficShaping: true,
          bandwidthLimitKbps: 64,
          email: true,
          chat: true,
          chatURL: 'https://chat.example/hook',
          ...other,
        },
      }),
      member: 'trafficMonitoring',
    });
    const subject: Subject = {
      world,
      kind: 'MobileGateway',
      name: 'depot',
      table: gatewayDrift,
      list: 'GET /appliance',
      details: 'GET /appliance/:id/mobilegateway/simroutes',
      stored,
      cases: {
        displayName: {
          change: change({ name: 'stolen' }),
          member: 'name',
          back: change({ name: 'depot' }),
          told: {
            name: 'stolen',
            conditions: expect.arrayContaining([expect.objectContaining({ reason: 'DisplayNameNotChangeable' })]),
          },
        },
        internetConnection: settings({ internetConnection: false }),
        interDeviceCommunication: settings({ interDeviceCommunication: false }),
        'privateInterface.ipAddress': settings({ privateInterface: { ipAddress: '10.0.0.2', networkMaskLength: 24 } }),
        'privateInterface.networkMaskLength': settings({
          privateInterface: { ipAddress: '10.0.0.1', networkMaskLength: 16 },
        }),
        staticRoutes: settings({ staticRoutes: [] }),
        'dns.primary': { change: change({ dns: { primary: '1.1.1.1', secondary: '8.8.4.4' } }), member: 'dns' },
        'dns.secondary': { change: change({ dns: { primary: '8.8.8.8', secondary: '1.0.0.1' } }), member: 'dns' },
        simRoutes: { change: change({ simRoutes: [] }), member: 'simRoutes' },
        'trafficMonitoring.quotaMB': monitoring({ quotaMB: 1 }),
        'trafficMonitoring.autoTrafficShaping': monitoring({ autoTrafficShaping: false }),
        'trafficMonitoring.bandwidthLimitKbps': monitoring({ bandwidthLimitKbps: 1 }),
        'trafficMonitoring.email': monitoring({ email: false }),
        'trafficMonitoring.chatWebhookSecretRef': monitoring({ chatURL: 'https://stranger.example/hook' }),
      },
    };
    // Plans change neither at the service nor in the simulator.
    expect(Object.keys(subject.cases)).toEqual(visible(subject.table).filter((field) => field !== 'planID'));
    for (const field of Object.keys(subject.cases)) await disturb(subject, field);
    await world.stop();
  });

  it('is put right for every field of a WebAccelSite', { timeout: 300_000 }, async () => {
    const world = await createWorld({
      prefix: 'drift',
      dialect: 'Extended',
      settings: { webAccelLimit: 100_000 },
      seed: {
        sites: [
          { id: SITE_ID, name: 'www', domain: 'www.example.jp', settings: { Origin: 'origin.example.jp' } },
          { id: BUCKET_ID, name: 'files', domain: 'files.example.jp', settings: { Origin: 'origin.example.jp' } },
        ],
      },
    });
    await world.apply(secret('bucket', { accessKeyID: 'AKIA', secretAccessKey: 'wJalr' }));
    await world.apply(secret('one-time', { secret: 's3cr3t' }));
    await world.apply(
      manifest('WebAccelSite', 'www', {
        domain: 'www.example.jp',
        displayName: 'shop',
        requestProtocol: 'RedirectToHTTPS',
        origin: { webServer: { host: 'new.example.jp', hostHeader: 'www.example.jp', protocol: 'HTTPS' } },
        defaultCacheTTL: 60,
        vary: true,
        normalizeAcceptEncoding: 'BrotliAndGzip',
        cors: { allowedOrigins: ['https://a.example'] },
        oneTimeURLSecretRef: { name: 'one-time', key: 'secret' },
        accessControl: ['deny 192.0.2.0/24'],
      }),
    );
    await world.apply(
      manifest('WebAccelSite', 'files', {
        domain: 'files.example.jp',
        origin: {
          objectStorage: {
            bucket: 'files',
            endpoint: 's3.example.jp',
            region: 'jp-north-1',
            credentialsSecretRef: { name: 'bucket' },
            documentIndex: true,
          },
        },
        cors: { allowAnyOrigin: true },
      }),
    );
    await world.ready('WebAccelSite', 'www');
    await world.ready('WebAccelSite', 'files');
    const subject = (id: string, name: string, cases: Subject['cases']): Subject => ({
      world,
      kind: 'WebAccelSite',
      name,
      table: siteDrift,
      list: 'GET webaccel/site',
      details: 'GET webaccel/site/:id/acl',
      objects: 2,
      stored: async () => {
        const site = (await world.simulator.state()).sites[id];
        return site && { ...site, ...Object(site['settings']) };
      },
      cases,
    });
    const set = (
      id: string,
      settings: Partial<SiteSettings> & { OnetimeURLSecrets?: string },
      member: string,
    ): Case => ({
      change: { sites: { [id]: { settings } } },
      member,
    });
    const www = subject(SITE_ID, 'www', {
      displayName: set(SITE_ID, { Name: 'stolen' }, 'Name'),
      requestProtocol: set(SITE_ID, { RequestProtocol: 0 }, 'RequestProtocol'),
      'origin.webServer.host': set(SITE_ID, { Origin: 'stranger.example' }, 'Origin'),
      'origin.webServer.hostHeader': set(SITE_ID, { HostHeader: 'stranger.example' }, 'HostHeader'),
      'origin.webServer.protocol': set(SITE_ID, { OriginProtocol: 'http' }, 'OriginProtocol'),
      defaultCacheTTL: set(SITE_ID, { DefaultCacheTTL: 1 }, 'DefaultCacheTTL'),
      vary: set(SITE_ID, { VarySupport: 0 }, 'VarySupport'),
      normalizeAcceptEncoding: set(SITE_ID, { NormalizeAE: 1 }, 'NormalizeAE'),
      'cors.allowedOrigins': set(SITE_ID, { CORSRules: [{ AllowsAnyOrigin: true }] }, 'CORSRules'),
      oneTimeURLSecretRef: set(SITE_ID, { OnetimeURLSecrets: '' }, 'oneTimeURLSecrets'),
      accessControl: { change: { sites: { [SITE_ID]: { accessControl: [] } } }, member: 'acl' },
    });
    const files = subject(BUCKET_ID, 'files', {
      'origin.objectStorage.bucket': set(BUCKET_ID, { BucketName: 'stranger' }, 'BucketName'),
      'origin.objectStorage.endpoint': set(BUCKET_ID, { S3Endpoint: 's3.stranger.example' }, 'S3Endpoint'),
      'origin.objectStorage.region': set(BUCKET_ID, { S3Region: 'elsewhere' }, 'S3Region'),
      'origin.objectStorage.documentIndex': set(BUCKET_ID, { DocIndex: 0 }, 'DocIndex'),
      'cors.allowAnyOrigin': set(BUCKET_ID, { CORSRules: [] }, 'CORSRules'),
    });
    expect([...Object.keys(www.cases), ...Object.keys(files.cases)].toSorted()).toEqual(visible(siteDrift).toSorted());
    for (const field of Object.keys(www.cases)) await disturb(www, field);
    for (const field of Object.keys(files.cases)) await disturb(files, field);
    await world.stop();
  });

  it('is put right for the certificate of a site, even one with the same dates', { timeout: 120_000 }, async () => {
    const issuer = await createIntermediate(await createRoot());
    const dates = { notBefore: Date.now() - 60_000, notAfter: Date.now() + 86_400_000 };
    const [own, other] = [
      await issue(issuer, ['www.example.jp'], dates),
      await issue(issuer, ['www.example.jp'], dates),
    ];
    const world = await createWorld({
      prefix: 'drift',
      settings: { webAccelLimit: 100_000 },
      seed: { sites: [{ id: SITE_ID, name: 'www', domain: 'www.example.jp' }] },
    });
    await world.apply(tlsSecret('www-tls', own));
    await world.apply(manifest('SiteCertificate', 'www', { siteID: SITE_ID, secretRef: { name: 'www-tls' } }));
    await world.ready('SiteCertificate', 'www');
    const subject: Subject = {
      world,
      kind: 'SiteCertificate',
      name: 'www',
      table: certificateDrift,
      list: 'GET webaccel/site',
      details: 'GET webaccel/site/:id/certificate',
      async stored() {
        const current = (await world.simulator.state()).sites[SITE_ID]?.['current'];
        return { chain: Object(current).chain };
      },
      cases: {
        secretRef: {
          change: { sites: { [SITE_ID]: { certificate: { chain: other.chain, key: other.key } } } },
          member: 'chain',
        },
      },
    };
    expect(Object.keys(subject.cases)).toEqual(visible(subject.table));
    await disturb(subject, 'secretRef');
    await world.stop();
  });
});

describe('what a spec does not say', () => {
  it('is told as it is and never touched', { timeout: 120_000 }, async () => {
    const world = await createWorld({ prefix: 'told', dialect: 'Extended', seed: structuredClone(cloudObjects) });
    await world.apply(manifest('Sim', 'truck', { iccid: ICCID }));
    await world.apply(manifest('MobileGateway', 'depot', { zone: 'is1b', resourceID: GATEWAY_ID }));
    await world.ready('Sim', 'truck');
    await world.ready('MobileGateway', 'depot');
    const carriers: NonNullable<NonNullable<StatePatch['sims']>[string]['carriers']> = [
      { name: 'KDDI', allow: false },
      { name: 'SoftBank', allow: true },
    ];
    const settings = {
      internetConnection: false,
      interDeviceCommunication: true,
      privateInterface: { ipAddress: '10.0.0.2', networkMaskLength: 16 },
      staticRoutes: [{ prefix: '192.168.1.0/24', nextHop: '10.0.0.9' }],
    };
    const dns = { primary: '1.1.1.1', secondary: '1.0.0.1' };
    const monitoring = { quotaMB: 7, autoTrafficShaping: true, bandwidthLimitKbps: 9, email: true, chat: false };
    await world.simulator.patch({
      sims: {
        [SIM_ID]: {
          name: 'moved',
          activated: true,
          gatewayID: GATEWAY_ID,
          ip: '10.0.0.42',
          imeiLock: '490154203237518',
          carriers,
        },
      },
      gateways: {
        [GATEWAY_ID]: {
          name: 'new name',
          instanceStatus: 'up',
          settings,
          applied: settings,
          dns,
          trafficMonitoring: { ...monitoring, chatURL: '' },
          simRoutes: [{ simID: SIM_ID, prefix: '192.168.20.0/24' }],
        },
      },
    });
    await eventually(async () => {
      expect((await world.get('Sim', 'truck')).status).toMatchObject({
        name: 'moved',
        activated: true,
        registered: true,
        ip: '10.0.0.42',
        imeiLock: { locked: true, imei: '490154203237518' },
        carriers: carriers.map((carrier) => expect.objectContaining(carrier)),
      });
      expect((await world.get('MobileGateway', 'depot')).status).toMatchObject({
        name: 'new name',
        instanceStatus: 'up',
        instanceStatusChangedAt: expect.any(String),
        wasUp: true,
        planID: 2,
        settings,
        dns,
        trafficMonitoring: monitoring,
        simRoutes: [{ prefix: '192.168.20.0/24', resourceID: SIM_ID }],
        sims: expect.objectContaining({ registered: 1 }),
      });
    }, PATIENCE);
    await world.settle();
    expect(await world.writes()).toEqual([]);
    await world.stop();
  });

  it('is told of a site, its being disabled among it', { timeout: 120_000 }, async () => {
    const world = await createWorld({
      prefix: 'told',
      dialect: 'Extended',
      settings: { webAccelLimit: 100_000 },
      seed: { sites: [{ id: SITE_ID, name: 'www', domain: 'www.example.jp' }] },
    });
    await world.apply(manifest('WebAccelSite', 'www', { domain: 'www.example.jp' }));
    await world.ready('WebAccelSite', 'www');
    await world.simulator.patch({
      sites: {
        [SITE_ID]: {
          status: 'disabled',
          settings: { Name: 'new', DefaultCacheTTL: 7, CORSRules: [{ AllowsAnyOrigin: true }] },
          accessControl: ['deny all'],
        },
      },
    });
    await eventually(async () => {
      expect((await world.get('WebAccelSite', 'www')).status).toMatchObject({
        status: 'disabled',
        settings: { displayName: 'new', defaultCacheTTL: 7, cors: { allowAnyOrigin: true } },
        accessControl: ['deny all'],
      });
    }, PATIENCE);
    expect(await world.writes()).toEqual([]);
    await world.stop();
  });
});
