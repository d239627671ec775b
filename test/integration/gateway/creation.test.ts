import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Operator } from '../../../src/operator/start.ts';
import { eventually } from '../../support/kubernetes.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld, type World } from '../../support/world.ts';
import { DEPOT, gateway, ICCID, sim, stored, TRUCK } from './support.ts';

vi.setConfig({ maxConcurrency: 8 });

/** What was made shows after this long: longer than requests under way may take, shorter than the operator waits. */
const LATE = 8000;
const PATIENCE = { timeoutSeconds: 60 };

let operator: Operator;
beforeAll(async () => {
  operator = await startTestOperator({ shownSeconds: 12 });
});
afterAll(() => operator.stop());

const answerLost = { cut: true, when: 'after', count: 1 } as const;
const lateWorld = () =>
  createWorld({ prefix: 'creation', settings: { shownAfterCreate: LATE, allowDuplicateICCID: true } });
const truck = () => sim({ passCodeSecretRef: { name: 'pass-codes', key: 'code' } });

describe.concurrent('a creation whose answer got lost, at a service that shows late what was made', () => {
  it('makes one gateway, and says until when it looks for it', async () => {
    const world = await lateWorld();
    await world.simulator.fault({ route: 'POST /appliance', ...answerLost });
    await world.apply(gateway({ planID: 2 }));
    await eventually(async () => {
      const condition = await world.condition(...DEPOT, {
        type: 'Reconciling',
        status: 'True',
        reason: 'OutcomeUnknown',
      });
      expect(condition.message).toMatch(
        /^It is not known whether a creation of the gateway "depot" was carried out, and the service may show late what was made\. It is looked for until \S+Z before another is asked for\.$/,
      );
    }, PATIENCE);
    const { status } = await eventually(() => world.ready(...DEPOT), PATIENCE);
    const gateways = await stored(world);
    expect(gateways).toEqual([expect.objectContaining({ name: 'depot', id: status?.['id'] })]);
    expect(status).toMatchObject({ ownership: 'Created' });
    expect((await world.counts())['POST /appliance']).toBe(1);
    await world.stop();
  });

  it('leaves no gateway behind when the resource is deleted meanwhile', async () => {
    const world = await lateWorld();
    await world.simulator.fault({ route: 'POST /appliance', ...answerLost });
    await world.apply(gateway({ planID: 2 }));
    await world.condition(...DEPOT, { type: 'Reconciling', status: 'True', reason: 'OutcomeUnknown' });
    await world.delete(...DEPOT);
    await eventually(() => world.gone(...DEPOT), PATIENCE);
    expect(await stored(world)).toEqual([]);
    await world.stop();
  });

  it('makes one SIM', async () => {
    const world = await lateWorld();
    await world.simulator.fault({ route: 'POST /commonserviceitem', ...answerLost });
    await world.apply(truck());
    await eventually(() => world.ready(...TRUCK), PATIENCE);
    const { sims } = await world.simulator.state();
    expect(Object.values(sims).map((one) => one?.['iccid'])).toEqual([ICCID]);
    expect((await world.get(...TRUCK)).status).toMatchObject({ ownership: 'Created' });
    await world.stop();
  });

  it('leaves no SIM behind when the resource is deleted meanwhile', async () => {
    const world = await lateWorld();
    await world.simulator.fault({ route: 'POST /commonserviceitem', ...answerLost });
    await world.apply(truck());
    await world.condition(...TRUCK, { type: 'Reconciling', status: 'True', reason: 'OutcomeUnknown' });
    await world.delete(...TRUCK);
    await eventually(() => world.gone(...TRUCK), PATIENCE);
    expect((await world.simulator.state()).sims).toEqual({});
    await world.stop();
  });
});

describe.concurrent('what was created moments ago, shown once and then hidden', () => {
  const others = [1, 2, 3, 4].map((n) => ({ id: `11330000010${n}`, name: `other-${n}`, zone: 'is1b' as const }));
  const otherSims = [1, 2, 3, 4].map((n) => ({ iccid: `898104000000000010${n}` }));
  const hidden = { type: 'Reconciling', status: 'True', reason: 'NotShownYet' } as const;
  const depots = async (world: World) => (await stored(world)).filter(({ name }) => name === 'depot');

  /** Hides the gateway as soon as it is Ready; resolves to what shows it again. */
  async function hideGateway(world: World): Promise<() => Promise<unknown>> {
    await world.apply(gateway({ planID: 2 }));
    const { status } = await eventually(() => world.ready(...DEPOT), PATIENCE);
    const id = String(status?.['id']);
    const createdAt = String(status?.['createdAt']);
    await world.simulator.remove('gateways', id);
    return () => world.simulator.add('gateways', { id, name: 'depot', zone: 'is1b', planID: 2, createdAt });
  }

  async function hideSim(world: World): Promise<void> {
    await world.apply(truck());
    await eventually(() => world.ready(...TRUCK), PATIENCE);
    await world.simulator.remove('sims', ICCID);
  }

  it('is not made twice', async () => {
    const world = await createWorld({ prefix: 'hidden', seed: { gateways: others } });
    const show = await hideGateway(world);
    await eventually(() => world.condition(...DEPOT, hidden), PATIENCE);
    await show();
    await eventually(() => world.ready(...DEPOT), PATIENCE);
    expect([(await world.counts())['POST /appliance'], (await depots(world)).length]).toEqual([1, 1]);
    await world.stop();
  });

  it('is made anew when it stays away for longer', async () => {
    const world = await createWorld({ prefix: 'hidden', seed: { sims: otherSims } });
    await hideSim(world);
    await eventually(() => world.condition(...TRUCK, hidden), PATIENCE);
    await eventually(async () => expect((await world.counts())['POST /commonserviceitem']).toBe(2), PATIENCE);
    await eventually(() => world.ready(...TRUCK), PATIENCE);
    await world.stop();
  });

  it('is not waited for where this process deleted it', async () => {
    const world = await createWorld({ prefix: 'hidden', seed: { sims: otherSims } });
    await world.apply(truck());
    await eventually(() => world.ready(...TRUCK), PATIENCE);
    await world.simulator.fault({ route: 'DELETE /commonserviceitem/:id', code: 504, when: 'after', count: 1 });
    await world.delete(...TRUCK);
    await world.gone(...TRUCK);
    const { sims } = await world.simulator.state();
    expect(Object.values(sims).filter((one) => one?.['iccid'] === ICCID)).toEqual([]);
    await world.stop();
  });
});
