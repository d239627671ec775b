import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { gatewayResource } from '../../src/kinds/mobile-gateway/schema.ts';
import { simResource } from '../../src/kinds/sim/schema.ts';
import { HOLDER_LEASE } from '../../src/kubernetes/holdings.ts';
import type { Lease } from '../../src/kubernetes/lease-object.ts';
import { LEASES, NAMESPACES } from '../../src/kubernetes/resource.ts';
import type { OperatorOptions } from '../../src/operator/options.ts';
import type { Operator } from '../../src/operator/start.ts';
import { eventually, testNamespace } from '../support/kubernetes.ts';
import { startTestOperator } from '../support/operator.ts';
import { createWorld, testClient, type World } from '../support/world.ts';

/** Long enough that no busy machine lets a Lease expire by itself. */
const LONG = 600;

const gateway = (spec: object = {}) => ({
  apiVersion: 'edgeline.dev/v1alpha1',
  kind: 'MobileGateway',
  metadata: { name: 'depot' },
  spec: { zone: 'is1b', planID: 2, ...spec },
});
const GATEWAY = ['MobileGateway', 'depot'] as const;

const running: Operator[] = [];

/** An installation with leader election, of a namespace of its own unless one is given. */
async function install(options: Partial<OperatorOptions> = {}): Promise<{ name: string; operator: Operator }> {
  const leaseNamespace = options.leaseNamespace ?? (await testNamespace('installation'));
  const operator = await startTestOperator({ leaderElect: true, holdSeconds: LONG, ...options, leaseNamespace });
  running.push(operator);
  return { name: `${leaseNamespace}/edgeline-operator`, operator };
}

async function uninstall({ operator }: { operator: Operator }): Promise<void> {
  running.splice(running.indexOf(operator), 1);
  await operator.stop();
}

async function holderOf(namespace: string): Promise<string | undefined> {
  const { spec } = await (await testClient()).get<Lease>(LEASES, namespace, HOLDER_LEASE);
  return spec?.holderIdentity;
}

/** A namespace that an installation holds of which nothing is left but its Lease. */
async function heldByTheGone(world: World): Promise<void> {
  const spec = { holderIdentity: 'gone/edgeline-operator', leaseDurationSeconds: LONG };
  await world.client.create(LEASES, world.namespace, { metadata: { name: HOLDER_LEASE }, spec });
}

const creations = async (world: World) =>
  (await world.writes()).filter((write) => write.startsWith('POST /appliance')).length;

afterEach(async () => {
  await Promise.all(running.splice(0).map((operator) => operator.stop()));
});

