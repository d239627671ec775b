import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { startTestOperator } from '../support/operator.ts';
import { createWorld, resourceOf, type World } from '../support/world.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const resources = [
  ['MobileGateway', 'depot', { zone: 'is1b', planID: 2 }],
  [
    'Sim',
    'truck',
    { iccid: '8981040000000000017', activated: true, passCodeSecretRef: { name: 'pass-codes', key: 'code' } },
  ],
] as const;

/** As a tool that applies one field of a status, and with it, as the status is one field, takes all others away. */
function takeStatus(world: World, kind: string, name: string) {
  const applied = { metadata: { name, namespace: world.namespace }, status: { lastHandledReconcileAt: 'tool' } };
  return world.client.applyServerSide(resourceOf(kind), world.namespace, name, applied, {
    subresource: 'status',
    fieldManager: 'tool',
    force: true,
  });
}

/** A gateway and a SIM in the account of the cluster, and the service of another, which is the namespace's own account later. */
async function twoAccounts() {
  const operator = await startTestOperator();
  ends.push(() => operator.stop());
  const [world, second] = [await createWorld(), await createWorld()];
  ends.push(
    () => world.stop(),
    () => second.stop(),
  );
  const { spec } = await world.get('CloudAccount', 'default');
  await world.delete('CloudAccount', 'default');
  await world.gone('CloudAccount', 'default');
  await world.apply({
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'ClusterCloudAccount',
    metadata: { name: 'default' },
    spec: {
      ...spec,
      secretNamespace: world.namespace,
      // What other tests left without an account of its own shall not use this one.
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': world.namespace } },
    },
  });
  ends.push(() => world.client.delete(resourceOf('ClusterCloudAccount'), undefined, 'default'));
  for (const [kind, name, spec] of resources) {
    await world.apply({ apiVersion: 'edgeline.dev/v1alpha1', kind, metadata: { name }, spec });
    await world.ready(kind, name);
  }
  const { spec: own } = await second.get('CloudAccount', 'default');
  return {
    operator,
    world,
    second,
    async becomeDefault() {
      await world.apply(
        `apiVersion: v1\nkind: Secret\nmetadata: {name: second-ca}\nstringData: ${JSON.stringify({ 'ca.crt': second.ca })}`,
      );
      await world.apply({
        apiVersion: 'edgeline.dev/v1alpha1',
        kind: 'CloudAccount',
        metadata: { name: 'default' },
        spec: { ...own, caBundleSecretRef: { name: 'second-ca', key: 'ca.crt' } },
      });
    },
  };
}

it('what a tool takes out of a status is put back, and nothing is made anew in the account that is the default by now', async () => {
  const { world, second, becomeDefault } = await twoAccounts();
  const recorded = async () => {
    const all = await Promise.all(resources.map(([kind, name]) => world.get(kind, name)));
    return all.map(({ status }) => [status?.['id'], status?.['uid'], status?.['ownership'], status?.['accountRef']]);
  };
  const before = await recorded();
  expect(before.map(([, , ownership]) => ownership)).toEqual(['Created', 'Created']);
  await becomeDefault();
  await world.ready('CloudAccount', 'default');
  await Promise.all([world.forget(), second.forget()]);
  for (const [kind, name] of resources) await takeStatus(world, kind, name);
  await expect.poll(recorded, { timeout: 20_000 }).toEqual(before);
  for (const [kind, name] of resources) await takeStatus(world, kind, name);
  for (const [kind, name] of resources) await world.annotate(kind, name, { team: 'blue' });
  await expect.poll(recorded, { timeout: 20_000 }).toEqual(before);
  for (const [kind, name] of resources) await world.ready(kind, name);
  await world.settle();
  expect([await world.writes(), await second.writes()]).toEqual([[], []]);
});

