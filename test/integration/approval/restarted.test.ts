import { afterAll, expect, it } from 'vitest';
import { simResource } from '../../../src/kinds/sim/schema.ts';
import type { Operator } from '../../../src/operator/start.ts';
import { eventually } from '../../support/kubernetes.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld, type World } from '../../support/world.ts';

const ICCID = '8981040000000000017';
const SIM = ['Sim', 'truck-17'] as const;
const ITEM = '/commonserviceitem/:id';
const existing = { seed: { sims: [{ id: '113300000017', iccid: ICCID, name: 'old', activated: false }] } };
const pending = { type: 'Synced', status: 'False', reason: 'ApprovalPending' } as const;
const manifest = () => ({
  apiVersion: 'edgeline.dev/v1alpha1',
  kind: 'Sim',
  metadata: { name: 'truck-17' },
  spec: { iccid: ICCID, managementPolicy: 'Approve', activated: true, imeiLock: '356938035643809' },
});

let operator: Operator | undefined;
const stop = async () => {
  await operator?.stop();
  operator = undefined;
};
const start = async () => {
  operator = await startTestOperator();
};
afterAll(stop);

async function hashIn(world: World): Promise<string> {
  await world.condition(...SIM, pending);
  const { status } = await world.get(...SIM);
  const plan = status?.['plan'];
  if (typeof plan !== 'object' || plan === null || !('hash' in plan)) throw new Error('no plan waits');
  return String(plan.hash);
}

it('an approval stays good for the next process: before its calls are made, and for what is left of them', async () => {
  const world = await createWorld(existing);
  await start();
  await world.apply(manifest());
  const hash = await hashIn(world);
  await stop();
  await world.annotate(...SIM, { 'edgeline.dev/approve': hash });
  // The second call is held at the service until the process that sent it is gone.
  await world.simulator.fault({ route: `PUT ${ITEM}/sim/imeilock`, code: 423 });
  await start();
  await eventually(async () => expect(await world.writes()).toContain(`PUT ${ITEM}/sim/activate`));
  const held = await eventually(async () => {
    const { status } = await world.get(...SIM);
    expect(status?.['approval']).toMatchObject({ hash, calls: [expect.any(String)] });
    return status;
  });
  expect(held).not.toHaveProperty('plan');
  await stop();
  await world.simulator.clearFaults();
  await start();
  await world.ready(...SIM);
  expect((await world.writes()).filter((write) => write.includes('activate'))).toHaveLength(1);
  expect((await world.get(...SIM)).status).not.toHaveProperty('approval');
  await world.stop();
});

it('an approval that is taken back half-way stops what is left, which is asked for anew', async () => {
  const world = await createWorld(existing);
  if (!operator) await start();
  await world.apply(manifest());
  const hash = await hashIn(world);
  await world.simulator.fault({ route: `PUT ${ITEM}/sim/imeilock`, code: 423 });
  await world.annotate(...SIM, { 'edgeline.dev/approve': hash });
  await eventually(async () => expect(await world.writes()).toContain(`PUT ${ITEM}/sim/activate`));
  await world.annotate(...SIM, { 'edgeline.dev/approve': null });
  const next = await eventually(async () => {
    const { status } = await world.get(...SIM);
    expect(status?.['plan']).toMatchObject({ calls: [{ step: 'lockIMEI' }] });
    return hashIn(world);
  });
  await world.simulator.clearFaults();
  await world.forget();
  // The first one says nothing any more.
  await world.annotate(...SIM, { 'edgeline.dev/approve': hash });
  await world.settle();
  expect(await world.writes()).toEqual([]);
  await world.annotate(...SIM, { 'edgeline.dev/approve': next });
  await world.ready(...SIM);
  await world.stop();
});

it('what was approved once is asked for again when the status is lost', async () => {
  const world = await createWorld(existing);
  if (!operator) await start();
  await world.apply(manifest());
  const hash = await hashIn(world);
  await world.annotate(...SIM, { 'edgeline.dev/approve': hash });
  await world.ready(...SIM);
  await stop();
  await world.simulator.patch({ sims: { [ICCID]: { activated: false, imeiLock: null } } });
  await world.forget();
  const lost = { status: null };
  await world.client.mergePatch(simResource, world.namespace, 'truck-17', lost, { subresource: 'status' });
  await start();
  expect(await hashIn(world)).not.toBe(hash);
  await world.settle();
  expect(await world.writes()).toEqual([]);
  await world.stop();
});

it('what was approved once is asked for again when the spec was edited since and the status of then is put back', async () => {
  const world = await createWorld(existing);
  if (!operator) await start();
  await world.apply(manifest());
  const hash = await hashIn(world);
  const { status } = await world.get(...SIM);
  await world.annotate(...SIM, { 'edgeline.dev/approve': hash });
  await world.ready(...SIM);
  await stop();
  await world.simulator.patch({ sims: { [ICCID]: { activated: false, imeiLock: null } } });
  for (const expectOnlineWithin of ['30m', null]) await world.patch(...SIM, { spec: { expectOnlineWithin } });
  await world.forget();
  await world.client.mergePatch(simResource, world.namespace, 'truck-17', { status }, { subresource: 'status' });
  await start();
  await eventually(async () => expect(await hashIn(world)).not.toBe(hash));
  await world.settle();
  expect(await world.writes()).toEqual([]);
  await world.stop();
});

it('an approval is of the spec that was planned for: what another spec asks is asked for anew, also where it is a part', async () => {
  const imeiLock = '356938035643809';
  const world = await createWorld({
    seed: { sims: [{ id: '113300000017', iccid: ICCID, name: 'old', activated: true, imeiLock }] },
  });
  if (!operator) await start();
  await world.apply({
    ...manifest(),
    spec: { ...manifest().spec, activated: false, imeiLock: '356938035643817' },
  });
  const hash = await hashIn(world);
  await world.simulator.fault({ route: `PUT ${ITEM}/sim/deactivate`, code: 423 });
  await world.annotate(...SIM, { 'edgeline.dev/approve': hash });
  await eventually(async () =>
    expect((await world.get(...SIM)).status?.['approval']).toMatchObject({
      hash,
      calls: [expect.any(String), expect.any(String)],
    }),
  );
  // Nobody approved that the SIM is deactivated while its lock stays.
  await world.patch(...SIM, { spec: { imeiLock } });
  expect(await hashIn(world)).not.toBe(hash);
  await world.simulator.clearFaults();
  await world.forget();
  await world.settle();
  expect(await world.writes()).toEqual([]);
  await world.stop();
});
