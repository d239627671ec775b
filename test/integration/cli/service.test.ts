import { afterEach, describe, expect, it } from 'vitest';
import { runBudget } from '../../../src/cli/budget/run.ts';
import { type OpenOptions, openService, type ServiceAccess } from '../../../src/cli/service/open.ts';
import { openSession, type Session } from '../../../src/cli/session.ts';
import { type Account, cloudAccountResource } from '../../../src/kinds/cloud-account/schema.ts';
import { LEASES } from '../../../src/kubernetes/resource.ts';
import type { Operator } from '../../../src/operator/start.ts';
import { capture, kubeconfigWith } from '../../support/cli.ts';
import { eventually } from '../../support/kubernetes.ts';
import { ACCESS_TOKEN_SECRET } from '../../support/manifests.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld, type World } from '../../support/world.ts';
import { seededSite } from '../site/support.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const SITES = 30;
const LIMIT = 60;
const sites = Array.from({ length: SITES }, (_, number) => ({
  ...seededSite,
  id: String(113_300_001_000 + number),
  name: `u${number}`,
  domain: `u${number}.example.jp`,
}));

async function worldOf(): Promise<World> {
  const world = await createWorld({ prefix: 'access', seed: { sites }, settings: { webAccelLimit: LIMIT } });
  ends.push(() => world.stop());
  await world.patch('CloudAccount', 'default', { spec: { limits: { webAccelRequestsPerHour: LIMIT } } });
  return world;
}

async function operatorOf(world: World): Promise<Operator> {
  const operator = await startTestOperator({ namespaces: [world.namespace] });
  ends.push(() => operator.stop());
  await world.ready('CloudAccount', 'default');
  return operator;
}

async function open(
  world: World,
  options: OpenOptions = {},
  { as, trusted }: { as?: string; trusted?: string } = {},
): Promise<ServiceAccess> {
  const { namespace } = world;
  const environment = trusted === undefined ? {} : { EDGELINE_ALLOWED_HOSTS: trusted };
  const surroundings = { ...capture(), environment };
  const session: Session = await openSession(
    { kubeconfig: kubeconfigWith({ namespace, ...(as && { as }) }) },
    surroundings,
  );
  ends.push(() => session.close());
  const access = await openService(session, options, surroundings);
  ends.push(() => access.close());
  return access;
}

const hostOf = async (world: World) =>
  (await world.client.get<Account>(cloudAccountResource, world.namespace, 'default')).spec.baseURL;

const asked = async (world: World) => (await world.requests()).filter(({ route }) => route.includes('webaccel')).length;

const budget = async (world: World) =>
  (await world.client.get<Account>(cloudAccountResource, world.namespace, 'default')).status?.budget;

describe('a command and the operator together', () => {
  it('never send more than the hour holds, also if a command dies before it sends what it asked for', {
    timeout: 120_000,
  }, async () => {
    const world = await worldOf();
    await operatorOf(world);
    const access = await open(world);
    await access.reserve(20);
    // Another account with the same token has the same hour.
    const { spec } = await world.client.get<Account>(cloudAccountResource, world.namespace, 'default');
    await world.apply({ apiVersion: 'edgeline.dev/v1alpha1', kind: 'CloudAccount', metadata: { name: 'twin' }, spec });
    await world.ready('CloudAccount', 'twin');
    const killed = await open(world, { account: { kind: 'CloudAccount', name: 'twin' } });
    await killed.reserve(10);
    for (const { name, id } of sites) {
      await world.apply({
        apiVersion: 'edgeline.dev/v1alpha1',
        kind: 'WebAccelSite',
        metadata: { name },
        spec: { siteID: id },
      });
    }
    const { sites: found } = await access.reads.sites();
    for (const { id } of found.slice(0, 19)) await access.reads.site(id);
    expect(access.usage()).toEqual({ claimed: 20, sent: 20, most: 50 });
    // The operator would read all of the sites: it has 54 requests for that, less those.
    await eventually(async () => expect(await asked(world)).toBe(LIMIT * 0.9 - 10), { timeoutSeconds: 60 });
    await expect(access.reads.sites()).rejects.toMatchObject({
      message: expect.stringMatching(/has no room for 1 more web acceleration request: (5[4-9]|60) of the 60/),
    });
    await world.settle();
    expect(await asked(world)).toBe(LIMIT * 0.9 - 10);
    expect((await world.requests()).filter(({ status }) => status === 429)).toEqual([]);
  });

  it('are counted after a restart, too', async () => {
    const world = await worldOf();
    const operator = await operatorOf(world);
    await (await open(world)).reserve(15);
    expect(await budget(world)).toMatchObject({ used: 0, reserved: 15 });
    const shown = capture();
    const kubeconfig = kubeconfigWith({ namespace: world.namespace });
    await runBudget({ kubeconfig, account: undefined, output: 'json' }, shown);
    expect(JSON.parse(shown.said())).toMatchObject({ limit: 60, keptForChanges: 6, spent: 15, room: 39 });
    await operator.stop();
    await operatorOf(world);
    // With what is asked for then, the next process puts both on record anew.
    await (await open(world)).reserve(3);
    await eventually(async () => {
      const { used = 0, reserved = 0 } = (await budget(world)) ?? {};
      expect(used + reserved).toBe(18);
    });
  });
});

