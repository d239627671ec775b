import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { gatewayResource } from '../../../src/kinds/mobile-gateway/schema.ts';
import { simResource } from '../../../src/kinds/sim/schema.ts';
import type { Resource } from '../../../src/kubernetes/resource.ts';
import type { Operator } from '../../../src/operator/start.ts';
import type { Seed } from '../../../src/simulator/seed-schema.ts';
import { eventually } from '../../support/kubernetes.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld, type Seen, type World } from '../../support/world.ts';

vi.setConfig({ maxConcurrency: 10 });

const ICCID = '8981040000000000017';
const SIM_ID = '113300000017';
const GATEWAY_ID = '113300000101';
const SIM = ['Sim', 'truck-17'] as const;
const DEPOT = ['MobileGateway', 'depot'] as const;
const passCodeSecretRef = { name: 'pass-codes', key: 'code' };
const hour = 3_600_000;
/** Objects of one ID and one time of creation are the same, whatever account shows them: each world has times of its own. */
let worlds = 0;
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds - 5000 * worlds++).toISOString();

/** A SIM in use, and the gateway it is on, both with more set at the service than the manifests say. */
function inUse(createdAt: string): Seed {
  return {
    gateways: [
      {
        id: GATEWAY_ID,
        name: 'depot',
        zone: 'is1b',
        internetConnection: true,
        privateInterface: { ipAddress: '10.0.0.1', networkMaskLength: 24 },
        staticRoutes: [{ prefix: '192.168.40.0/24', nextHop: '10.0.0.254' }],
        simRoutes: [{ sim: ICCID, prefix: '192.168.50.0/24' }],
        trafficMonitoring: { quotaMB: 1024, email: true },
        createdAt,
      },
    ],
    sims: [
      {
        id: SIM_ID,
        iccid: ICCID,
        name: 'truck',
        activated: true,
        gateway: 'depot',
        ip: '10.0.0.17',
        imeiLock: '356938035643809',
        carriers: [
          { name: 'KDDI', allow: true },
          { name: 'SoftBank', allow: false },
        ],
        createdAt,
      },
    ],
  };
}

let operator: Operator;
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(() => operator.stop());

interface Restored {
  readonly spec?: object;
  readonly status?: object;
  readonly annotations?: Record<string, string>;
  readonly finalizer?: string;
  readonly deleted?: boolean;
}

/**
 * Brings an object back as a restore does: with its finalizers, as a new object of the name. A status comes in a second
 * step, and the annotation `paused` keeps the operator from acting in between, as stopping it would.
 */
async function restore(world: World, resource: Resource, name: string, given: Restored): Promise<void> {
  const { client, namespace } = world;
  await world.ready('CloudAccount', 'default');
  await client.create(resource, namespace, {
    apiVersion: `${resource.group}/${resource.version}`,
    kind: resource.kind,
    metadata: {
      name,
      finalizers: [given.finalizer ?? 'edgeline.dev/create'],
      annotations: { 'edgeline.dev/paused': 'true', ...given.annotations },
    },
    spec: given.spec,
  });
  if (given.status) {
    await client.mergePatch(
      resource,
      namespace,
      name,
      { status: { uid: null, ...given.status } },
      { subresource: 'status' },
    );
  }
  if (given.deleted) await client.delete(resource, namespace, name);
}

const resume = (world: World, kind: string, name: string) =>
  world.annotate(kind, name, { 'edgeline.dev/paused': null });

async function stored(world: World, kind: 'sims' | 'gateways'): Promise<unknown[]> {
  return Object.values((await world.simulator.state())[kind]);
}

/** Nothing was written at the service, and both are there as they were. */
async function expectUntouched(world: World, before: unknown): Promise<void> {
  await world.settle();
  expect(await world.writes()).toEqual([]);
  expect({ sims: await stored(world, 'sims'), gateways: await stored(world, 'gateways') }).toEqual(before);
}

const atTheService = async (world: World) => ({
  sims: await stored(world, 'sims'),
  gateways: await stored(world, 'gateways'),
});

async function told(world: World, name: string, reason: string): Promise<string> {
  return eventually(async () => {
    const found = (await world.events(name)).find((event) => event.reason === reason);
    if (!found) throw new Error(`no event ${reason}`);
    return found.note;
  });
}