describe('two installations in one cluster', () => {
  it.each<[string, (namespace: string) => readonly [Partial<OperatorOptions>, Partial<OperatorOptions>]]>([
    ['both for the whole cluster', () => [{}, {}]],
    ['one for the whole cluster, one for the namespace', (namespace) => [{}, { namespaces: [namespace] }]],
    ['both for the namespace', (namespace) => [{ namespaces: [namespace] }, { namespaces: [namespace] }]],
  ])('that start in the same second, %s, never act on one namespace', async (_what, options) => {
    const world = await createWorld({ seed: {} });
    await world.apply(gateway());
    const both = await Promise.all(options(world.namespace).map((one) => install(one)));
    const { status } = await world.ready(...GATEWAY);
    await world.settle();
    const holder = await holderOf(world.namespace);
    const [held, other] = both[0]?.name === holder ? both : both.toReversed();
    expect([held?.name, await creations(world)]).toEqual([holder, 1]);
    const told = await eventually(async () => {
      const found = (await world.events('default')).find(({ reason }) => reason === 'HeldElsewhere');
      if (!found) throw new Error('the other one says nothing');
      return found;
    });
    expect(told.note).toContain(`The installation ${holder} of the operator looks after namespace ${world.namespace}`);
    expect(told.note).toContain(`${other?.name}, which is to do so too, does nothing there`);
    // A change is carried out, and answered, once.
    await world.patch(...GATEWAY, { spec: { description: 'moved' } });
    await world.ready(...GATEWAY);
    expect((await world.get(...GATEWAY)).status?.['id']).toBe(status?.['id']);
    await world.stop();
  });

  it('an installation goes on at once when it starts again, and another does not get in between', async () => {
    const world = await createWorld({ seed: {} });
    const first = await install();
    await world.apply(gateway());
    await world.ready(...GATEWAY);
    const [leaseNamespace] = first.name.split('/');
    await install();
    await uninstall(first);
    await world.patch(...GATEWAY, { spec: { description: 'while nobody was there' } });
    await sleep(1000);
    expect(await holderOf(world.namespace)).toBe(first.name);
    await install({ leaseNamespace });
    await world.ready(...GATEWAY);
    expect(await creations(world)).toBe(1);
    await world.stop();
  });

  it('what nobody renews falls to the other, which makes nothing twice', async () => {
    const world = await createWorld({ seed: {} });
    const first = await install({ holdSeconds: 6 });
    await world.apply(gateway());
    const { status } = await world.ready(...GATEWAY);
    const second = await install({ holdSeconds: 6 });
    await uninstall(first);
    await eventually(async () => expect(await holderOf(world.namespace)).toBe(second.name));
    await world.patch(...GATEWAY, { spec: { description: 'taken over' } });
    expect((await world.ready(...GATEWAY)).status?.['id']).toBe(status?.['id']);
    expect(await creations(world)).toBe(1);
    await world.stop();
  });

  it('what the holder leaves without an answer says so and what to do, which works', async () => {
    const world = await createWorld({ seed: {} });
    await heldByTheGone(world);
    const { name } = await install({ holdSeconds: 30 });
    await world.apply(gateway());
    const held = { type: 'Ready', status: 'False', reason: 'HeldElsewhere' } as const;
    const { message } = await world.condition(...GATEWAY, held);
    await world.condition('CloudAccount', 'default', held);
    expect(message).toBe(
      `The installation gone/edgeline-operator of the operator holds namespace ${world.namespace} and has not answered, so ${name} does nothing. ` +
        'Only one may look after a namespace: uninstall the other, or take the namespace from one of them. If gone/edgeline-operator is gone, ' +
        `${name} takes over 1 minute after it began to wait; at once after: kubectl -n ${world.namespace} delete lease ${HOLDER_LEASE}`,
    );
    expect((await world.get(...GATEWAY)).status?.['observedGeneration']).toBe(-1);
    expect(await world.requests()).toEqual([]);
    await world.client.delete(LEASES, world.namespace, HOLDER_LEASE);
    await world.ready(...GATEWAY);
    expect(await holderOf(world.namespace)).toBe(name);
    await world.stop();
  });

  it('what was approved, and carried out by another meanwhile, is asked for again', async () => {
    const iccid = '8981040000000000017';
    const SIM = ['Sim', 'truck-17'] as const;
    const world = await createWorld({ seed: { sims: [{ id: '113300000017', iccid, name: 'old', activated: false }] } });
    const { name } = await install();
    await world.apply({
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'Sim',
      metadata: { name: 'truck-17' },
      spec: { iccid, managementPolicy: 'Approve', activated: true },
    });
    const waiting = { type: 'Synced', status: 'False', reason: 'ApprovalPending' } as const;
    const hashOf = async () => {
      await world.condition(...SIM, waiting);
      return /--hash (\w+)/.exec((await world.condition(...SIM, waiting)).message)?.[1] ?? '';
    };
    const hash = await hashOf();
    await world.simulator.fault({ route: 'PUT /commonserviceitem/:id/sim/activate', code: 423 });
    await world.annotate(...SIM, { 'edgeline.dev/approve': hash });
    await eventually(async () => expect((await world.get(...SIM)).status?.['approval']).toMatchObject({ hash }));
    const taken = { spec: { holderIdentity: 'other/edgeline-operator', leaseDurationSeconds: LONG } };
    await world.client.mergePatch(LEASES, world.namespace, HOLDER_LEASE, taken);
    await eventually(async () => {
      const told = await world.events('default');
      expect(told.map(({ reason }) => reason)).toContain('HeldElsewhere');
    });
    // The other one has carried it out, and somebody has undone it since.
    const done = { status: { approval: null, applied: { activated: true } } };
    await world.client.mergePatch(simResource, world.namespace, 'truck-17', done, { subresource: 'status' });
    await world.simulator.clearFaults();
    await world.forget();
    await world.client.delete(LEASES, world.namespace, HOLDER_LEASE);
    await eventually(async () => expect(await holderOf(world.namespace)).toBe(name));
    expect(await hashOf()).not.toBe(hash);
    await world.settle();
    expect(await world.writes()).toEqual([]);
    await world.stop();
  });

  it('a call that waits is not made when another has taken the namespace', async () => {
    const world = await createWorld({ seed: {} });
    const { name } = await install();
    await world.apply(gateway());
    await world.ready(...GATEWAY);
    const lease = await world.client.get<Lease>(LEASES, world.namespace, HOLDER_LEASE);
    expect(lease.spec?.holderIdentity).toBe(name);
    await world.client.mergePatch(LEASES, world.namespace, HOLDER_LEASE, {
      spec: { holderIdentity: 'other/edgeline-operator' },
    });
    await sleep(500);
    await world.forget();
    await world.patch(...GATEWAY, { spec: { description: 'not by this one' } });
    await sleep(2000);
    expect(await world.requests()).toEqual([]);
    await world.stop();
  });

  it('a ClusterCloudAccount has one user, and whoever needs it elsewhere is told', async () => {
    const world = await createWorld({ seed: {} });
    const account = await world.get('CloudAccount', 'default');
    const other = await createWorld({ at: world, account: false });
    await heldByTheGone(world);
    const name = `shared-${world.namespace}`;
    await world.apply({
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'ClusterCloudAccount',
      metadata: { name },
      spec: { ...account.spec, secretNamespace: world.namespace },
    });
    await install();
    await other.apply(gateway({ accountRef: { kind: 'ClusterCloudAccount', name } }));
    const { message } = await other.condition(...GATEWAY, { type: 'Ready', status: 'False', reason: 'HeldElsewhere' });
    expect(message).toContain(`The ClusterCloudAccount ${name} is looked after by gone/edgeline-operator`);
    expect(await world.requests()).toEqual([]);
    await other.stop();
    await world.stop();
  });

  it('a namespace that is deleted is let go of by its holder, though its Lease goes first', async () => {
    const world = await createWorld({ seed: {} });
    await install();
    await world.apply(gateway());
    const { status } = await world.ready(...GATEWAY);
    await world.client.delete(NAMESPACES, undefined, world.namespace);
    await world.gone(...GATEWAY);
    expect((await world.simulator.state()).gateways[String(status?.['id'])]).toBeUndefined();
    expect((await world.client.list(gatewayResource, world.namespace)).items).toEqual([]);
    await world.stop();
  });
});
