import { expect, it } from 'vitest';
import * as z from 'zod';
import { digesterOf, identityOf } from '../../src/kinds/cloud-account/members.ts';
import { SecretValue } from '../../src/reconcile/secret-value.ts';
import { partial } from '../support/partial.ts';
import { certificateNamed } from './certificates.ts';
import { createVirtualFleet, iccidOf, type VirtualFleet } from './fleet.ts';

/** What somebody tries who has a namespace of their own, and may write all of it, statuses among it. */

const SECOND = 1000;
const GROUP = '/apis/edgeline.dev/v1alpha1';
const GATEWAY = { id: '113300000900', name: 'depot', zone: 'is1b' as const, instanceStatus: 'up' as const };
const SITE = { id: '113300900001', name: 'a', domain: 'a.example.jp', status: 'enabled' } as const;
const SHARED = { kind: 'ClusterCloudAccount', name: 'default' };
const PASS_CODE = { passCodeSecretRef: { name: 'pass-codes', key: 'code' } };
const base64 = (text: string) => Buffer.from(text).toString('base64');
const pathOf = (namespace: string, plural: string, name?: string) =>
  [`${GROUP}/namespaces/${namespace}/${plural}`, ...(name === undefined ? [] : [name])].join('/');
const simsAtService = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: String(113_300_500_000 + index),
    iccid: iccidOf(index),
    name: `old-${index}`,
    activated: true,
  }));

/** A Sim that the operator leaves alone, so that its status stays as its tenant writes it. */
function createPaused(fleet: VirtualFleet, name: string, number: number): void {
  fleet.create(pathOf('evil', 'sims'), {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: { name, annotations: { 'edgeline.dev/paused': 'true' } },
    spec: { iccid: iccidOf(number) },
  });
}

/** Writes it again and again: the operator may have another word. */
function forge(fleet: VirtualFleet, name: string, status: object, seconds = 0): void {
  const path = pathOf('evil', 'sims', name);
  const { uid } = fleet.read(path).metadata;
  const write = () => fleet.patch(`${path}/status`, { status: { uid, ...status } });
  write();
  for (let at = 10; at < seconds; at += 10) fleet.world.at(fleet.world.now() + at * SECOND, write);
}

async function restarted(fleet: VirtualFleet, first: { stop(restart: 'never'): void }): Promise<void> {
  first.stop('never');
  await fleet.world.run(fleet.world.now() + 60 * SECOND);
  fleet.world.start('second');
  await fleet.world.run(fleet.world.now() + 300 * SECOND);
}

it.each(['in a shared account', 'with an account of the same token'])(
  'records of SIMs that never were stop nobody’s creations: %s',
  async (how) => {
    const isShared = how === 'in a shared account';
    const fleet = createVirtualFleet({
      seeds: { victim: { sims: simsAtService(8) }, evil: {} },
      ...(isShared && { shared: 'victim' }),
    });
    const { world } = fleet;
    for (let index = 0; index < 8; index++) fleet.createSim('victim', `old-${index}`, index);
    const wrong = { accessToken: base64('token-victim'), accessTokenSecret: base64('wrong-secret') };
    if (!isShared) fleet.patch('/api/v1/namespaces/evil/secrets/credentials', { data: wrong });
    world.start('operator');
    await world.run(120 * SECOND);
    if (!isShared) {
      const identity = identityOf({ baseURL: 'https://service.example', accessToken: new SecretValue('token-victim') });
      const digest = digesterOf(partial({ accessTokenSecret: new SecretValue('wrong-secret') }));
      fleet.patch(`${pathOf('evil', 'cloudaccounts', 'default')}/status`, { status: { identity: digest(identity) } });
    }
    for (let index = 0; index < 3; index++) createPaused(fleet, `x-${index}`, 900 + index);
    await world.run(world.now() + 60 * SECOND);
    for (let index = 0; index < 3; index++) {
      const accountRef = isShared ? SHARED : { kind: 'CloudAccount', name: 'default' };
      const createdAt = '2020-01-01T00:00:00Z';
      forge(fleet, `x-${index}`, { id: `99900000000${index}`, iccid: iccidOf(900 + index), createdAt, accountRef });
    }
    await world.run(world.now() + 700 * SECOND);
    fleet.createSim('victim', 'new', 50, { ...PASS_CODE, activated: true });
    await world.run(world.now() + 600 * SECOND);
    expect([...fleet.waiting('victim')]).toEqual([]);
  },
);