const minimal = { iccid: ICCID, passCodeSecretRef };

describe.concurrent('a Sim restored without its status', () => {
  it.each([
    ['two days', 48 * hour],
    ['a minute', 60_000],
  ])('leaves a SIM that is %s older as it is, and counts as having taken it over', async (_, age) => {
    const world = await createWorld({ seed: inUse(ago(age)) });
    const before = await atTheService(world);
    await restore(world, simResource, 'truck-17', { spec: minimal });
    await resume(world, ...SIM);
    const { status, metadata } = await world.ready(...SIM);
    expect(status).toMatchObject({ id: SIM_ID, ownership: 'Adopted' });
    expect(status).not.toHaveProperty('applied');
    expect(status).not.toHaveProperty('pending');
    expect(metadata.finalizers).toEqual(['edgeline.dev/adopt']);
    await expectUntouched(world, before);
    await world.delete(...SIM);
    await world.gone(...SIM);
    await expectUntouched(world, before);
    await world.stop();
  });

  it.each([
    ['two days', 48 * hour],
    ['a minute', 60_000],
  ])('and deleted before the first good pass leaves a SIM %s older, and says so', async (_, age) => {
    const world = await createWorld({ seed: inUse(ago(age)) });
    const before = await atTheService(world);
    await restore(world, simResource, 'truck-17', { spec: minimal, deleted: true });
    await resume(world, ...SIM);
    await world.gone(...SIM);
    expect(await told(world, 'truck-17', 'Orphaned')).toBe(
      `Let go; ${SIM_ID} stays at the service: nothing shows that this resource made it. With deletionPolicy: Delete it would have been deleted.`,
    );
    await expectUntouched(world, before);
    await world.stop();
  });

  it('and deleted with deletionPolicy: Delete deletes the SIM, for that was asked', async () => {
    const world = await createWorld({ seed: inUse(ago(48 * hour)) });
    await restore(world, simResource, 'truck-17', { spec: { ...minimal, deletionPolicy: 'Delete' }, deleted: true });
    await resume(world, ...SIM);
    await world.gone(...SIM);
    expect(await stored(world, 'sims')).toEqual([]);
    await world.stop();
  });

  it('does not press reconnect again', async () => {
    const world = await createWorld({ seed: inUse(ago(48 * hour)) });
    const before = await atTheService(world);
    await restore(world, simResource, 'truck-17', { spec: minimal, annotations: { 'edgeline.dev/reconnect-at': 'x' } });
    await resume(world, ...SIM);
    const { status } = await world.ready(...SIM);
    expect(status).toMatchObject({ lastHandledReconnectAt: 'x' });
    await expectUntouched(world, before);
    await world.stop();
  });
});

/** What the status of the Sim said where it was backed up. */
function backedUp(uid: string | undefined, at: string): object {
  const condition = { status: 'True', reason: 'Available', message: 'As it was.', lastTransitionTime: at };
  return {
    id: SIM_ID,
    ownership: 'Created',
    ...(uid !== undefined && { uid }),
    observedGeneration: 1,
    applied: { activated: true, imeiLock: '356938035643809' },
    pending: ['carriers'],
    conditions: ['Ready', 'Synced'].map((type) => ({ type, ...condition })),
  };
}

