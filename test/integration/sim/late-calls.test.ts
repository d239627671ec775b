import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Operator } from '../../../src/operator/start.ts';
import { eventually } from '../../support/kubernetes.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld, type World } from '../../support/world.ts';

vi.setConfig({ maxConcurrency: 10 });

const ICCID = '8981040000000000017';
const SIM = ['Sim', 'truck-17'] as const;
const ITEM = '/commonserviceitem/:id';
const passCodeSecretRef = { name: 'pass-codes', key: 'code' };
/** Seconds for which the service asks for silence. */
const SILENCE = 5;

let operator: Operator;
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(() => operator.stop());

function sim(spec: object): object {
  return {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: { name: 'truck-17' },
    spec: { iccid: ICCID, passCodeSecretRef, ...spec },
  };
}

/** Has the service ask for silence, and makes a decision whose calls have to wait until it is over. */
async function decideInSilence(world: World, decide: () => Promise<void>, retryAfter = SILENCE): Promise<void> {
  await world.simulator.fault({ route: 'GET /commonserviceitem', code: 429, retryAfter, count: 1 });
  await eventually(async () => expect((await world.simulator.faults())[0]?.fired).toBe(1));
  await world.forget();
  await decide();
  // Long enough for the pass to plan its calls, and much shorter than the silence.
  await sleep(1000);
}

interface Change {
  readonly what: string;
  readonly decide: (world: World) => Promise<void>;
  readonly meanwhile: (world: World) => Promise<void>;
  readonly writes: readonly string[];
}

const deactivate = (world: World) => world.apply(sim({ activated: false }));

const changes: readonly Change[] = [
  {
    what: 'nothing is carried out',
    decide: deactivate,
    meanwhile: () => Promise.resolve(),
    writes: [`PUT ${ITEM}/sim/deactivate`],
  },
  {
    what: 'a pause is not',
    decide: deactivate,
    meanwhile: (world) => world.annotate(...SIM, { 'edgeline.dev/paused': 'true' }),
    writes: [],
  },
  {
    what: 'a spec put back is not',
    decide: deactivate,
    meanwhile: (world) => world.apply(sim({ activated: true })),
    writes: [],
  },
  {
    what: 'abandoning is not',
    decide: deactivate,
    meanwhile: (world) => world.annotate(...SIM, { 'edgeline.dev/abandon': 'true' }),
    writes: [],
  },
  {
    what: 'an account that points elsewhere is not',
    decide: deactivate,
    meanwhile: (world) => world.patch('CloudAccount', 'default', { spec: { baseURL: 'https://localhost:1' } }),
    writes: [],
  },
  {
    what: 'orphaning is not, when it was deleted',
    decide: (world) => world.delete(...SIM),
    meanwhile: (world) => world.patch(...SIM, { spec: { deletionPolicy: 'Orphan' } }),
    writes: [],
  },
  {
    what: 'abandoning is not, when it was deleted',
    decide: (world) => world.delete(...SIM),
    meanwhile: (world) => world.annotate(...SIM, { 'edgeline.dev/abandon': 'true' }),
    writes: [],
  },
];

describe.concurrent('a call that waits for its turn and is overtaken by', () => {
  it.each(changes)('$what', async ({ decide, meanwhile, writes }) => {
    const world = await createWorld();
    await world.apply(sim({ activated: true }));
    await world.ready(...SIM);
    await decideInSilence(world, () => decide(world));
    await meanwhile(world);
    await sleep(SILENCE * 1000 + 1500);
    expect(await world.writes()).toEqual(writes);
    const { sims } = await world.simulator.state();
    expect(Object.values(sims).map((one) => one?.['activated'])).toEqual([writes.length === 0]);
    await world.stop();
  });
});

it('a pass that waits for a service which wants nothing for a minute gives way at once to a person', async () => {
  const world = await createWorld();
  await world.apply(sim({ activated: true }));
  await world.ready(...SIM);
  await decideInSilence(world, () => deactivate(world), 60);
  const began = performance.now();
  await world.annotate(...SIM, { 'edgeline.dev/paused': 'true' });
  await world.condition(...SIM, { type: 'Synced', status: 'False', reason: 'Paused' });
  await world.annotate(...SIM, { 'edgeline.dev/paused': null, 'edgeline.dev/abandon': 'true' });
  await world.delete(...SIM);
  await world.gone(...SIM);
  expect((performance.now() - began) / 1000).toBeLessThan(20);
  await world.stop();
});
