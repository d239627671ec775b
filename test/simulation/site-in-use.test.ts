import { expect, it } from 'vitest';
import { createVirtualFleet, type VirtualFleet } from './fleet.ts';

const SECOND = 1000;
const HOUR = 3600;
const GROUP = '/apis/edgeline.dev/v1alpha1/namespaces/fleet/webaccelsites';
const SITE = { id: '113300001001', name: 'www', domain: 'a.example.jp' };
const DENIED = 'deny 192.0.2.0/24';
const storage = { bucket: 'b', endpoint: 's3.example.jp', region: 'r', credentialsSecretRef: { name: 's3' } };
const BUCKET = {
  OriginType: 1,
  OriginProtocol: 'https',
  BucketName: 'b',
  S3Endpoint: 's3.example.jp',
  S3Region: 'r',
  AccessKeyID: 'k',
  SecretAccessKey: 's',
};

function fleetOf(seed: object = {}, others: readonly { readonly name: string }[] = []): VirtualFleet {
  const fleet = createVirtualFleet({ seeds: { fleet: { sites: [{ ...SITE, ...seed }, ...others] } } });
  const secret = (name: string, data: Record<string, string>) =>
    fleet.create('/api/v1/namespaces/fleet/secrets', {
      metadata: { name },
      data: Object.fromEntries(
        Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
      ),
    });
  secret('once', { key: 'one-time-secret' });
  secret('s3', { accessKeyID: 'key-id', secretAccessKey: 'secret-key' });
  return fleet;
}
const letPass = ({ world }: VirtualFleet, seconds: number) => world.run(world.now() + seconds * SECOND);
const make = (fleet: VirtualFleet, spec: object, name = 'www') =>
  fleet.create(GROUP, { apiVersion: 'edgeline.dev/v1alpha1', kind: 'WebAccelSite', metadata: { name }, spec });
const set = (fleet: VirtualFleet, spec: object) => fleet.patch(`${GROUP}/www`, { spec });
const siteOf = (fleet: VirtualFleet, id = SITE.id) => fleet.world.service.world('fleet').sites.get(id);
const edit = (fleet: VirtualFleet, site: object) => fleet.world.service.edit({ sites: { [SITE.domain]: site } });
const conditions = (fleet: VirtualFleet) => JSON.stringify(fleet.read(`${GROUP}/www`).status.conditions);

/** Somebody deletes the site, and makes one of the same domain. */
function makeAnew(fleet: VirtualFleet, more: object = {}): string {
  fleet.world.service.remove('sites', SITE.domain);
  return fleet.world.service.add('fleet', 'sites', { name: 'www', domain: SITE.domain, ...more });
}

it.each([
  ['a one-time URL secret', { oneTimeURLSecretRef: { name: 'once', key: 'key' } }, {}, 'OnetimeURLSecrets'],
  ['credentials of its bucket', { origin: { objectStorage: storage } }, { settings: BUCKET }, 'SecretAccessKey'],
])('a site that was made anew under its domain is sent %s', async (_, spec, more, sent) => {
  const fleet = fleetOf();
  fleet.world.start('operator');
  make(fleet, { domain: SITE.domain, ...spec });
  await letPass(fleet, 120);
  const bodies: string[] = [];
  fleet.world.onMessage((moment, { to, verb, body = '' }) => {
    if (moment === 'arrived' && to === 'service' && verb === 'PUT') bodies.push(body);
  });
  makeAnew(fleet, more);
  await letPass(fleet, HOUR);
  expect([bodies.filter((body) => body.includes(sent)).length, [...fleet.waiting('fleet', 'webaccelsites')]]).toEqual([
    1,
    [],
  ]);
});

it.each([0, 1800])('nothing is unset on a site that was made anew under its domain, %i s later', async (seconds) => {
  const fleet = fleetOf();
  fleet.world.start('operator');
  make(fleet, { domain: SITE.domain, vary: true, defaultCacheTTL: 60, accessControl: [DENIED] });
  await letPass(fleet, 120);
  fleet.world.service.remove('sites', SITE.domain);
  await letPass(fleet, seconds);
  set(fleet, { defaultCacheTTL: null, accessControl: null });
  const settings = { DefaultCacheTTL: 777 };
  const id = fleet.world.service.add('fleet', 'sites', {
    ...SITE,
    id: undefined,
    settings,
    accessControl: ['deny all'],
  });
  await letPass(fleet, HOUR);
  expect(siteOf(fleet, id)).toMatchObject({ settings: { ...settings, VarySupport: 1 }, acl: 'deny all' });
});