describe.concurrent('a Sim restored with the status of another cluster', () => {
  it.each([
    ['that names the object it was written for', 'cb1c3d33-0000-4000-8000-000000000000', 0],
    ['of a version that named none, older than the object', undefined, 48 * hour],
  ])('%s, leaves the SIM as it is, also when it is deleted', async (_, uid, age) => {
    const world = await createWorld({ seed: inUse(ago(48 * hour)) });
    const before = await atTheService(world);
    const at = ago(age).replace(/\.\d+Z$/, 'Z');
    await restore(world, simResource, 'truck-17', { spec: minimal, status: backedUp(uid, at) });
    await resume(world, ...SIM);
    const { status, metadata } = await world.ready(...SIM);
    await eventually(async () =>
      expect((await world.get(...SIM)).status).toMatchObject({ ownership: 'Adopted', uid: metadata.uid }),
    );
    expect(status?.['id']).toBe(SIM_ID);
    expect(await told(world, 'truck-17', 'Adopted')).toBe(
      `Took over ${SIM_ID}, which existed at the service. The status is of another resource, as after a restore: deletion leaves ${SIM_ID} unless deletionPolicy is Delete.`,
    );
    await expectUntouched(world, before);
    await world.delete(...SIM);
    await world.gone(...SIM);
    await expectUntouched(world, before);
    await world.stop();
  });

  it('and deleted before the operator has looked leaves the SIM', async () => {
    const world = await createWorld({ seed: inUse(ago(48 * hour)) });
    const before = await atTheService(world);
    const status = backedUp('cb1c3d33-0000-4000-8000-000000000000', ago(0).replace(/\.\d+Z$/, 'Z'));
    await restore(world, simResource, 'truck-17', { spec: minimal, status, deleted: true });
    await resume(world, ...SIM);
    await world.gone(...SIM);
    expect(await told(world, 'truck-17', 'Orphaned')).toBe(`Let go; ${SIM_ID} stays at the service.`);
    await expectUntouched(world, before);
    await world.stop();
  });

  it('keeps what was its own where the status is its own', async () => {
    const world = await createWorld();
    await world.apply({
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'Sim',
      metadata: { name: 'truck-17' },
      spec: minimal,
    });
    const { status, metadata } = await world.ready(...SIM);
    expect(status).toMatchObject({ ownership: 'Created', uid: metadata.uid });
    await world.stop();
  });
});

describe.concurrent('a MobileGateway restored without its status', () => {
  it('and given its resourceID leaves the gateway as it is', async () => {
    const world = await createWorld({ seed: inUse(ago(48 * hour)) });
    const before = await atTheService(world);
    await restore(world, gatewayResource, 'depot', { spec: { zone: 'is1b', planID: 2 } });
    await resume(world, ...DEPOT);
    await world.condition(...DEPOT, { type: 'Stalled', status: 'True', reason: 'CreationAmbiguous' });
    await world.patch(...DEPOT, { spec: { resourceID: GATEWAY_ID } });
    const { status, metadata }: Seen = await world.ready(...DEPOT);
    expect(status).toMatchObject({ id: GATEWAY_ID, ownership: 'Adopted' });
    expect(metadata.finalizers).toEqual(['edgeline.dev/adopt']);
    await expectUntouched(world, before);
    await world.delete(...DEPOT);
    await world.gone(...DEPOT);
    await expectUntouched(world, before);
    await world.stop();
  });

  it('and deleted with its resourceID before the first good pass leaves the gateway', async () => {
    const world = await createWorld({ seed: inUse(ago(48 * hour)) });
    const before = await atTheService(world);
    const spec = { zone: 'is1b', planID: 2, resourceID: GATEWAY_ID };
    await restore(world, gatewayResource, 'depot', { spec, deleted: true });
    await resume(world, ...DEPOT);
    await world.gone(...DEPOT);
    expect(await told(world, 'depot', 'Orphaned')).toContain(`Let go; ${GATEWAY_ID} stays at the service`);
    await expectUntouched(world, before);
    await world.stop();
  });

  it('or with the status of another cluster leaves the gateway as it is, also when it is deleted', async () => {
    const world = await createWorld({ seed: inUse(ago(48 * hour)) });
    const before = await atTheService(world);
    const at = ago(0).replace(/\.\d+Z$/, 'Z');
    const status = {
      ...backedUp('cb1c3d33-0000-4000-8000-000000000000', at),
      id: GATEWAY_ID,
      applied: { internetConnection: true },
      pending: ['trafficMonitoring'],
      configPending: true,
    };
    await restore(world, gatewayResource, 'depot', { spec: { zone: 'is1b', planID: 2 }, status });
    await resume(world, ...DEPOT);
    await eventually(async () =>
      expect((await world.get(...DEPOT)).status).toMatchObject({ id: GATEWAY_ID, ownership: 'Adopted' }),
    );
    await expectUntouched(world, before);
    await world.delete(...DEPOT);
    await world.gone(...DEPOT);
    await expectUntouched(world, before);
    await world.stop();
  });
});