it('deleted Sims that somebody’s finalizer keeps stop nobody’s creations after a restart', async () => {
  const fleet = createVirtualFleet({
    seeds: { edge: { sims: simsAtService(8) }, victim: {}, evil: {} },
    shared: 'edge',
  });
  const { world } = fleet;
  for (let index = 0; index < 8; index++) fleet.createSim('victim', `old-${index}`, index);
  const first = world.start('first');
  for (let index = 0; index < 3; index++) {
    fleet.create(pathOf('evil', 'sims'), {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'Sim',
      metadata: { name: `x-${index}`, finalizers: ['evil.example/keep'] },
      spec: { iccid: iccidOf(900 + index), ...PASS_CODE },
    });
  }
  await world.run(300 * SECOND);
  for (let index = 0; index < 3; index++) {
    world.apiserver.handle({ method: 'DELETE', path: pathOf('evil', 'sims', `x-${index}`), user: 'user' });
  }
  await world.run(world.now() + 600 * SECOND);
  expect(world.service.world('edge').sims.size).toBe(8);
  await restarted(fleet, first);
  fleet.createSim('victim', 'new', 50, { ...PASS_CODE, activated: true });
  await world.run(world.now() + 600 * SECOND);
  const { conditions } = fleet.read(`${GROUP}/clustercloudaccounts/default`).status;
  expect(conditions.map(({ type, reason }) => `${type} ${reason}`)).toEqual(['Ready Verified']);
  expect([...fleet.waiting('victim')]).toEqual([]);
});

it('an ID that a younger Sim names keeps no older one from registering its SIM', async () => {
  const fleet = createVirtualFleet({ seeds: { edge: {}, victim: {}, evil: {} }, shared: 'edge' });
  const { world } = fleet;
  world.start('operator');
  await world.run(60 * SECOND);
  fleet.createSim('victim', 'one', 1, { passCodeSecretRef: { name: 'later', key: 'code' } });
  await world.run(world.now() + 60 * SECOND);
  createPaused(fleet, 'one', 1);
  forge(fleet, 'one', { id: '1', accountRef: SHARED }, 1200);
  await world.run(world.now() + 60 * SECOND);
  const secret = { metadata: { name: 'later' }, data: { code: base64('virtual-pass-code') } };
  fleet.create('/api/v1/namespaces/victim/secrets', secret);
  await world.run(world.now() + 900 * SECOND);
  expect([...fleet.waiting('victim')]).toEqual([]);
});

it('two Sims swap their addresses, whoever has the ID of one of them in a status', async () => {
  const seeds = { edge: { sims: simsAtService(2), gateways: [GATEWAY] }, evil: {}, victim: {} };
  const fleet = createVirtualFleet({ seeds, shared: 'edge' });
  const { world } = fleet;
  createPaused(fleet, 'shadow', 77);
  fleet.create(pathOf('victim', 'mobilegateways'), {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'MobileGateway',
    metadata: { name: 'depot' },
    spec: { zone: 'is1b', resourceID: GATEWAY.id },
  });
  for (const index of [0, 1]) {
    fleet.createSim('victim', `s-${index}`, index, {
      gatewayRef: { name: 'depot' },
      ipAddress: `10.64.0.${index + 1}`,
    });
  }
  const first = world.start('first');
  await world.run(300 * SECOND);
  const { id, createdAt, gatewayID, ip } = fleet.read(pathOf('victim', 'sims', 's-1')).status;
  forge(fleet, 'shadow', { id, createdAt, registered: true, gatewayID, ip, accountRef: SHARED }, 2000);
  await restarted(fleet, first);
  fleet.patch(pathOf('victim', 'sims', 's-0'), { spec: { ipAddress: '10.64.0.2' } });
  fleet.patch(pathOf('victim', 'sims', 's-1'), { spec: { ipAddress: '10.64.0.1' } });
  await world.run(world.now() + 900 * SECOND);
  expect([...fleet.waiting('victim')]).toEqual([]);
});

