import { expect, it } from 'vitest';
import { createVirtualFleet, iccidOf, type VirtualFleet } from './fleet.ts';

/** What somebody tries with accounts of their own, which show what others have, or can't be told at all. */

const SECOND = 1000;
const GROUP = '/apis/edgeline.dev/v1alpha1';
const OWN = { kind: 'CloudAccount', name: 'default' };
const base64 = (text: string) => Buffer.from(text).toString('base64');
const pathOf = (namespace: string, plural: string) => `${GROUP}/namespaces/${namespace}/${plural}`;

function createOne(
  fleet: VirtualFleet,
  kind: string,
  [namespace, plural]: readonly [string, string],
  spec: object,
  annotations: object = {},
): void {
  const metadata = { name: 'one', annotations };
  fleet.create(pathOf(namespace, plural), { apiVersion: 'edgeline.dev/v1alpha1', kind, metadata, spec });
}

/** Gives the attacker's resource, which is older, the record of the other one. */
function copyRecord(fleet: VirtualFleet, plural: string, accountRef: object): void {
  const { id, createdAt } = fleet.read(`${pathOf('victim', plural)}/one`).status;
  const path = `${pathOf('evil', plural)}/one`;
  const { uid } = fleet.read(path).metadata;
  fleet.patch(`${path}/status`, { status: { uid, id, createdAt, ownership: 'Created', accountRef } });
}

async function letPass(fleet: VirtualFleet, seconds: number): Promise<void> {
  await fleet.world.run(fleet.world.now() + seconds * SECOND);
}

const cases = [
  { kind: 'MobileGateway', plural: 'mobilegateways', spec: { zone: 'is1b', planID: 2 } },
  { kind: 'Sim', plural: 'sims', spec: { iccid: iccidOf(1) } },
  { kind: 'WebAccelSite', plural: 'webaccelsites', spec: { domain: 'a.example.jp' } },
].flatMap((one) => ['gone', 'default'].map((account) => ({ ...one, account })));

it.each(cases)(
  'after a restart, an older $kind with a copied record in the CloudAccount "$account" keeps nobody from their own',
  async ({ kind, plural, spec, account }) => {
    const site = { id: '113300900001', name: 'a', domain: 'a.example.jp', status: 'enabled' } as const;
    const fleet = createVirtualFleet({ seeds: { victim: { sites: [site] }, evil: {} } });
    const accountRef = { kind: 'CloudAccount', name: account };
    createOne(fleet, kind, ['evil', plural], { ...spec, accountRef }, { 'edgeline.dev/paused': 'true' });
    const first = fleet.world.start('first');
    await letPass(fleet, 60);
    const more = kind === 'Sim' && { passCodeSecretRef: { name: 'pass-codes', key: 'code' } };
    createOne(fleet, kind, ['victim', plural], { ...spec, ...more });
    await letPass(fleet, 600);
    expect([...fleet.waiting('victim', plural)]).toEqual([]);
    copyRecord(fleet, plural, accountRef);
    first.stop('never');
    await letPass(fleet, 60);
    fleet.world.start('second');
    await letPass(fleet, 900);
    expect([...fleet.waiting('victim', plural)]).toEqual([]);
  },
);

