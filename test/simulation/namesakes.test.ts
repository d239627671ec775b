import { expect, it } from 'vitest';
import * as z from 'zod';
import { atFirst } from './at-first.ts';
import { createVirtualFleet, type VirtualFleet } from './fleet.ts';

/** A gateway that had the name before another one of it is asked for is not what is made then, whatever becomes of the request. */

const SECOND = 1000;
const pathOf = (namespace: string) => `/apis/edgeline.dev/v1alpha1/namespaces/${namespace}/mobilegateways`;
const creates = ({ route }: { readonly route: string }) => route === 'POST /appliance';

const ask = (fleet: VirtualFleet, namespace: string, more: object = {}) =>
  fleet.create(pathOf(namespace), {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'MobileGateway',
    metadata: { name: 'one' },
    spec: { zone: 'is1b', planID: 2, ...more },
  });
const remove = ({ world }: VirtualFleet, namespace: string) =>
  world.apiserver.handle({ method: 'DELETE', path: `${pathOf(namespace)}/one`, user: 'user' });
const letPass = ({ world }: VirtualFleet, seconds: number) => world.run(world.now() + seconds * SECOND);
const idsOf = ({ world }: VirtualFleet) => [...world.service.world('a').gateways.keys()];

/** Makes one of the name, which is not to be touched, in so many seconds. */
const makers: Readonly<Record<string, (fleet: VirtualFleet) => Promise<void>>> = {
  async 'another resource of its name, which let it go'(fleet) {
    ask(fleet, 'a', { deletionPolicy: 'Orphan' });
    await letPass(fleet, 60);
    remove(fleet, 'a');
    await letPass(fleet, 30);
  },
  async 'one of another namespace, which was abandoned'(fleet) {
    ask(fleet, 'b');
    await letPass(fleet, 60);
    fleet.patch(`${pathOf('b')}/one`, { metadata: { annotations: { 'edgeline.dev/abandon': 'true' } } });
    await letPass(fleet, 30);
  },
  async 'a person, four minutes before'(fleet) {
    fleet.world.service.add('a', 'gateways', { name: 'one', zone: 'is1b' });
    await letPass(fleet, 240);
  },
  async 'a person, a second before'(fleet) {
    fleet.world.service.add('a', 'gateways', { name: 'one', zone: 'is1b' });
    await letPass(fleet, 1);
  },
};

it.each(
  Object.keys(makers).flatMap((who) =>
    (['lost-request', 'lost-answer', 'delayed-arrival'] as const).flatMap((fault) =>
      [false, true].map((isKilled) => [who, fault, isKilled] as const),
    ),
  ),
)('of %s; %s, killed %s', async (who, fault, isKilled) => {
  const fleet = createVirtualFleet({ seeds: { a: {}, b: {} }, shared: 'a' });
  const { world } = fleet;
  const operator = world.start('operator');
  await letPass(fleet, 3600);
  await makers[who]?.(fleet);
  const before = idsOf(fleet);
  world.arm({ to: 'service', fits: creates, count: 1, skip: 0, fault, milliseconds: 20_000 });
  const isSent = atFirst(world, fault === 'lost-answer' ? 'arrived' : 'written', creates, () => {
    if (isKilled) operator.kill(5 * SECOND);
  });
  ask(fleet, 'a');
  await letPass(fleet, 900);
  const { status } = fleet.read(`${pathOf('a')}/one`);
  const [id, ...more] = idsOf(fleet).filter((one) => !before.includes(one));
  expect([isSent(), status.id, more]).toEqual([true, id, []]);
  expect(id).toBeDefined();
  remove(fleet, 'a');
  await letPass(fleet, 600);
  expect(idsOf(fleet)).toEqual(before);
});

