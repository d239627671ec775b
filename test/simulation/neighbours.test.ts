import { expect, it } from 'vitest';
import { createVirtualFleet, iccidOf } from './fleet.ts';

const SECOND = 1000;
const NEW_SIMS = 40;
const BROKEN = { id: '113300500000', iccid: iccidOf(0), name: 'broken', activated: true };
const GATEWAY = { id: '113300000900', name: 'depot', zone: 'is1b' as const, instanceStatus: 'up' as const };

/** Seconds until the new SIMs of one are Ready, while another of the same account asks for what the service answers like this. */
async function secondsBeside(
  answer: { readonly headers: Readonly<Record<string, string>> } | undefined,
): Promise<number> {
  let refused = 0;
  const { world, waiting, ...fleet } = createVirtualFleet({
    seeds: { good: { sims: [BROKEN], gateways: [GATEWAY] }, evil: {} },
    shared: 'good',
    broken({ method, target }) {
      if (!answer || method !== 'PUT' || !target.endsWith(`/${BROKEN.id}/sim/imeilock`)) return undefined;
      refused++;
      const body = { is_fatal: true, status: '503 Service Unavailable', error_code: 'service_temporarily_unavailable' };
      return {
        status: 503,
        headers: { 'content-type': 'application/json', ...answer.headers },
        body: JSON.stringify(body),
      };
    },
  });
  fleet.create('/apis/edgeline.dev/v1alpha1/namespaces/good/mobilegateways', {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'MobileGateway',
    metadata: { name: 'depot' },
    spec: { zone: 'is1b', resourceID: GATEWAY.id },
  });
  fleet.createSim('evil', 'broken', 0);
  world.start('operator');
  await world.run(60 * SECOND);
  expect([...waiting('evil')]).toEqual([]);
  for (let edit = 0; edit < 20; edit++) {
    world.at(world.now() + edit * 10 * SECOND, () => {
      const path = '/apis/edgeline.dev/v1alpha1/namespaces/evil/sims/broken';
      fleet.patch(path, { spec: { imeiLock: String(356_938_035_643_800 + edit) } });
    });
  }
  await world.run(world.now() + 25 * SECOND);
  for (let index = 1; index <= NEW_SIMS; index++) {
    fleet.createSim('good', `new-${index}`, index, {
      passCodeSecretRef: { name: 'pass-codes', key: 'code' },
      activated: true,
      gatewayRef: { name: 'depot' },
      ipAddress: `10.64.0.${index}`,
    });
  }
  const began = world.now();
  await world.run(began + 600 * SECOND, () => waiting('good').size === 0);
  expect(refused > 0).toBe(answer !== undefined);
  return (world.now() - began) / SECOND;
}

it('one object that is broken costs those nothing who share its account', async () => {
  const undisturbed = await secondsBeside(undefined);
  for (const headers of [{}, { 'retry-after': '60' }]) {
    expect((await secondsBeside({ headers })) / undisturbed).toBeLessThan(1.2);
  }
});

/** What another namespace of the same account does, how many SIMs are made beside that, and how long that may take, in seconds. */
interface Busy {
  readonly creations?: number;
  readonly editsEachSecond?: number;
  readonly newSims: number;
  readonly most: number;
}

async function secondsBehind({ creations = 0, editsEachSecond: each = 0, newSims }: Busy): Promise<number> {
  const old = Array.from({ length: 40 }, (_, index) => ({
    id: String(113_300_500_000 + index),
    iccid: iccidOf(index),
    name: `old-${index}`,
    activated: true,
  }));
  const { world, waiting, ...fleet } = createVirtualFleet({
    seeds: { good: { sims: old, gateways: [GATEWAY] }, evil: {} },
    shared: 'good',
  });
  fleet.create('/apis/edgeline.dev/v1alpha1/namespaces/good/mobilegateways', {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'MobileGateway',
    metadata: { name: 'depot' },
    spec: { zone: 'is1b', resourceID: GATEWAY.id },
  });
  for (const [index] of old.entries()) fleet.createSim('evil', `old-${index}`, index);
  world.start('operator');
  await world.run(60 * SECOND);
  const passCodeSecretRef = { name: 'pass-codes', key: 'code' };
  for (let index = 0; index < creations; index++) {
    fleet.createSim('evil', `many-${index}`, 10_000 + index, { passCodeSecretRef, activated: true });
  }
  for (let edit = 0; edit < each * 90; edit++) {
    world.at(world.now() + (edit * SECOND) / each, () => {
      const path = `/apis/edgeline.dev/v1alpha1/namespaces/evil/sims/old-${edit % old.length}`;
      fleet.patch(path, { spec: { imeiLock: String(356_938_035_640_000 + edit) } });
    });
  }
  await world.run(world.now() + 20 * SECOND);
  const began = world.now();
  for (let index = 0; index < newSims; index++) {
    fleet.createSim('good', `new-${index}`, 1000 + index, {
      passCodeSecretRef,
      activated: true,
      gatewayRef: { name: 'depot' },
      ipAddress: `10.64.0.${1 + index}`,
    });
  }
  await world.run(began + 600 * SECOND, () => waiting('good').size === 0);
  return (world.now() - began) / SECOND;
}

it.each<[string, Busy]>([
  ['hundreds of SIMs to make', { creations: 500, newSims: 1, most: 5 }],
  ['more changes than the account may send', { editsEachSecond: 20, newSims: 40, most: 50 }],
])('a namespace with %s leaves another of the same account its part', async (_, busy) => {
  expect(await secondsBehind(busy)).toBeLessThan(busy.most);
});