/** A service of the tenant's own, which shows what the victim has, is a second token of the same account here. */
it.each(['the shared account', 'an account of its own'])(
  'who shows what somebody has in %s, while that account can’t be used after a restart, does not keep it',
  async (how) => {
    const isShared = how === 'the shared account';
    const owner = isShared ? 'edge' : 'victim';
    const sims = [{ id: '113300500001', iccid: iccidOf(1), name: 'one', activated: true }];
    let isDown = false;
    const token = base64(`token-${owner}:secret-${owner}`);
    const fleet = createVirtualFleet({
      seeds: isShared ? { edge: { sims }, victim: {}, evil: {} } : { victim: { sims }, evil: {} },
      ...(isShared && { shared: 'edge' }),
      broken: (request) =>
        isDown && JSON.stringify(request).includes(token)
          ? { status: 503, headers: { 'content-type': 'application/json' }, body: '{}' }
          : undefined,
    });
    const data = { accessToken: base64(`token-${owner}-2`), accessTokenSecret: base64(`secret-${owner}-2`) };
    fleet.patch('/api/v1/namespaces/evil/secrets/credentials', { data });
    if (isShared) {
      fleet.create(pathOf('evil', 'cloudaccounts'), {
        apiVersion: 'edgeline.dev/v1alpha1',
        kind: 'CloudAccount',
        metadata: { name: 'default' },
        spec: { baseURL: 'https://service.example', credentialsSecretRef: { name: 'credentials' } },
      });
    }
    const spec = { iccid: iccidOf(1), managementPolicy: 'Observe' };
    createOne(fleet, 'Sim', ['evil', 'sims'], spec, { 'edgeline.dev/paused': 'true' });
    const first = fleet.world.start('first');
    await letPass(fleet, 60);
    fleet.createSim('victim', 'one', 1);
    await letPass(fleet, 300);
    expect([...fleet.waiting('victim')]).toEqual([]);
    first.stop('never');
    copyRecord(fleet, 'sims', OWN);
    fleet.patch(`${pathOf('evil', 'sims')}/one`, { metadata: { annotations: { 'edgeline.dev/paused': null } } });
    await letPass(fleet, 60);
    isDown = true;
    fleet.world.start('second');
    await letPass(fleet, 300);
    isDown = false;
    await letPass(fleet, 1800);
    expect([...fleet.waiting('victim')]).toEqual([]);
  },
);

it.each([false, true])(
  'what was abandoned and taken over stays with who has it when the first wants it back; after a restart: %s',
  async (restarts) => {
    const sims = [{ id: '113300500001', iccid: iccidOf(1), name: 'one', activated: true }];
    const fleet = createVirtualFleet({ seeds: { first: { sims }, second: {} }, shared: 'first' });
    const annotate = (value: string | null) =>
      fleet.patch(`${pathOf('first', 'sims')}/one`, { metadata: { annotations: { 'edgeline.dev/abandon': value } } });
    fleet.createSim('first', 'one', 1);
    const process = fleet.world.start('operator');
    await letPass(fleet, 60);
    fleet.createSim('second', 'one', 1);
    await letPass(fleet, 120);
    expect([[...fleet.waiting('first')], [...fleet.waiting('second')]]).toEqual([[], ['one']]);
    annotate('true');
    await letPass(fleet, 300);
    annotate(null);
    if (restarts) {
      process.stop('never');
      fleet.world.start('second operator');
    }
    await letPass(fleet, 300);
    expect([[...fleet.waiting('first')], [...fleet.waiting('second')]]).toEqual([['one'], []]);
  },
);

it('the token of a shared account can be exchanged, whatever somebody has written into a status beside the records of others', async () => {
  const sims = Array.from({ length: 5 }, (_, index) => ({
    id: String(113_300_500_000 + index),
    iccid: iccidOf(index),
    name: `old-${index}`,
    activated: true,
  }));
  const fleet = createVirtualFleet({ seeds: { edge: { sims }, victim: {}, evil: {} }, shared: 'edge' });
  const { world } = fleet;
  for (const index of sims.keys()) fleet.createSim('victim', `old-${index}`, index);
  createOne(fleet, 'Sim', ['evil', 'sims'], { iccid: iccidOf(900) }, { 'edgeline.dev/paused': 'true' });
  world.start('operator');
  await letPass(fleet, 120);
  const path = `${pathOf('evil', 'sims')}/one`;
  const { uid } = fleet.read(path).metadata;
  const record = { uid, id: '999000000000', createdAt: '2020-01-01T00:00:00Z', ownership: 'Created' };
  const accountRef = { kind: 'ClusterCloudAccount', name: 'default' };
  const write = () => fleet.patch(`${path}/status`, { status: { ...record, accountRef } });
  for (let at = 0; at < 1500; at += 10) world.at(world.now() + at * SECOND, write);
  await letPass(fleet, 120);
  const data = { accessToken: base64('token-edge-2'), accessTokenSecret: base64('secret-edge-2') };
  fleet.patch('/api/v1/namespaces/edge/secrets/credentials', { data });
  await letPass(fleet, 60);
  for (const index of sims.keys()) {
    const imeiLock = String(356_938_035_643_800 + index);
    fleet.patch(`${pathOf('victim', 'sims')}/old-${index}`, { spec: { imeiLock } });
  }
  await letPass(fleet, 1200);
  expect([...fleet.waiting('victim')]).toEqual([]);
});