/** How a resource that has been there for ten minutes comes to ask for its gateway. */
const latecomers: Readonly<Record<string, readonly [spec: object, go: (fleet: VirtualFleet) => object]>> = {
  'gets a plan': [{ planID: null }, () => ({ spec: { planID: 2 } })],
  'gets another name': [{ planID: null, displayName: 'two' }, () => ({ spec: { planID: 2, displayName: null } })],
  'is approved': [
    { managementPolicy: 'ApproveChanges' },
    (fleet) => {
      const { hash } = planSchema.parse(fleet.read(`${pathOf('a')}/one`).status).plan;
      return { metadata: { annotations: { 'edgeline.dev/approve': hash } } };
    },
  ],
  'is only observed no more': [{ managementPolicy: 'Observe' }, () => ({ spec: { managementPolicy: 'Manage' } })],
  'is to take one over no more': [{ adoption: 'Required' }, () => ({ spec: { adoption: null } })],
};
const planSchema = z.object({ plan: z.object({ hash: z.string() }) });

it.each(Object.keys(latecomers).flatMap((what) => [false, true].map((isKilled) => [what, isKilled] as const)))(
  'nor one that a person made a second before a resource %s; killed %s',
  async (what, isKilled) => {
    const [spec, go] = latecomers[what] ?? [{}, () => ({})];
    const fleet = createVirtualFleet({ seeds: { a: {}, b: {} }, shared: 'a' });
    const { world } = fleet;
    const operator = world.start('operator');
    // So that the list of the zone is polled all the time.
    ask(fleet, 'b', { displayName: 'neighbour' });
    ask(fleet, 'a', spec);
    await letPass(fleet, 615);
    world.service.add('a', 'gateways', { name: 'one', zone: 'is1b' });
    await letPass(fleet, 1);
    const before = idsOf(fleet);
    world.arm({ to: 'service', fits: creates, count: 1, skip: 0, fault: 'lost-request' });
    const isSent = atFirst(world, 'written', creates, () => {
      if (isKilled) operator.kill(5 * SECOND);
    });
    fleet.patch(`${pathOf('a')}/one`, go(fleet));
    await letPass(fleet, 1200);
    const [id, ...more] = idsOf(fleet).filter((one) => !before.includes(one));
    expect([isSent(), fleet.read(`${pathOf('a')}/one`).status.id, more]).toEqual([true, id, []]);
    expect(id).toBeDefined();
  },
);

/** What somebody does while it is looked at once more, and takes back. */
const changesOfMind: Readonly<Record<string, readonly [off: object, on: object]>> = {
  'gets no plan': [{ spec: { planID: null } }, { spec: { planID: 2 } }],
  'is paused': [
    { metadata: { annotations: { 'edgeline.dev/paused': 'true' } } },
    { metadata: { annotations: { 'edgeline.dev/paused': null } } },
  ],
  'is only observed': [{ spec: { managementPolicy: 'Observe' } }, { spec: { managementPolicy: 'Manage' } }],
  'has to take one over': [{ spec: { adoption: 'Required' } }, { spec: { adoption: null } }],
  'needs approval': [{ spec: { managementPolicy: 'ApproveChanges' } }, { spec: { managementPolicy: 'Manage' } }],
  'gets another name': [{ spec: { displayName: 'two', planID: null } }, { spec: { displayName: null, planID: 2 } }],
};

it.each(Object.keys(changesOfMind))(
  'nor one that a person made while a resource that was looked at once more %s for some minutes',
  async (what) => {
    const [off, on] = changesOfMind[what] ?? [{}, {}];
    const fleet = createVirtualFleet({ seeds: { a: {}, b: {} }, shared: 'a' });
    const { world } = fleet;
    world.start('operator');
    await letPass(fleet, 3600);
    const isLookedAt = atFirst(
      world,
      'written',
      ({ route }) => route === 'GET /appliance',
      () => fleet.patch(`${pathOf('a')}/one`, off),
    );
    ask(fleet, 'a');
    await letPass(fleet, 500);
    expect([isLookedAt(), idsOf(fleet)]).toEqual([true, []]);
    world.service.add('a', 'gateways', { name: 'one', zone: 'is1b' });
    await letPass(fleet, 1);
    const before = idsOf(fleet);
    world.arm({ to: 'service', fits: creates, count: 1, skip: 0, fault: 'lost-request' });
    const isSent = atFirst(world, 'written', creates);
    fleet.patch(`${pathOf('a')}/one`, on);
    await letPass(fleet, 1200);
    const [id] = idsOf(fleet).filter((one) => !before.includes(one));
    expect([isSent(), fleet.read(`${pathOf('a')}/one`).status.id]).toEqual([true, id]);
    expect(id).toBeDefined();
  },
);

