import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Operator } from '../../../src/operator/start.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld } from '../../support/world.ts';

const ICCID = '8981040000000000017';
const SIM = ['Sim', 'truck-17'] as const;

let operator: Operator;
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(() => operator.stop());

it('thousands of annotations that are not known are told as a few, once', async () => {
  const world = await createWorld({ seed: { sims: [{ id: '113300000017', iccid: ICCID, name: 'truck-17' }] } });
  const annotations = Object.fromEntries(
    Array.from({ length: 12_000 }, (_, number) => [`edgeline.dev/x${number.toString(36)}`, 'true']),
  );
  await world.apply({
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: { name: 'truck-17', annotations },
    spec: { iccid: ICCID, adoption: 'Required' },
  });
  await world.ready(...SIM);
  await world.settle();
  const told = async () => (await world.events('truck-17')).filter(({ reason }) => reason === 'Questionable');
  const before = await told();
  expect(before.map(({ count }) => count)).toEqual([1, 1, 1, 1]);

  await world.annotate(...SIM, { 'edgeline.dev/reconcile-at': 'now' });
  await world.settle();
  expect(await told()).toEqual(before);
  await world.stop();
});