it('a site that is disabled stays so in the status when its access control list was answered', async () => {
  const fleet = fleetOf();
  fleet.world.start('operator');
  make(fleet, { domain: SITE.domain, vary: true });
  await letPass(fleet, 500);
  edit(fleet, { status: 'disabled' });
  await letPass(fleet, 400);
  set(fleet, { accessControl: [DENIED] });
  await letPass(fleet, 20);
  expect(conditions(fleet)).toContain('Disabled');
});

it('a list that is newly wanted, and was removed by hand, is set though a setting is sent with it', async () => {
  const fleet = fleetOf({ accessControl: [DENIED] });
  fleet.world.start('operator');
  make(fleet, { domain: SITE.domain, vary: false });
  await letPass(fleet, 500);
  edit(fleet, { accessControl: [] });
  set(fleet, { accessControl: [DENIED], vary: true });
  await letPass(fleet, 60);
  expect(siteOf(fleet)).toMatchObject({ acl: DENIED, settings: { VarySupport: 1 } });
});

it('what was refused because of an old reading is sent as it has to be once a later one shows why', async () => {
  const fleet = fleetOf({ settings: { Origin: 'o1.example.jp' } });
  fleet.world.start('operator');
  make(fleet, { domain: SITE.domain, vary: true, origin: { webServer: { host: 'o1.example.jp' } } });
  await letPass(fleet, 500);
  edit(fleet, { settings: BUCKET });
  set(fleet, { origin: { webServer: { host: 'o2.example.jp' } } });
  await letPass(fleet, 10);
  expect(conditions(fleet)).toContain('Rejected');
  await letPass(fleet, HOUR);
  expect([...fleet.waiting('fleet', 'webaccelsites')]).toEqual([]);
});

it('what was approved is not carried out where it is no longer what the approver was shown', async () => {
  const fleet = fleetOf({ accessControl: [DENIED] });
  const { world, patch, read } = fleet;
  world.start('operator');
  make(fleet, { domain: SITE.domain, vary: false });
  await letPass(fleet, HOUR);
  set(fleet, { managementPolicy: 'ApproveChanges', accessControl: ['deny 198.51.100.0/24'] });
  await letPass(fleet, 60);
  const hash = JSON.stringify(read(`${GROUP}/www`).status).match(/"hash":"([^"]+)"/)?.[1];
  await letPass(fleet, 90);
  edit(fleet, { accessControl: ['deny 203.0.113.0/24'] });
  patch(`${GROUP}/www`, { metadata: { annotations: { 'edgeline.dev/approve': hash } } });
  await letPass(fleet, 20);
  const shown = JSON.stringify(read(`${GROUP}/www`).status).match(/"hash":"([^"]+)"/)?.[1];
  expect([siteOf(fleet)?.acl, shown === hash]).toEqual(['deny 203.0.113.0/24', false]);
});

it.each([{ siteID: SITE.id }, { domain: SITE.domain }])(
  'a site that was deleted at the service is told to be gone with the next list, though each of many is read rarely: %o',
  async (spec) => {
    const others = Array.from({ length: 40 }, (_, index) => ({
      id: String(113_300_001_100 + index),
      name: `s${index}`,
      domain: `s${index}.example.jp`,
    }));
    const fleet = fleetOf({}, others);
    fleet.world.start('operator');
    make(fleet, spec);
    for (const { id, name } of others) make(fleet, { siteID: id }, name);
    await letPass(fleet, HOUR);
    expect([...fleet.waiting('fleet', 'webaccelsites')]).toEqual([]);
    fleet.world.service.remove('sites', SITE.domain);
    await letPass(fleet, 345);
    const told = fleet.read(`${GROUP}/www`).status.conditions.map(({ type, status, reason }) => [type, status, reason]);
    expect([[...fleet.waiting('fleet', 'webaccelsites')], told]).toEqual([
      ['www'],
      [
        ['Ready', 'False', 'SiteNotFound'],
        ['Synced', 'False', 'SiteNotFound'],
        ['Reconciling', 'True', 'SiteNotFound'],
      ],
    ]);
  },
);