describe('a command without an operator', () => {
  it('may use what is on record, and is counted by the operator that comes', async () => {
    const world = await worldOf();
    const operator = await operatorOf(world);
    await operator.stop();
    await world.client.delete(LEASES, world.namespace, 'edgeline-holder');
    const access = await open(world);
    await access.reads.sites();
    await access.reserve(9);
    await operatorOf(world);
    // What was asked for counts as used once its time to be sent is over, as it is where the clock was set.
    const counted = async () => {
      const { used = 0, reserved = 0 } = (await budget(world)) ?? {};
      return used + reserved;
    };
    await eventually(async () => expect(await counted()).toBe(10));
    const { status } = await world.client.get<Account>(cloudAccountResource, world.namespace, 'default');
    expect(status?.allotments).toBeUndefined();
  });

  it('sends nothing where nothing is on record of a new account, and other areas all the same', async () => {
    const world = await worldOf();
    const access = await open(world, {}, { trusted: await hostOf(world) });
    await expect(access.reads.sites()).rejects.toMatchObject({
      message: expect.stringContaining('nothing is on record of what the CloudAccount default has used'),
    });
    expect(await access.reads.sims()).toEqual([]);
    expect(await access.reads.gateways()).toEqual([]);
    expect(await asked(world)).toBe(0);
  });
});

describe('an account', () => {
  it('that no operator has verified at its host sends its credentials nowhere', async () => {
    const world = await worldOf();
    const message = /^no operator has verified the credentials of the CloudAccount default at localhost:\d+ yet/;
    await expect(open(world)).rejects.toThrow(message);
    const operator = await operatorOf(world);
    await open(world);
    await operator.stop();
    // What anybody may write of whom its Secret is not to be read: another host, and all of a status but the proof.
    const { status } = await world.client.get<Account>(cloudAccountResource, world.namespace, 'default');
    await world.patch('CloudAccount', 'default', { spec: { baseURL: 'https://localhost:1' } });
    await expect(open(world)).rejects.toThrow('at localhost:1 yet, so they are not sent there');
    expect(status?.identity).toBeDefined();
  });

  it('that may not be opened, or cannot be, is told without a word of what is in its Secret', async () => {
    const world = await worldOf();
    const { namespace, client } = world;
    const role = { group: 'rbac.authorization.k8s.io', version: 'v1', namespaced: true };
    const rules = [{ apiGroups: ['edgeline.dev'], resources: ['cloudaccounts'], verbs: ['get'] }];
    await client.create({ ...role, plural: 'roles', kind: 'Role' }, namespace, { metadata: { name: 'looker' }, rules });
    await client.create({ ...role, plural: 'rolebindings', kind: 'RoleBinding' }, namespace, {
      metadata: { name: 'looker' },
      roleRef: { apiGroup: role.group, kind: 'Role', name: 'looker' },
      subjects: [{ kind: 'User', name: 'looker', apiGroup: role.group }],
    });
    // The apiserver knows of new roles a moment later.
    await eventually(async () => {
      const refused: unknown = await open(world, {}, { as: 'looker' }).catch((caught: unknown) => caught);
      expect(refused).toMatchObject({ message: `you may not get secrets in namespace ${namespace}` });
    });
    await expect(open(world, { account: { kind: 'CloudAccount', name: 'nobody' } })).rejects.toMatchObject({
      message: `there is no CloudAccount nobody in namespace ${namespace}`,
    });
    await world.delete('Secret', 'service-credentials');
    const error: unknown = await open(world).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ message: expect.stringContaining('There is no Secret service-credentials') });
    expect(JSON.stringify(error)).not.toContain(ACCESS_TOKEN_SECRET);
  });

  it('of the cluster is opened with the Secrets of its namespace, and by Digest', async () => {
    const world = await worldOf();
    const { spec } = await world.client.get<Account>(cloudAccountResource, world.namespace, 'default');
    const name = world.namespace;
    await world.apply({
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'ClusterCloudAccount',
      metadata: { name },
      spec: { ...spec, authentication: 'Digest', secretNamespace: world.namespace },
    });
    const trusted = await hostOf(world);
    const access = await open(world, { account: { kind: 'ClusterCloudAccount', name } }, { trusted });
    expect(await access.reads.sims()).toEqual([]);
    expect((await world.requests()).map(({ status }) => status)).toEqual([401, 200]);
  });
});
