import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Operator } from '../../../src/operator/start.ts';
import { eventually } from '../../support/kubernetes.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld, type World } from '../../support/world.ts';

vi.setConfig({ maxConcurrency: 10 });

const ICCID = '8981040000000000017';
const SIM = ['Sim', 'truck-17'] as const;
const PAUSED = 'edgeline.dev/paused';
const existing = { seed: { sims: [{ id: '113300000017', iccid: ICCID, name: 'truck-17', activated: true }] } };
/** Seconds for which the service asks for silence. */
const SILENCE = 5;

let operator: Operator;
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(() => operator.stop());

function sim(world: World, accountRef: object | undefined, activated: boolean): object {
  const spec = { iccid: ICCID, adoption: 'Required', activated, ...(accountRef && { accountRef }) };
  const metadata = { name: 'truck-17', namespace: world.namespace };
  return { apiVersion: 'edgeline.dev/v1alpha1', kind: 'Sim', metadata, spec };
}

/** What is paused, and what the Sim then says. */
interface Case {
  readonly what: string;
  readonly target: (world: World) => readonly [kind: string, name: string];
  readonly account: (world: World) => readonly [kind: 'CloudAccount' | 'ClusterCloudAccount', name: string];
  readonly told: (world: World) => string;
}

const own = () => ['CloudAccount', 'default'] as const;
const cases: readonly Case[] = [
  {
    what: 'a CloudAccount',
    target: own,
    account: own,
    told: () =>
      'edgeline.dev/paused is set on the CloudAccount default: nothing is changed until the annotation is removed.',
  },
  {
    what: 'a ClusterCloudAccount',
    target: (world) => ['ClusterCloudAccount', world.namespace],
    account: (world) => ['ClusterCloudAccount', world.namespace],
    told: (world) =>
      `edgeline.dev/paused is set on the ClusterCloudAccount ${world.namespace}: nothing is changed until the annotation is removed.`,
  },
  {
    what: 'a namespace',
    target: (world) => ['Namespace', world.namespace],
    account: own,
    told: (world) =>
      `edgeline.dev/paused is set on the Namespace ${world.namespace}: nothing is changed until the annotation is removed.`,
  },
];

async function prepare({ account }: Case): Promise<{ world: World; ref: { kind: string; name: string } }> {
  const world = await createWorld(existing);
  const [kind, name] = account(world);
  if (kind === 'ClusterCloudAccount') {
    const { spec } = await world.get('CloudAccount', 'default');
    await world.apply({
      apiVersion: 'edgeline.dev/v1alpha1',
      kind,
      metadata: { name },
      spec: { ...spec, secretNamespace: world.namespace },
    });
    await world.delete('CloudAccount', 'default');
    await world.gone('CloudAccount', 'default');
  }
  const ref = { kind, name };
  await world.apply(sim(world, ref, true));
  await world.ready(...SIM);
  return { world, ref };
}

/** The account's list is taken four times a second: whoever asks nothing for so long stands still. */
async function expectSilence(world: World): Promise<void> {
  await world.forget();
  await sleep(1500);
  expect(await world.counts()).toEqual({});
}

describe.concurrent('when it is paused, everything stands still:', () => {
  it.each(cases)('$what, with a call that waits for its turn', async (one) => {
    const { world, ref } = await prepare(one);
    await world.simulator.fault({ route: 'GET /commonserviceitem', code: 429, retryAfter: SILENCE, count: 1 });
    await eventually(async () => expect((await world.simulator.faults())[0]?.fired).toBe(1));
    await world.forget();
    await world.apply(sim(world, ref, false));
    await sleep(1000);
    await world.annotate(...one.target(world), { [PAUSED]: 'true' });

    const told = await world.condition(...SIM, { type: 'Synced', status: 'False', reason: 'Paused' });
    expect(told.message).toBe(one.told(world));
    await world.condition(...one.account(world), { type: 'Ready', status: 'False', reason: 'Paused' });
    await sleep(SILENCE * 1000);
    expect(await world.counts()).toEqual({});

    await world.annotate(...one.target(world), { [PAUSED]: null });
    await eventually(async () => expect(await world.writes()).toEqual(['PUT /commonserviceitem/:id/sim/deactivate']));
    await world.ready(...SIM);
    await world.condition(...one.account(world), { type: 'Ready', status: 'True', reason: 'Verified' });
    await world.stop();
  });

  it.each(cases)('$what, while somebody changes the service and deletes the Sim', async (one) => {
    const { world } = await prepare(one);
    await world.annotate(...one.target(world), { [PAUSED]: 'yes, please' });
    await world.condition(...one.account(world), { type: 'Ready', status: 'False', reason: 'Paused' });
    await world.condition(...SIM, { type: 'Synced', status: 'False', reason: 'Paused' });
    expect((await world.get(...SIM)).status?.conditions?.find(({ type }) => type === 'Ready')?.status).toBe('True');
    await world.simulator.patch({ sims: { [ICCID]: { activated: false } } });
    await expectSilence(world);

    await world.delete(...SIM);
    const name = one.target(world).join(' ');
    await eventually(async () => {
      const { message } = await world.condition(...SIM, { type: 'Synced', status: 'False', reason: 'Paused' });
      expect(message).toBe(`Deletion waits because ${PAUSED} is set on the ${name}. Remove the annotation to go on.`);
    });
    await expectSilence(world);

    await world.annotate(...one.target(world), { [PAUSED]: 'false' });
    await world.gone(...SIM);
    await world.stop();
  });

  it('an account that is paused when it is made, until it no longer is', async () => {
    const world = await createWorld({ ...existing, account: false });
    await world.annotate('Namespace', world.namespace, { [PAUSED]: 'true' });
    await world.makeAccount();
    await world.apply(sim(world, undefined, true));
    await world.condition('CloudAccount', 'default', { type: 'Ready', status: 'False', reason: 'Paused' });
    await world.condition(...SIM, { type: 'Ready', status: 'False', reason: 'Paused' });
    await sleep(1500);
    expect(await world.counts()).toEqual({});
    await world.annotate('Namespace', world.namespace, { [PAUSED]: null });
    await world.ready(...SIM);
    await world.stop();
  });
});

it('a paused account keeps another of the same token from nothing', async () => {
  const world = await createWorld(existing);
  const neighbour = await createWorld({ at: world });
  await neighbour.apply(sim(neighbour, undefined, true));
  await neighbour.ready(...SIM);
  await world.annotate('CloudAccount', 'default', { [PAUSED]: 'true' });
  await world.condition('CloudAccount', 'default', { type: 'Ready', status: 'False', reason: 'Paused' });
  await world.simulator.patch({ sims: { [ICCID]: { activated: false } } });
  await eventually(async () => expect(await world.writes()).toEqual(['PUT /commonserviceitem/:id/sim/activate']));
  await neighbour.stop();
  await world.stop();
});
