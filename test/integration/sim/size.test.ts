import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Operator } from '../../../src/operator/start.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld } from '../../support/world.ts';

/** docs/cost.md says so, and that each byte is there once for each Sim of a fleet. */
const MOST_BYTES = 2550;

let operator: Operator;
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(() => operator.stop());

it('A Sim that asks for everything takes little room in etcd: who owns its status is said of the whole', async () => {
  const world = await createWorld({ prefix: 'size' });
  await world.apply(`apiVersion: edgeline.dev/v1alpha1
kind: MobileGateway
metadata: {name: depot}
spec: {zone: is1b, planID: 2}
---
apiVersion: edgeline.dev/v1alpha1
kind: Sim
metadata: {name: truck-17}
spec:
  iccid: "8981040000000000017"
  passCodeSecretRef: {name: pass-codes, key: code}
  activated: true
  gatewayRef: {name: depot}
  ipAddress: 10.0.0.17
  carriers: [{name: KDDI, allow: true}]`);
  await world.ready('Sim', 'truck-17');
  const { metadata, ...rest } = await world.get('Sim', 'truck-17');
  const { resourceVersion: _, ...stored } = metadata;
  const managers: readonly Record<string, unknown>[] = Reflect.get(stored, 'managedFields');
  expect(managers.filter(({ subresource }) => subresource === 'status').map(({ fieldsV1 }) => fieldsV1)).toEqual([
    { 'f:status': {} },
  ]);
  expect(Buffer.byteLength(JSON.stringify({ metadata: stored, ...rest }))).toBeLessThan(MOST_BYTES);
  await world.stop();
});
