import { expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { type Sim, simResource } from '../../../src/kinds/sim/schema.ts';
import { createInformer } from '../../../src/kubernetes/informer.ts';
import { createLogger } from '../../../src/telemetry/log.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld } from '../../support/world.ts';

/** Each request takes half of what is a moment to the operator, and a Sim takes five and some lists. */
const DELAY_MILLISECONDS = 2500;

it('a Sim whose SIM is made slowly, but without a pause, is written before and after, and not in between', async () => {
  const world = await createWorld({ prefix: 'slow', settings: { delay: DELAY_MILLISECONDS } });
  const operator = await startTestOperator({ namespaces: [world.namespace] });
  await world.ready('CloudAccount', 'default');
  const informer = createInformer<Sim>({
    client: world.client,
    resource: simResource,
    namespaces: [world.namespace],
    clock: systemClock,
    random: Math.random,
    log: createLogger({ level: 'silent', format: 'json' }),
  });
  const seen: [finalizers: readonly string[] | undefined, ready: string | undefined][] = [];
  const told = Promise.withResolvers<void>();
  informer.onChange(({ new: sim }) => {
    const ready = sim?.status?.conditions?.find(({ type }) => type === 'Ready')?.status;
    seen.push([sim?.metadata.finalizers, ready]);
    if (ready === 'True') told.resolve();
  });
  informer.start();
  await informer.synced();
  await world.apply({
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: { name: 'truck-17' },
    spec: {
      iccid: '8981040000000000017',
      passCodeSecretRef: { name: 'pass-codes', key: 'code' },
      activated: true,
      imeiLock: '356938035643809',
      carriers: [{ name: 'KDDI', allow: true }],
    },
  });
  await told.promise;
  expect(seen).toEqual([
    [undefined, undefined],
    [['edgeline.dev/create'], undefined],
    [['edgeline.dev/create'], 'True'],
  ]);
  await informer.stop();
  await operator.stop();
  await world.stop();
}, 120_000);