it('nobody has the operator sign a record of the hour by what they write into a Secret', async () => {
  const own = { id: '113300900002', name: 'e', domain: 'e.example.jp', status: 'enabled' } as const;
  const fleet = createVirtualFleet({ seeds: { edge: { sites: [SITE, own] }, victim: {}, evil: {} }, shared: 'edge' });
  const { world } = fleet;
  const first = world.start('first');
  const site = { apiVersion: 'edgeline.dev/v1alpha1', kind: 'WebAccelSite', metadata: { name: 'one' } };
  fleet.create(pathOf('victim', 'webaccelsites'), { ...site, spec: { domain: SITE.domain, displayName: 'a' } });
  fleet.create('/api/v1/namespaces/evil/secrets', { metadata: { name: 'ask' }, data: { x: base64('first') } });
  const oneTimeURLSecretRef = { name: 'ask', key: 'x' };
  fleet.create(pathOf('evil', 'webaccelsites'), { ...site, spec: { domain: own.domain, oneTimeURLSecretRef } });
  await world.run(300 * SECOND);
  const identity = identityOf({ baseURL: 'https://service.example', accessToken: new SecretValue('token-edge') });
  const record = { used: 500, limit: 500, recordedAt: '2099-01-01T00:00:00Z' };
  const text = ['budget', identity, 'CloudAccount/evil/x', record.used, record.limit, 0, null, record.recordedAt];
  const hint = (await signed(identity)).slice(0, 20);
  const signature = await signed(JSON.stringify(text));
  expect(signature).toMatch(/^[\w-]{43}$/);
  fleet.create(pathOf('evil', 'cloudaccounts'), {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'CloudAccount',
    metadata: { name: 'x', annotations: { 'edgeline.dev/paused': 'true' } },
    spec: { baseURL: 'https://elsewhere.example', credentialsSecretRef: { name: 'none' } },
  });
  await world.run(world.now() + 60 * SECOND);
  const budget = { ...record, identity: `${hint}.${signature}` };
  fleet.patch(`${pathOf('evil', 'cloudaccounts', 'x')}/status`, { status: { budget } });
  await restarted(fleet, first);
  fleet.patch(pathOf('victim', 'webaccelsites', 'one'), { spec: { displayName: 'changed' } });
  await world.run(world.now() + 300 * SECOND);
  expect([...fleet.waiting('victim', 'webaccelsites')]).toEqual([]);

  /** What the status keeps of a value. */
  async function signed(value: string): Promise<string> {
    fleet.patch('/api/v1/namespaces/evil/secrets/ask', { data: { x: base64(value) } });
    await world.run(world.now() + 300 * SECOND);
    return kept.parse(fleet.read(pathOf('evil', 'webaccelsites', 'one')).status).applied.oneTimeURLSecret;
  }
});

const kept = z.object({ applied: z.object({ oneTimeURLSecret: z.string() }) });

it('no certificate of another namespace comes on a site that somebody has', async () => {
  const fleet = createVirtualFleet({ seeds: { edge: { sites: [SITE] }, victim: {}, evil: {} }, shared: 'edge' });
  const { world } = fleet;
  world.start('operator');
  const meta = { apiVersion: 'edgeline.dev/v1alpha1', metadata: { name: 'one' } };
  const site = { ...meta, kind: 'WebAccelSite', spec: { domain: SITE.domain, enabled: true } };
  fleet.create(pathOf('victim', 'webaccelsites'), site);
  await world.run(300 * SECOND);
  for (const [namespace, certificate, spec] of [
    ['evil', certificateNamed('a-1'), { siteID: SITE.id }],
    ['victim', certificateNamed('a-2'), { siteRef: { name: 'one' } }],
  ] as const) {
    const data = { 'tls.crt': base64(certificate.chain), 'tls.key': base64(certificate.key) };
    const secret = { metadata: { name: 'tls' }, type: 'kubernetes.io/tls', data };
    fleet.create(`/api/v1/namespaces/${namespace}/secrets`, secret);
    const kind = 'SiteCertificate';
    fleet.create(pathOf(namespace, 'sitecertificates'), {
      ...meta,
      kind,
      spec: { ...spec, secretRef: { name: 'tls' } },
    });
    await world.run(world.now() + 600 * SECOND);
  }
  expect({
    evil: fleet.read(pathOf('evil', 'sitecertificates', 'one')).status.conditions[0]?.reason,
    waiting: [...fleet.waiting('victim', 'sitecertificates')],
    chain: world.service.world('edge').sites.get(SITE.id)?.current?.chain,
  }).toEqual({ evil: 'AlreadyManaged', waiting: [], chain: certificateNamed('a-2').chain });
});