describe.concurrent('a SIM that was taken over', () => {
  it('is nobody’s creation when it is back after a creation whose outcome is unknown', async () => {
    const world = await createWorld({ seed: { sims: [{ id: SIM_ID, iccid: ICCID, name: 'truck' }] } });
    await world.apply({
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'Sim',
      metadata: { name: 'truck-17' },
      spec: minimal,
    });
    expect((await world.ready(...SIM)).status).toMatchObject({ ownership: 'Adopted' });
    await world.simulator.fault({ route: 'POST /commonserviceitem', code: 500 });
    await world.simulator.remove('sims', ICCID);
    await told(world, 'truck-17', 'OutcomeUnknown');
    await world.simulator.add('sims', { id: SIM_ID, iccid: ICCID, name: 'truck' });
    await world.simulator.clearFaults();
    await eventually(async () =>
      expect((await world.ready(...SIM)).status).toMatchObject({ id: SIM_ID, ownership: 'Adopted' }),
    );
    expect((await world.get(...SIM)).metadata.finalizers).toEqual(['edgeline.dev/adopt']);
    await world.delete(...SIM);
    await world.gone(...SIM);
    expect(await stored(world, 'sims')).toHaveLength(1);
    await world.stop();
  });
});

describe.concurrent('a SIM that a person registers', () => {
  it('is not its own of a Sim whose SIM vanished and could not be made anew', async () => {
    const world = await createWorld();
    await world.apply({
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'Sim',
      metadata: { name: SIM[1] },
      spec: { iccid: ICCID, passCodeSecretRef },
    });
    await world.ready(...SIM);
    await world.delete('Secret', 'pass-codes');
    await world.simulator.remove('sims', ICCID);
    await world.condition(...SIM, { type: 'Ready', status: 'False', reason: 'PassCodeSecretNotFound' });
    await eventually(async () => expect((await world.get(...SIM)).metadata.finalizers).toBeUndefined());
    await world.simulator.add('sims', { iccid: ICCID, name: 'by hand', activated: true });
    await world.forget();
    const { status } = await world.ready(...SIM);
    expect(status).toMatchObject({ ownership: 'Adopted' });
    await world.delete(...SIM);
    await world.gone(...SIM);
    expect(await world.writes()).toEqual([]);
    await world.stop();
  });

  it('is not its own of a Sim restored without status where there was none', async () => {
    const world = await createWorld();
    await restore(world, simResource, SIM[1], { spec: { iccid: ICCID, adoption: 'Required' } });
    await resume(world, ...SIM);
    await world.condition(...SIM, { type: 'Ready', status: 'False', reason: 'AdoptionPending' });
    await world.simulator.add('sims', { iccid: ICCID, name: 'by hand', activated: true });
    expect((await world.ready(...SIM)).status).toMatchObject({ ownership: 'Adopted' });
    await world.delete(...SIM);
    await world.gone(...SIM);
    expect(await world.writes()).toEqual([]);
    await world.stop();
  });
});

describe.concurrent('a MobileGateway restored with a status that names what the account does not show', () => {
  it('is not made in its place until a person says that it is gone', async () => {
    const world = await createWorld();
    await restore(world, gatewayResource, 'depot', {
      spec: { zone: 'is1b', planID: 2 },
      status: {
        uid: 'cb1c3d33-0000-4000-8000-000000000000',
        id: GATEWAY_ID,
        createdAt: '2025-01-01T00:00:00Z',
        ownership: 'Created',
        availability: 'available',
      },
    });
    await resume(world, ...DEPOT);
    const { message } = await world.condition(...DEPOT, { type: 'Ready', status: 'False', reason: 'NotTheSame' });
    await world.settle();
    expect(await world.writes()).toEqual([]);
    const until = /accept-missing-until=(\S+)$/.exec(message)?.[1] ?? '';
    await world.annotate('CloudAccount', 'default', { 'edgeline.dev/accept-missing-until': until });
    await world.annotate(...DEPOT, { 'edgeline.dev/reconcile-at': '1' });
    await world.ready(...DEPOT);
    expect(await world.writes()).toEqual([expect.stringMatching(/^POST /)]);
    await world.stop();
  });
});
