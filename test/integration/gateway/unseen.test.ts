import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operator } from '../../../src/operator/start.ts';
import { eventually } from '../../support/kubernetes.ts';
import { startTestOperator } from '../../support/operator.ts';
import type { World } from '../../support/world.ts';
import { adopted, DEPOT, GATEWAY_ID, gatewayWorld, lookAgain, PATIENCE, putDNS, settleGateways } from './support.ts';

const dns = { primary: '8.8.8.8', secondary: '8.8.4.4' };
const others = { primary: '1.1.1.1', secondary: '1.0.0.1' };
const send = putDNS('8.8.8.8', '8.8.4.4');

async function atService(world: World): Promise<unknown> {
  return (await world.simulator.state()).gateways[GATEWAY_ID]?.['dns'];
}

/** A world whose gateway has resolvers that the Documented dialect does not show. */
async function worldWith(spec: object): Promise<World> {
  const world = await gatewayWorld({ dialect: 'Documented' });
  await world.apply(adopted({ dns, ...spec }));
  await world.condition(...DEPOT, { type: 'Ready', status: 'True', reason: '*' });
  return world;
}

describe('resolvers that the service does not show', () => {
  let operator: Operator;
  beforeAll(async () => {
    // An hour is over in three seconds.
    operator = await startTestOperator({ detailPace: 1200 });
  });
  afterAll(() => operator.stop());

  it('are sent again after an hour, which is nobody’s news and keeps the gateway Ready', async () => {
    const world = await worldWith({});
    await eventually(async () => expect(await world.writes()).toEqual([send, send]), PATIENCE);
    await world.simulator.patch({ gateways: { [GATEWAY_ID]: { dns: others } } });
    await eventually(async () => expect(await atService(world)).toEqual(dns), PATIENCE);
    const told = (await world.events('depot')).filter(({ reason }) => reason !== 'Updated' && reason !== 'Adopted');
    expect(told.map(({ reason, count }) => [reason, count])).toEqual([['Ready', 1]]);
    await world.stop();
  });

  it('are never sent while the gateway is observed', async () => {
    const world = await worldWith({ managementPolicy: 'Observe' });
    const turns = async () =>
      (await world.requests()).filter(({ route }) => route === 'GET /appliance/:id/mobilegateway/simroutes').length;
    const before = await turns();
    await eventually(async () => expect(await turns()).toBeGreaterThan(before + 20), PATIENCE);
    expect(await world.writes()).toEqual([]);
    await world.stop();
  });
});

it('resolvers that the service does not show are sent again when a person asks, and not before the hour is over', async () => {
  const operator = await startTestOperator();
  const world = await worldWith({});
  await world.simulator.patch({ gateways: { [GATEWAY_ID]: { dns: others } } });
  await settleGateways(world);
  expect(await world.writes()).toEqual([send]);
  await lookAgain(world, ...DEPOT);
  await eventually(async () => expect(await atService(world)).toEqual(dns), PATIENCE);
  await settleGateways(world);
  expect(await world.writes()).toEqual([send, send]);
  await world.stop();
  await operator.stop();
});