it('what lost its status while no operator ran is made anew in no account, and goes on where a person says', async () => {
  const { operator, world, second, becomeDefault } = await twoAccounts();
  const before = await Promise.all(resources.map(async ([kind, name]) => (await world.get(kind, name)).status?.['id']));
  await operator.stop();
  for (const [kind, name] of resources) {
    const { status } = await world.get(kind, name);
    const nothing = Object.fromEntries(Object.keys(status ?? {}).map((key) => [key, null]));
    const resource = resourceOf(kind);
    await world.client.mergePatch(resource, world.namespace, name, { status: nothing }, { subresource: 'status' });
  }
  // Times of creation are whole seconds.
  await setTimeout(1100);
  await becomeDefault();
  await Promise.all([world.forget(), second.forget()]);
  const next = await startTestOperator();
  ends.unshift(() => next.stop());
  await world.ready('CloudAccount', 'default');
  const unclear = { type: 'Stalled', status: 'True', reason: 'AccountUnclear' } as const;
  for (const [kind, name] of resources) await world.condition(kind, name, unclear);
  for (const [kind, name] of resources) await world.annotate(kind, name, { 'edgeline.dev/paused': 'true' });
  await world.condition('Sim', 'truck', { type: 'Synced', status: 'False', reason: 'Paused' });
  for (const [kind, name] of resources) await world.annotate(kind, name, { 'edgeline.dev/paused': null });
  for (const [kind, name] of resources) await world.condition(kind, name, unclear);
  await world.settle();
  expect([await world.writes(), await second.writes()]).toEqual([[], []]);
  for (const [index, [kind, name, spec]] of resources.entries()) {
    await world.annotate(kind, name, { 'edgeline.dev/abandon': 'true' });
    await world.delete(kind, name);
    await world.gone(kind, name);
    const accountRef = { kind: 'ClusterCloudAccount', name: 'default' };
    const named = { ...spec, accountRef, resourceID: before[index] };
    await world.apply({ apiVersion: 'edgeline.dev/v1alpha1', kind, metadata: { name }, spec: named });
    expect((await world.ready(kind, name)).status).toMatchObject({ id: before[index], ownership: 'Adopted' });
  }
  expect([await world.writes(), await second.writes()]).toEqual([[], []]);
});

it('what lost its status is made in the account of the namespace once a person has let go of it and taken it back', async () => {
  const { operator, world, second, becomeDefault } = await twoAccounts();
  await operator.stop();
  const { status } = await world.get('Sim', 'truck');
  const nothing = Object.fromEntries(Object.keys(status ?? {}).map((key) => [key, null]));
  const resource = resourceOf('Sim');
  await world.client.mergePatch(resource, world.namespace, 'truck', { status: nothing }, { subresource: 'status' });
  await setTimeout(1100);
  await becomeDefault();
  const next = await startTestOperator();
  ends.unshift(() => next.stop());
  await world.condition('Sim', 'truck', { type: 'Stalled', status: 'True', reason: 'AccountUnclear' });
  await second.forget();
  await world.annotate('Sim', 'truck', { 'edgeline.dev/abandon': 'true' });
  await world.condition('Sim', 'truck', { type: 'Synced', status: 'False', reason: 'Abandoned' });
  await world.annotate('Sim', 'truck', { 'edgeline.dev/abandon': null });
  expect((await world.ready('Sim', 'truck')).status).toMatchObject({ ownership: 'Created' });
  expect((await second.writes()).map((write) => write.split(' ')[1])).toContain('/commonserviceitem');
});

it('what is taken out of an account’s status is put back at once', async () => {
  const operator = await startTestOperator();
  ends.push(() => operator.stop());
  const world = await createWorld();
  ends.push(() => world.stop());
  const before = (await world.ready('CloudAccount', 'default')).status ?? {};
  const nothing = Object.fromEntries(Object.keys(before).map((field) => [field, null]));
  const resource = resourceOf('CloudAccount');
  for (const taken of [nothing, { conditions: null }, { identity: 'another' }]) {
    await world.client.mergePatch(resource, world.namespace, 'default', { status: taken }, { subresource: 'status' });
    const shown = async () => {
      const { status = {} } = await world.get('CloudAccount', 'default');
      return [Object.keys(status).toSorted(), status['identity'], status.conditions?.map(({ reason }) => reason)];
    };
    const [fields, { identity, conditions }] = [Object.keys(before).toSorted(), before];
    await expect.poll(shown).toEqual([fields, identity, conditions?.map(({ reason }) => reason)]);
  }
});
