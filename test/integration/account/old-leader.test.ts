import { afterAll, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { type Account, cloudAccountResource } from '../../../src/kinds/cloud-account/schema.ts';
import { type Sim, simResource } from '../../../src/kinds/sim/schema.ts';
import { createInformer } from '../../../src/kubernetes/informer.ts';
import { timestamp } from '../../../src/kubernetes/objects.ts';
import { createWrites } from '../../../src/reconcile/writes.ts';
import { createLogger } from '../../../src/telemetry/log.ts';
import { recordHour } from '../../support/hour-record.ts';
import { eventually } from '../../support/kubernetes.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld, type World } from '../../support/world.ts';
import { seededSite } from '../site/support.ts';

const worlds: World[] = [];
afterAll(() => Promise.all(worlds.map((world) => world.stop())));

async function made(...options: Parameters<typeof createWorld>): Promise<World> {
  const world = await createWorld(...options);
  worlds.push(world);
  return world;
}

const sim = () => ({
  apiVersion: 'edgeline.dev/v1alpha1',
  kind: 'Sim',
  metadata: { name: 'one' },
  spec: { iccid: '8981040000000000017', passCodeSecretRef: { name: 'pass-codes', key: 'code' } },
});

/** The writes of a process, with what its informer shows. */
function writesOf({ client, namespace }: World) {
  const log = createLogger({ level: 'silent', format: 'json' });
  const informer = createInformer<Sim>({
    client,
    resource: simResource,
    namespaces: [namespace],
    clock: systemClock,
    random: Math.random,
    log,
  });
  return createWrites({ client, resource: simResource, informer });
}

it('a status that was sent before another process led does not arrive over that one’s', async () => {
  const world = await made({ account: false });
  await world.apply(sim());
  const seen = await world.client.get<Sim>(simResource, world.namespace, 'one');
  const sent: object[] = [];
  const ofOld = writesOf({
    ...world,
    client: {
      ...world.client,
      // Stopped after the fence: what was to be written arrives when the other has written, and no second try is allowed.
      async mergePatch(resource, namespace, name, patch, options) {
        sent.push(patch);
        if (sent.length > 1) throw new Error('not the leader');
        await writesOf(world).status(seen, { uid: seen.metadata.uid, observedGeneration: 1, id: 'of the new leader' });
        return world.client.mergePatch(resource, namespace, name, patch, options);
      },
    },
  });
  await expect(
    ofOld.status(seen, { uid: seen.metadata.uid, observedGeneration: 1, id: 'of the old leader' }),
  ).rejects.toThrow('not the leader');
  expect((await world.get('Sim', 'one')).status).toMatchObject({ id: 'of the new leader' });
});

it('a status is written although a person has edited the spec meanwhile, and the edit stays', async () => {
  const world = await made({ account: false });
  await world.apply(sim());
  const seen = await world.client.get<Sim>(simResource, world.namespace, 'one');
  await world.patch('Sim', 'one', { spec: { displayName: 'edited' } });
  await writesOf(world).status(seen, { observedGeneration: 1, id: '113300000001' });
  expect(await world.get('Sim', 'one')).toMatchObject({
    spec: { displayName: 'edited' },
    status: { observedGeneration: 1, id: '113300000001' },
  });
});

it('a status is not written to another object of the same name', async () => {
  const world = await made({ account: false });
  await world.apply(sim());
  const seen = await world.client.get<Sim>(simResource, world.namespace, 'one');
  await world.delete('Sim', 'one');
  await world.gone('Sim', 'one');
  await world.apply(sim());
  await expect(writesOf(world).status(seen, { observedGeneration: 1, id: '1' })).rejects.toMatchObject({
    reason: 'Conflict',
  });
  expect((await world.get('Sim', 'one')).status).toEqual({ observedGeneration: -1 });
});

it('the budget on record does not shrink within the hour, whoever wrote it', async () => {
  const world = await made({ seed: { sites: [seededSite] } });
  const operator = await startTestOperator({ namespaces: [world.namespace] });
  const account = { kind: 'CloudAccount', name: 'default' } as const;
  await world.condition(account.kind, account.name, { type: 'Ready', status: 'True', reason: '*' });
  // What a process that led before had still under way.
  await recordHour(world, 'default', { used: 300, recordedAt: timestamp(Date.now()) });
  await world.apply({
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'WebAccelSite',
    metadata: { name: 'www' },
    spec: { domain: 'www.example.jp' },
  });
  const after = await eventually(async () => {
    const { status } = await world.client.get<Account>(cloudAccountResource, world.namespace, account.name);
    expect(status?.budget?.reserved).toBeGreaterThan(0);
    return status?.budget;
  });
  expect(after?.used).toBeGreaterThanOrEqual(300);
  await operator.stop();
});
