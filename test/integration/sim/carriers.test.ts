import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Operator } from '../../../src/operator/start.ts';
import { eventually } from '../../support/kubernetes.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld, type World } from '../../support/world.ts';

vi.setConfig({ maxConcurrency: 10 });

const ICCID = '8981040000000000017';
const SIM = ['Sim', 'truck-17'] as const;
const CARRIERS = '/commonserviceitem/:id/sim/network_operator_config';
const passCodeSecretRef = { name: 'pass-codes', key: 'code' };

let operator: Operator;
beforeAll(async () => {
  // Seldom: what is found here is not to be found by the audit, which comes with each poll.
  operator = await startTestOperator({ simPollSeconds: 120 });
});
afterAll(() => operator.stop());

function sim(spec: object): object {
  const metadata = { name: 'truck-17' };
  return { apiVersion: 'edgeline.dev/v1alpha1', kind: 'Sim', metadata, spec: { iccid: ICCID, ...spec } };
}

type CarrierName = 'KDDI' | 'SoftBank' | 'NTT DOCOMO';
const carrier = (name: CarrierName, allow: boolean) => ({ name, allow });
const put = (...carriers: object[]) => `PUT ${CARRIERS} ${JSON.stringify({ network_operator_config: carriers })}`;

/** The carriers as the service has them. */
async function atService(world: World): Promise<unknown> {
  const { sims } = await world.simulator.state();
  return Object.values(sims).find((one) => one?.['iccid'] === ICCID)?.['carriers'];
}

/** The carriers as the status has them, without their countries. */
async function inStatus(world: World): Promise<unknown> {
  const { status } = await world.get(...SIM);
  const carriers: unknown = status?.['carriers'];
  return Array.isArray(carriers) ? carriers.map(({ name, allow }) => ({ name, allow })) : undefined;
}

describe.concurrent('carriers that a Sim does not list', () => {
  it('are left as a new SIM has them, and shown', async () => {
    const world = await createWorld();
    await world.apply(sim({ passCodeSecretRef, activated: true, carriers: [carrier('KDDI', true)] }));
    await world.ready(...SIM);
    const all = [carrier('KDDI', true), carrier('SoftBank', true)];
    expect(await atService(world)).toEqual(all);
    expect(await inStatus(world)).toEqual(all);
    const routes = (await world.writes()).map((write) => write.split(' ').slice(0, 2).join(' '));
    expect(routes).toEqual(['POST /commonserviceitem', 'PUT /commonserviceitem/:id/sim/activate']);
    await world.stop();
  });

  it('are sent along when another is blocked on a new SIM, before it is activated, for one reading', async () => {
    const world = await createWorld();
    const carriers = [carrier('KDDI', false), carrier('NTT DOCOMO', true)];
    await world.apply(sim({ passCodeSecretRef, activated: true, carriers }));
    await world.ready(...SIM);
    expect((await world.writes()).slice(1)).toEqual([
      put(carrier('KDDI', false), carrier('SoftBank', true), carrier('NTT DOCOMO', true)),
      'PUT /commonserviceitem/:id/sim/activate',
    ]);
    expect((await world.counts())[`GET ${CARRIERS}`]).toBe(1);
    await world.stop();
  });

  it('are left as somebody has set them since they were read', async () => {
    const docomo = 'NTT DOCOMO' as const;
    const carriers = [carrier('KDDI', true), carrier('SoftBank', true), carrier(docomo, true)];
    const world = await createWorld({ seed: { sims: [{ iccid: ICCID, name: 'truck', carriers }] } });
    await world.apply(sim({ carriers: [carrier('KDDI', true)] }));
    await world.ready(...SIM);
    await world.simulator.patch({
      sims: { [ICCID]: { carriers: [carrier('KDDI', true), carrier('SoftBank', true), carrier(docomo, false)] } },
    });
    await sleep(2500);
    await world.apply(sim({ carriers: [carrier('KDDI', true), carrier('SoftBank', false)] }));
    await world.ready(...SIM);
    const all = [carrier('KDDI', true), carrier('SoftBank', false), carrier(docomo, false)];
    await eventually(async () => expect(await inStatus(world)).toEqual(all));
    expect(await world.writes()).toEqual([put(...all)]);
    await world.stop();
  });
});

/** Has the list of SIMs taken again, and nothing else: another SIM is activated, and the list shows whether it is. */
async function takeList(world: World): Promise<void> {
  await world.apply({
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: { name: 'other' },
    spec: { iccid: '8981040000000000018', activated: true },
  });
  await world.ready('Sim', 'other');
}

describe.concurrent('a SIM that was removed and registered anew behind the Sim’s back', () => {
  it('starts with nothing known of its carriers', async () => {
    const carriers = [carrier('KDDI', true), carrier('SoftBank', false)];
    const sims = [
      { iccid: ICCID, name: 'truck', carriers },
      { iccid: '8981040000000000018', name: 'other' },
    ];
    const world = await createWorld({ seed: { sims } });
    await world.apply(sim({ carriers }));
    await world.ready(...SIM);
    expect(await inStatus(world)).toEqual(carriers);
    await world.simulator.remove('sims', ICCID);
    const { id } = await world.simulator.add('sims', { iccid: ICCID, name: 'truck' });
    await takeList(world);
    await eventually(async () => {
      expect((await world.ready(...SIM)).status?.['id']).toBe(id);
      expect(await atService(world)).toEqual(carriers);
    });
    expect(await world.writes()).toContain(put(...carriers));
    await world.stop();
  });
});