it('a list that shows fewer than it says there are keeps nothing from being made, for what it shows is known', async () => {
  let isPlain = false;
  const fleet: VirtualFleet = createVirtualFleet({
    seeds: { a: { gateways: [{ name: 'one', zone: 'is1b' }] } },
    broken(request) {
      if (isPlain || !request.target.includes('/applience?')) return undefined;
      isPlain = true;
      const answer = fleet.world.service.handle(request);
      isPlain = false;
      if (typeof answer === 'string') throw new Error('nothing is armed for lists');
      const body = z.looseObject({ Total: z.number() }).parse(JSON.parse(answer.body));
      return { ...answer, body: JSON.stringify({ ...body, Total: body.Total + 1 }) };
    },
  });
  const { world } = fleet;
  world.start('operator');
  await letPass(fleet, 600);
  const before = idsOf(fleet);
  world.arm({ to: 'service', fits: creates, count: 1, skip: 0, fault: 'lost-request' });
  ask(fleet, 'a');
  await letPass(fleet, 900);
  let lists = 0;
  world.onMessage((moment, { route }) => {
    if (moment === 'arrived' && route === 'GET /appliance') lists++;
  });
  await letPass(fleet, 600);
  const { id, conditions } = fleet.read(`${pathOf('a')}/one`).status;
  // Whether the first request made one can't be told by such a list: no second one goes, and that is said.
  expect([before.includes(id ?? ''), conditions.find(({ type }) => type === 'Synced')?.reason]).toEqual([
    false,
    'UnexpectedResponse',
  ]);
  expect(lists).toBeLessThan(100);
});

it.each([0, 60])('nor one of another namespace that is not shown yet, beside %d of another zone', async (many) => {
  const settings = { shownAfterCreate: 150 * SECOND };
  const others = Array.from({ length: many }, (_, index) => ({ name: `other-${index}`, zone: 'is1a' }) as const);
  const fleet = createVirtualFleet({ seeds: { a: { gateways: others }, b: {}, c: {} }, shared: 'a', settings });
  const { world } = fleet;
  const operator = world.start('operator');
  await letPass(fleet, 3600);
  ask(fleet, 'b');
  await letPass(fleet, 20);
  fleet.patch(`${pathOf('b')}/one`, { metadata: { annotations: { 'edgeline.dev/abandon': 'true' } } });
  for (const { id, name, zone } of world.service.world('a').gateways.values()) {
    if (zone !== 'is1a') continue;
    fleet.create(pathOf('c'), {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'MobileGateway',
      metadata: { name },
      spec: { zone, resourceID: id },
    });
  }
  await letPass(fleet, 15);
  const before = idsOf(fleet);
  world.arm({ to: 'service', fits: creates, count: 1, skip: 0, fault: 'lost-request' });
  const isSent = atFirst(world, 'written', creates, () => operator.kill(5 * SECOND));
  ask(fleet, 'a');
  await letPass(fleet, 1200);
  const [id] = idsOf(fleet).filter((one) => !before.includes(one));
  expect([isSent(), before.length, fleet.read(`${pathOf('a')}/one`).status.id]).toEqual([true, many + 1, id]);
  expect(id).toBeDefined();
});

it('nor the newest of more than a hundred', async () => {
  const fleet = createVirtualFleet({ seeds: { a: {}, b: {} }, shared: 'a' });
  const { world } = fleet;
  world.start('operator');
  await letPass(fleet, 3600);
  for (let index = 0; index < 101; index++) {
    world.service.add('a', 'gateways', { name: 'one', zone: 'is1b' });
    if (index === 50) await letPass(fleet, 600);
  }
  const before = idsOf(fleet);
  world.arm({ to: 'service', fits: creates, count: 1, skip: 0, fault: 'lost-request' });
  ask(fleet, 'a');
  await letPass(fleet, 1200);
  const [id] = idsOf(fleet).filter((one) => !before.includes(one));
  expect(id).toBeDefined();
  expect(fleet.read(`${pathOf('a')}/one`).status.id).toBe(id);
});
