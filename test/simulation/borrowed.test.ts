import { expect, it } from 'vitest';
import { createVirtualFleet } from './fleet.ts';

const SECOND = 1000;
const GROUP = '/apis/edgeline.dev/v1alpha1';
it('no SIM goes on the gateway of another tenant that the patched status of a paused resource names', async () => {
  const fleet = createVirtualFleet({ seeds: { edge: {}, victim: {}, evil: {} }, shared: 'edge' });
  const { world } = fleet;
  const gateways = (namespace: string) => `${GROUP}/namespaces/${namespace}/mobilegateways`;
  const create = (namespace: string, annotations: object = {}) =>
    fleet.create(gateways(namespace), {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'MobileGateway',
      metadata: { name: 'one', annotations },
      spec: { zone: 'is1b', planID: 2, internetConnection: true },
    });
  world.start('operator');
  create('evil', { 'edgeline.dev/paused': 'true' });
  await world.run(60 * SECOND);
  create('victim');
  await world.run(world.now() + 600 * SECOND);
  const { id, createdAt } = fleet.read(`${gateways('victim')}/one`).status;
  const { uid } = fleet.read(`${gateways('evil')}/one`).metadata;
  const forged = { uid, id, createdAt, availability: 'available', observedGeneration: 1, ownership: 'Created' };
  fleet.patch(`${gateways('evil')}/one/status`, { status: forged });
  const written: string[] = [];
  world.service.onChange(({ route, ids }) => void (ids.includes(id ?? '') && written.push(route)));
  fleet.createSim('evil', 'one', 1, {
    passCodeSecretRef: { name: 'pass-codes', key: 'code' },
    gatewayRef: { name: 'one' },
  });
  await world.run(world.now() + 600 * SECOND);
  const { conditions } = fleet.read(`${GROUP}/namespaces/evil/sims/one`).status;
  expect({ written, ready: conditions.find(({ type }) => type === 'Ready')?.reason }).toEqual({
    written: [],
    ready: 'GatewayNotReady',
  });
});
