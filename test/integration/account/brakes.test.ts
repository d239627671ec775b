import { afterAll, beforeAll, expect, it } from 'vitest';
import { simResource } from '../../../src/kinds/sim/schema.ts';
import { NAMESPACES } from '../../../src/kubernetes/resource.ts';
import type { Operator } from '../../../src/operator/start.ts';
import { eventually } from '../../support/kubernetes.ts';
import { secret } from '../../support/manifests.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld, type Seen, type World } from '../../support/world.ts';

const ACCOUNT = ['CloudAccount', 'default'] as const;
const SIM_DELETION = 'DELETE /commonserviceitem/:id';
const PATIENCE = { timeoutSeconds: 60 };

let operator: Operator;
const worlds: World[] = [];
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(async () => {
  await operator.stop();
  await Promise.all(worlds.map((world) => world.stop()));
});

function seeded(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    id: `1133${String(index).padStart(8, '0')}`,
    iccid: `898104000000000${String(index).padStart(4, '0')}`,
    name: `truck-${index}`,
  }));
}

async function made(options: Parameters<typeof createWorld>[0]): Promise<World> {
  const world = await createWorld({ prefix: 'brakes', ...options });
  worlds.push(world);
  return world;
}

/** Resources for SIMs that are there; their deletion deletes those. */
async function manage(world: World, sims: ReturnType<typeof seeded>, spec: object = {}): Promise<void> {
  await Promise.all(
    sims.map(({ name, iccid }) =>
      world.apply({
        apiVersion: 'edgeline.dev/v1alpha1',
        kind: 'Sim',
        metadata: { name },
        spec: { iccid, adoption: 'Required', deletionPolicy: 'Delete', ...spec },
      }),
    ),
  );
  await eventually(async () => {
    const ready = (await simsOf(world)).filter((sim) => reasonOf(sim) === 'Available');
    expect(ready).toHaveLength(sims.length);
  }, PATIENCE);
  await world.forget();
}

const simsOf = async ({ client, namespace }: World) => (await client.list<Seen>(simResource, namespace)).items;
const reasonOf = ({ status }: Seen) => status?.conditions?.find(({ type }) => type === 'Synced')?.reason;
const messageOf = ({ status }: Seen, type: string) =>
  status?.conditions?.find((condition) => condition.type === type)?.message ?? '';
const deletions = async (world: World) => (await world.counts())[SIM_DELETION] ?? 0;

/** All that are left say that they are held; gives how many. */
async function held(world: World): Promise<readonly Seen[]> {
  return eventually(async () => {
    const sims = await simsOf(world);
    expect(new Set(sims.map(reasonOf))).toEqual(new Set(['DeletionHeld']));
    return sims;
  }, PATIENCE);
}

it('of 120 Sims deleted at once ten go at most, also after a restart, until a person lets all of them go', async () => {
  const sims = seeded(120);
  const world = await made({ seed: { sims } });
  await manage(world, sims);
  await Promise.all(sims.map(({ name }) => world.delete('Sim', name)));
  const left = await held(world);
  expect(left.length).toBeGreaterThanOrEqual(110);
  expect(await deletions(world)).toBe(120 - left.length);
  const told = async () => (await world.events('default')).filter(({ reason }) => reason === 'DeletionsHeld');
  // Events are sent after all else, and what is not sent by then is lost with the process.
  await eventually(async () => expect(await told()).toHaveLength(1), PATIENCE);

  await operator.stop();
  operator = await startTestOperator();
  await world.settle();
  await held(world);
  await world.settle();
  expect(await deletions(world)).toBe(120 - left.length);

  const { message } = await world.condition(...ACCOUNT, { type: 'Braked', status: 'True', reason: 'DeletionsHeld' });
  expect(message).toMatch(
    /^(At least )?\d+ of the 120 SIMs and gateways that resources of namespace \S+ have in the account are/,
  );
  expect(await told()).toHaveLength(1);
  const time = /release-deletions=(\S+)/.exec(message)?.[1];
  await world.annotate(...ACCOUNT, { 'edgeline.dev/release-deletions': time ?? '' });
  await eventually(async () => expect(await simsOf(world)).toEqual([]), PATIENCE);
  expect(await deletions(world)).toBe(120);
  await eventually(async () => expect(messageOf(await world.get(...ACCOUNT), 'Braked')).toBe(''), PATIENCE);
}, 180_000);

it('of an account of ten five may go, and what was deleted by mistake is kept and taken over again', async () => {
  const sims = seeded(10);
  const world = await made({ seed: { sims } });
  await manage(world, sims);
  const [first = '', ...others] = sims.map(({ name }) => name);
  for (const name of others.slice(0, 5)) {
    await world.delete('Sim', name);
    await world.gone('Sim', name);
  }
  await world.delete('Sim', first);
  const { message } = await world.condition('Sim', first, { type: 'Synced', status: 'False', reason: 'DeletionHeld' });
  expect(message).toContain('1 of the 10 SIMs');
  expect(message).toContain(`kubectl patch -n ${world.namespace} sim ${first} --type merge`);
  await world.patch('Sim', first, { spec: { deletionPolicy: 'Orphan' } });
  await world.gone('Sim', first);
  await world.apply({
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: { name: first },
    spec: { iccid: sims[0]?.iccid, deletionPolicy: 'Delete' },
  });
  expect(await world.ready('Sim', first)).toMatchObject({ status: { id: sims[0]?.id, ownership: 'Adopted' } });
  expect(await deletions(world)).toBe(5);
});