it.each([false, true])(
  'who had a site’s certificate keeps it when somebody makes a WebAccelSite of the site elsewhere, restarted %s',
  async (isRestarted) => {
    const fleet = createVirtualFleet({ seeds: { edge: { sites: [SITE] }, victim: {}, evil: {} }, shared: 'edge' });
    const { world } = fleet;
    const first = world.start('first');
    const meta = { apiVersion: 'edgeline.dev/v1alpha1', metadata: { name: 'one' } };
    const { chain, key } = certificateNamed('a-1');
    const data = { 'tls.crt': base64(chain), 'tls.key': base64(key) };
    fleet.create('/api/v1/namespaces/victim/secrets', {
      metadata: { name: 'tls' },
      type: 'kubernetes.io/tls',
      data,
    });
    fleet.create(pathOf('victim', 'sitecertificates'), {
      ...meta,
      kind: 'SiteCertificate',
      spec: { siteID: SITE.id, secretRef: { name: 'tls' } },
    });
    await world.run(300 * SECOND);
    const site = { ...meta, kind: 'WebAccelSite', spec: { domain: SITE.domain } };
    fleet.create(pathOf('evil', 'webaccelsites'), site);
    await world.run(world.now() + 300 * SECOND);
    if (isRestarted) await restarted(fleet, first);
    const renewed = certificateNamed('a-2');
    const patch = { 'tls.crt': base64(renewed.chain), 'tls.key': base64(renewed.key) };
    fleet.patch('/api/v1/namespaces/victim/secrets/tls', { data: patch });
    await world.run(world.now() + 300 * SECOND);
    expect([...fleet.waiting('victim', 'sitecertificates'), ...fleet.waiting('evil', 'webaccelsites')]).toEqual([]);
    expect(world.service.world('edge').sites.get(SITE.id)?.current?.chain).toBe(renewed.chain);
  },
);

it('hundreds of accounts with a token and wrong secrets keep a second one with the right secret waiting for seconds', async () => {
  const fleet = createVirtualFleet({ seeds: { victim: {}, second: {}, evil: {} } });
  const { world } = fleet;
  world.start('operator');
  await world.run(60 * SECOND);
  for (let index = 0; index < 100; index++) {
    const data = { accessToken: base64('token-victim'), accessTokenSecret: base64(`wrong-${index}`) };
    fleet.create('/api/v1/namespaces/evil/secrets', { metadata: { name: `s-${index}` }, data });
    fleet.create(pathOf('evil', 'cloudaccounts'), {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'CloudAccount',
      metadata: { name: `a-${index}` },
      spec: { baseURL: 'https://service.example', credentialsSecretRef: { name: `s-${index}` } },
    });
  }
  await world.run(world.now() + 300 * SECOND);
  const data = { accessToken: base64('token-victim'), accessTokenSecret: base64('secret-victim') };
  fleet.patch('/api/v1/namespaces/second/secrets/credentials', { data });
  await world.run(world.now() + 90 * SECOND);
  const { conditions } = fleet.read(pathOf('second', 'cloudaccounts', 'default')).status;
  expect(conditions.find(({ type }) => type === 'Ready')).toMatchObject({ status: 'True' });
});
