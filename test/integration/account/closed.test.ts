import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import * as z from 'zod';
import { conditions } from '../../../src/kinds/common/schema.ts';
import type { Operator } from '../../../src/operator/start.ts';
import { eventually } from '../../support/kubernetes.ts';
import { startTestOperator } from '../../support/operator.ts';
import type { World } from '../../support/world.ts';
import { site, siteWorld } from '../site/support.ts';

let operator: Operator | undefined;
afterEach(() => operator?.stop());

const asked = async (world: World) => (await world.requests()).filter(({ route }) => route.includes('webaccel')).length;

async function readyMessage(world: World): Promise<string> {
  const { status } = await world.get('CloudAccount', 'default');
  return (
    z
      .object({ conditions })
      .parse(status)
      .conditions?.find(({ type }) => type === 'Ready')?.message ?? ''
  );
}

it('until when the service wants no web acceleration requests is told by the account, and kept to by the next process', async () => {
  const world = await siteWorld();
  await world.simulator.fault({ route: 'GET webaccel/site', code: 429, retryAfter: 3000, count: 1 });
  operator = await startTestOperator({ namespaces: [world.namespace] });
  await world.apply(site({ displayName: 'Queued' }));
  const told =
    /^The service at \S+ accepts the credentials\. It wants no web acceleration requests until (\d{4}-\S+Z)\.$/;
  await eventually(async () => expect(await readyMessage(world)).toMatch(told));
  const [, until = ''] = told.exec(await readyMessage(world)) ?? [];
  expect((Date.parse(until) - Date.now()) / 60_000).toBeCloseTo(50, 0);
  expect((await world.get('CloudAccount', 'default')).status?.['closed']).toMatchObject({ until });
  const sent = await asked(world);
  await operator.stop();

  operator = await startTestOperator({ namespaces: [world.namespace] });
  await world.ready('CloudAccount', 'default');
  await sleep(3000);
  expect([await asked(world), (await readyMessage(world)).includes(until)]).toEqual([sent, true]);
  await world.stop();
});

it('until when the service wants no requests for SIMs and gateways is told by the account, and no longer once that is over', async () => {
  const world = await siteWorld();
  operator = await startTestOperator({ namespaces: [world.namespace], simPollSeconds: 2 });
  await world.ready('CloudAccount', 'default');
  await world.simulator.fault({ route: 'GET /commonserviceitem', code: 429, retryAfter: 12, count: 1 });
  await eventually(async () =>
    expect(await readyMessage(world)).toMatch(/It wants no requests for SIMs and gateways until \S+Z\.$/),
  );
  await eventually(async () => expect(await readyMessage(world)).toMatch(/accepts the credentials\.$/));
  await world.stop();
});