it('one Sim of many that are held goes by its own annotation', async () => {
  const sims = seeded(12);
  const world = await made({ seed: { sims } });
  await manage(world, sims);
  await Promise.all(sims.map(({ name }) => world.delete('Sim', name)));
  const before = await held(world);
  const [one] = before;
  const name = one?.metadata.name ?? '';
  await world.annotate('Sim', name, { 'edgeline.dev/release-deletions': one?.metadata.deletionTimestamp ?? '' });
  await world.gone('Sim', name);
  await world.settle();
  expect(await simsOf(world)).toHaveLength(before.length - 1);
});

it('twelve gateways at once are not created, until a person lets them go', async () => {
  const world = await made({});
  const names = Array.from({ length: 12 }, (_, index) => `depot-${index}`);
  // Together, as `kubectl apply` has them within moments; one by one the first ten would be a day's work.
  await operator.stop();
  for (const name of names) {
    await world.apply({
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'MobileGateway',
      metadata: { name },
      spec: { zone: 'is1b', planID: 2, internetConnection: true },
    });
  }
  operator = await startTestOperator();
  for (const name of names) {
    await world.condition('MobileGateway', name, { type: 'Synced', status: 'False', reason: 'CreationHeld' });
  }
  expect(await world.writes()).toEqual([]);
  const { message } = await world.condition(...ACCOUNT, { type: 'Braked', status: 'True', reason: 'CreationsHeld' });
  const time = /release-creations=(\S+)/.exec(message)?.[1];
  await world.annotate(...ACCOUNT, { 'edgeline.dev/release-creations': time ?? '' });
  await Promise.all(names.map((name) => world.ready('MobileGateway', name)));
  expect((await world.counts())['POST /appliance']).toBe(12);
}, 120_000);

it('namespaces with one account do not hold one another up', async () => {
  const sims = seeded(20);
  const world = await made({ seed: { sims }, account: false });
  const other = await made({ account: false, at: world });
  const name = world.namespace;
  const accountRef = { kind: 'ClusterCloudAccount', name };
  await world.apply(secret('service-credentials', { accessToken: 'token', accessTokenSecret: 'secret' }));
  await world.makeAccount();
  const own = await world.get(...ACCOUNT);
  await world.apply({
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'ClusterCloudAccount',
    metadata: { name },
    spec: { ...own.spec, secretNamespace: name },
  });
  await manage(world, sims.slice(0, 10), { accountRef });
  await manage(other, sims.slice(10), { accountRef });
  await Promise.all(sims.slice(10).map((sim) => other.delete('Sim', sim.name)));
  const left = await held(other);
  for (const sim of sims.slice(0, 3)) {
    await world.delete('Sim', sim.name);
    await world.gone('Sim', sim.name);
  }
  expect(await simsOf(other)).toHaveLength(left.length);
  expect(messageOf(await world.get('ClusterCloudAccount', name), 'Braked')).toContain(
    `kubectl annotate -n ${other.namespace} --overwrite sims,mobilegateways --all`,
  );
}, 120_000);

it('a namespace that is deleted with all that is in it takes no SIM with it', async () => {
  const sims = seeded(20);
  const world = await made({ seed: { sims } });
  await manage(world, sims);
  await world.client.delete(NAMESPACES, undefined, world.namespace);
  // Whether anybody empties it or not: it is visible that it goes.
  await Promise.all(sims.map(({ name }) => world.delete('Sim', name)));
  await held(world);
  expect(await deletions(world)).toBe(0);
}, 120_000);

it('an account that is made anew, also after a restart, has on record what the one before let through', async () => {
  const sims = seeded(3);
  const world = await made({ seed: { sims } });
  await manage(world, sims);
  await Promise.all(sims.map(({ name }) => world.delete('Sim', name)));
  await eventually(async () => expect(await simsOf(world)).toEqual([]), PATIENCE);
  const before = await world.get(...ACCOUNT);
  expect(before.status?.['brakes']).toHaveLength(3);
  await operator.stop();
  operator = await startTestOperator();
  await world.condition(...ACCOUNT, { type: 'Ready', status: 'True', reason: 'Verified' });
  await world.settle();
  await world.delete(...ACCOUNT);
  await world.gone(...ACCOUNT);
  await world.makeAccount();
  await world.condition(...ACCOUNT, { type: 'Ready', status: 'True', reason: 'Verified' });
  const after = await world.get(...ACCOUNT);
  expect(after.metadata.uid).not.toBe(before.metadata.uid);
  expect(after.status?.['brakes']).toEqual(before.status?.['brakes']);
});
