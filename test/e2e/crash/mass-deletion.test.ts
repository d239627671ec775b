import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { simResource } from '../../../src/kinds/sim/schema.ts';
import { adminKubeconfig } from '../../support/control-plane.ts';
import { eventually } from '../../support/kubernetes.ts';
import { createWorld, type Seen } from '../../support/world.ts';
import { type OperatorProcess, startOperatorProcess } from './operator-process.ts';

const COUNT = 1000;
const PATIENCE = { timeoutSeconds: 120 };

it('of 1,000 Sims deleted at once ten go at most, though the operator is killed again and again meanwhile', async () => {
  const seed = Array.from({ length: COUNT }, (_, index) => ({
    id: `1133${String(index).padStart(8, '0')}`,
    iccid: `898104000000000${String(index).padStart(4, '0')}`,
    name: `truck-${index}`,
  }));
  const world = await createWorld({ prefix: 'mass', seed: { sims: seed } });
  const start = () => startOperatorProcess(adminKubeconfig(), ['--namespaces', world.namespace]);
  const sims = async () => (await world.client.list<Seen>(simResource, world.namespace)).items;
  const saying = (reason: string, all: readonly Seen[]) =>
    all.filter(({ status }) => status?.conditions?.some(({ type, reason: is }) => type === 'Synced' && is === reason));
  let operator: OperatorProcess = start();
  for (const { name, iccid } of seed) {
    await world.apply({
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'Sim',
      metadata: { name },
      spec: { iccid, adoption: 'Required', deletionPolicy: 'Delete' },
    });
  }
  await eventually(async () => expect(saying('Available', await sims())).toHaveLength(COUNT), PATIENCE);
  await world.forget();

  // One after the other, as kubectl does, so that the first are let through before the many are seen.
  const deleting = (async () => {
    for (const { name } of seed) await world.delete('Sim', name);
  })();
  for (const pause of [40, 400, 900, 1500]) {
    await sleep(pause);
    await operator.kill();
    operator = start();
  }
  await deleting;
  await eventually(async () => {
    const left = await sims();
    expect(saying('DeletionHeld', left)).toHaveLength(left.length);
  }, PATIENCE);
  await operator.kill();
  const deleted = (await world.requests()).filter(({ method }) => method === 'DELETE').length;
  expect(deleted).toBeLessThanOrEqual(10);
  expect(await sims()).toHaveLength(COUNT - deleted);
  await world.stop();
}, 300_000);
