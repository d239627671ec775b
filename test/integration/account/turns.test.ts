import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Sim, simResource } from '../../../src/kinds/sim/schema.ts';
import type { Operator } from '../../../src/operator/start.ts';
import { findCondition } from '../../../src/reconcile/conditions.ts';
import { eventually } from '../../support/kubernetes.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld, type World } from '../../support/world.ts';

/** Fewer workers than there are Sims to make: where a worker waits for the limiter, they run out at once. */
const WORKERS = 4;
const FLEET = 30;
const CREATE = 'POST /commonserviceitem';
const ACTIVATE = 'PUT /commonserviceitem/:id/sim/activate';

let operator: Operator;
beforeAll(async () => {
  operator = await startTestOperator({ workers: WORKERS, simPollSeconds: 2 });
});
afterAll(() => operator.stop());

function sim(name: string, number: number, spec: object = {}): object {
  return {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: { name },
    spec: {
      iccid: `898104000000000${String(number).padStart(4, '0')}`,
      passCodeSecretRef: { name: 'pass-codes', key: 'code' },
      activated: true,
      ...spec,
    },
  };
}

/** Makes a fleet at so many requests a second; resolves when its first SIM was created at the service. */
async function busy(world: World, cloudRequestsPerSecond: number): Promise<void> {
  await world.patch('CloudAccount', 'default', { spec: { limits: { cloudRequestsPerSecond } } });
  await world.condition('CloudAccount', 'default', { type: 'Ready', status: 'True', reason: '*' });
  await world.forget();
  const fleet = Array.from({ length: FLEET }, (_, number) => sim(`fleet-${number}`, number));
  await Promise.all(fleet.map((one) => world.apply(one)));
  await eventually(async () => expect(await creations(world)).toBeGreaterThan(0));
}

async function creations(world: World): Promise<number> {
  return (await world.counts())[CREATE] ?? 0;
}

/** How many SIMs were created between `from` creations and the first request of the route. */
async function creationsBefore(world: World, route: string, from: number): Promise<number> {
  return eventually(
    async () => {
      const routes = (await world.requests()).map((request) => request.route);
      const at = routes.lastIndexOf(route);
      if (at < 0) throw new Error(`${route} was not asked`);
      return routes.slice(0, at).filter((one) => one === CREATE).length - from;
    },
    { timeoutSeconds: 60 },
  );
}

it('deactivating, deleting and changing a SIM goes before the creations of a fleet', async () => {
  const world = await createWorld();
  const existing = ['stolen', 'unwanted', 'moved'];
  await Promise.all(existing.map((name, number) => world.apply(sim(name, 9000 + number))));
  await Promise.all(existing.map((name) => world.ready('Sim', name)));
  await busy(world, 3);

  const from = await creations(world);
  await world.patch('Sim', 'moved', { spec: { imeiLock: '356938035643809' } });
  await world.patch('Sim', 'stolen', { spec: { activated: false } });
  await world.delete('Sim', 'unwanted');
  for (const route of [
    'PUT /commonserviceitem/:id/sim/deactivate',
    'DELETE /commonserviceitem/:id',
    'PUT /commonserviceitem/:id/sim/imeilock',
  ]) {
    expect(await creationsBefore(world, route, from)).toBeLessThanOrEqual(6);
  }
  await world.stop();
});

it('a fleet is made one SIM after the other, each Ready before many others are begun, and who waits says so', async () => {
  const world = await createWorld();
  await busy(world, 3);

  // They are applied at the same time: which of them came last, nobody knows.
  const queued = await eventually(async () => {
    const { items } = await world.client.list<Sim>(simResource, world.namespace);
    const waiting = items
      .map(({ status }) => findCondition(status?.conditions, 'Ready'))
      .find((condition) => condition?.reason === 'Queued');
    if (!waiting) throw new Error('no Sim is Queued');
    return waiting;
  });
  expect(queued.message).toMatch(
    /^Waiting for its turn: \d+ others were before it at \S+Z, and the account’s limits say how fast they may go\. It continues at about \S+Z\.$/,
  );
  expect(await creations(world)).toBeLessThanOrEqual(12);
  await eventually(async () => expect((await world.counts())[ACTIVATE]).toBeGreaterThan(0));
  const routes = (await world.requests()).map(({ route }) => route);
  const before = routes.slice(0, routes.indexOf(ACTIVATE)).filter((route) => route === CREATE).length;
  // While the first one's status is written, which a busy machine takes its time for, the next are begun.
  expect(before).toBeLessThanOrEqual(WORKERS);
  const begun = await eventually(async () => {
    const { items } = await world.client.list<Sim>(simResource, world.namespace);
    const isReady = ({ status }: Sim) => findCondition(status?.conditions, 'Ready')?.status === 'True';
    expect(items.some(isReady)).toBe(true);
    return creations(world);
  });
  expect(begun).toBeLessThanOrEqual(8);
  await world.stop();
});

it('an account finds out how many requests a second the service bears, and a fleet is made with few refused', async () => {
  const world = await createWorld({ settings: { cloudLimit: 12 } });
  await busy(world, 100);

  const fleet = Array.from({ length: FLEET }, (_, number) => `fleet-${number}`);
  await Promise.all(fleet.map((name) => world.ready('Sim', name)));
  const answers = (await world.requests()).filter(({ route }) => !route.startsWith('webaccel'));
  const refused = answers.filter(({ status }) => status === 503).length;
  expect(answers.length - refused).toBeGreaterThanOrEqual(2 * FLEET);
  expect(refused / answers.length).toBeLessThan(0.3);
  const made = answers.filter(({ route, status }) => route === CREATE && status < 300);
  expect(made).toHaveLength(FLEET);
  await world.stop();
});

it('the first SIM of one account does not wait for the fleet of another', async () => {
  const [crowded, calm] = [await createWorld(), await createWorld()];
  await busy(crowded, 2);

  const from = await creations(crowded);
  await calm.apply(sim('first', 1));
  await calm.ready('Sim', 'first');
  expect((await creations(crowded)) - from).toBeLessThanOrEqual(6);
  await Promise.all([crowded.stop(), calm.stop()]);
});

it('a fleet that the limits let go at once is never told to wait: each Sim costs no write for that', async () => {
  const world = await createWorld();
  const seen: string[] = [];
  const ending = new AbortController();
  const { resourceVersion } = await world.client.list<Sim>(simResource, world.namespace);
  const watching = (async () => {
    for await (const event of world.client.watch<Sim>(simResource, world.namespace, {
      resourceVersion,
      signal: ending.signal,
    })) {
      if (event.type !== 'MODIFIED') continue;
      seen.push(findCondition(event.object.status?.conditions, 'Ready')?.reason ?? 'none');
    }
  })().catch(() => undefined);
  const names = Array.from({ length: 4 * FLEET }, (_, number) => `fleet-${number}`);
  await Promise.all(names.map((name, number) => world.apply(sim(name, number))));
  for (const name of names) await world.ready('Sim', name);
  expect(seen).not.toContain('Queued');
  ending.abort();
  await watching;
  await world.stop();
});
