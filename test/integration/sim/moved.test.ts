import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Operator } from '../../../src/operator/start.ts';
import { eventually } from '../../support/kubernetes.ts';
import { manifest } from '../../support/manifests.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld } from '../../support/world.ts';

const ICCID = '8981040000000000017';
const [DEPOT_ID, OTHER_ID, SIM_ID] = ['113300000101', '113300000102', '113300000017'];
const REGISTER = 'POST /appliance/:id/mobilegateway/sims';

let operator: Operator;
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(() => operator.stop());

it('a SIM that somebody puts into another gateway before any list showed it in its own is put back', async () => {
  const world = await createWorld({
    seed: {
      gateways: [
        { id: DEPOT_ID, name: 'depot', zone: 'is1b' },
        { id: OTHER_ID, name: 'other', zone: 'is1b' },
      ],
      sims: [{ id: SIM_ID, iccid: ICCID, name: 'truck' }],
    },
  });
  await world.apply(manifest('MobileGateway', 'depot', { zone: 'is1b', resourceID: DEPOT_ID }));
  await world.ready('MobileGateway', 'depot');
  await world.simulator.fault({ route: REGISTER, hold: true, when: 'after', count: 1 });
  await world.apply(manifest('Sim', 'truck', { iccid: ICCID, gatewayRef: { name: 'depot' } }));
  const [held] = await world.simulator.holds(20_000);
  await world.simulator.patch({ sims: { [SIM_ID]: { gatewayID: OTHER_ID } } });
  await world.simulator.release(held?.id ?? '');
  await eventually(async () => {
    const { sims } = await world.simulator.state();
    expect(sims[SIM_ID]?.['gatewayID']).toBe(DEPOT_ID);
  });
  const { status } = await world.ready('Sim', 'truck');
  expect(status).toMatchObject({ gatewayID: DEPOT_ID, applied: { gateway: { id: DEPOT_ID, simGroupID: DEPOT_ID } } });
  const writes = (await world.writes()).map((write) => write.split(' ').slice(0, 2).join(' '));
  expect(writes).toEqual([REGISTER, 'DELETE /appliance/:id/mobilegateway/sims/:id', REGISTER]);
  await world.stop();
});
