import { expect, it } from 'vitest';
import * as z from 'zod';
import { createVirtualFleet, iccidOf, type VirtualFleet } from './fleet.ts';
import { PASS_CODE } from './tenants.ts';

/** What goes from the cluster behind the operator's back leaves a SIM in service, which costs money: somebody has to be told. */

const SECOND = 1000;
const PATH = '/apis/edgeline.dev/v1alpha1/namespaces/fleet/sims/one';
const EVENTS = '/apis/events.k8s.io/v1/namespaces/fleet/events';

const eventsSchema = z.object({ items: z.array(z.object({ type: z.string(), reason: z.string(), note: z.string() })) });

function eventsOf({ world }: VirtualFleet) {
  const answer = world.apiserver.handle({ method: 'GET', path: EVENTS, user: 'user' });
  return eventsSchema.parse(JSON.parse('body' in answer ? answer.body : '')).items;
}

/** The events about a resource that goes. */
function told(fleet: VirtualFleet): string[] {
  return eventsOf(fleet)
    .filter(({ reason }) => ['LeftBehind', 'Orphaned', 'Deleted'].includes(reason))
    .map(({ type, reason }) => `${type} ${reason}`);
}

const pause = (fleet: VirtualFleet) =>
  fleet.patch(PATH, { metadata: { annotations: { 'edgeline.dev/paused': 'true' } } });
const strip = (fleet: VirtualFleet) => fleet.patch(PATH, { metadata: { finalizers: null } });
const remove = ({ world }: VirtualFleet) => void world.apiserver.handle({ method: 'DELETE', path: PATH, user: 'user' });
const orphan = (fleet: VirtualFleet) => fleet.patch(PATH, { spec: { deletionPolicy: 'Orphan' } });
const abandon = (fleet: VirtualFleet) =>
  fleet.patch(PATH, { metadata: { annotations: { 'edgeline.dev/abandon': 'true' } } });

type Act = (fleet: VirtualFleet) => void;

it.each<[how: string, acts: readonly Act[], expected: readonly string[]]>([
  ['paused, its finalizer off, and deleted', [pause, strip, remove], ['Warning LeftBehind']],
  ['paused and deleted, and then its finalizer off', [pause, remove, strip], ['Warning LeftBehind']],
  ['kept, its finalizer off, and deleted while it is', [pause, orphan, strip, remove], []],
  ['deleted', [remove], ['Normal Deleted']],
  ['kept, and deleted', [orphan, remove], ['Normal Orphaned']],
  ['abandoned, and deleted', [abandon, remove], ['Normal Orphaned']],
])('a Sim that is %s: what is told of its SIM', async (_, acts, expected) => {
  const fleet = createVirtualFleet({ seeds: { fleet: {} } });
  const { world } = fleet;
  for (const name of ['one', 'two']) world.start(name, { leaderElect: true });
  fleet.createSim('fleet', 'one', 1, PASS_CODE);
  await world.run(60 * SECOND);
  expect(fleet.waiting('fleet')).toEqual(new Set());
  for (const act of acts) {
    act(fleet);
    await world.run(world.now() + 5 * SECOND);
  }
  await world.run(world.now() + 60 * SECOND);
  expect(told(fleet)).toEqual(expected);
});

it('a Sim whose finalizer goes with it, in one moment', async () => {
  const fleet = createVirtualFleet({ seeds: { fleet: {} } });
  const { world } = fleet;
  world.start('one');
  fleet.createSim('fleet', 'one', 1, PASS_CODE);
  await world.run(60 * SECOND);
  strip(fleet);
  remove(fleet);
  await world.run(world.now() + 60 * SECOND);
  expect(told(fleet)).toEqual(['Warning LeftBehind']);
});

it.each([
  [false, /^SIM \d{12} \(ICCID 8981\d+\) stays at the service, and nobody looks after it: /],
  [true, /^SIM \d{12} \(ICCID 8981\d+\) is missing since 2026-\S+Z, and nobody looks after it if it is there again: /],
])(
  'what is told of the SIM says where to find it, and not that it stays where it is missing: %s',
  async (isLost, expected) => {
    const fleet = createVirtualFleet({ seeds: { fleet: {} } });
    const { world } = fleet;
    world.start('one');
    for (const [number, name] of ['one', 'two', 'three'].entries()) fleet.createSim('fleet', name, number, PASS_CODE);
    await world.run(300 * SECOND);
    if (isLost) for (const number of [0, 1, 2]) world.service.remove('sims', iccidOf(number));
    await world.run(world.now() + 300 * SECOND);
    pause(fleet);
    await world.run(world.now() + 5 * SECOND);
    strip(fleet);
    remove(fleet);
    await world.run(world.now() + 60 * SECOND);
    const notes = eventsOf(fleet).flatMap(({ reason, note }) => (reason === 'LeftBehind' ? [note] : []));
    expect(notes).toEqual([expect.stringMatching(expected)]);
  },
);

it('a Sim that is deleted, and changed at any moment of it, is not said to have left anything', async () => {
  const alarms: string[] = [];
  for (let nth = 1; ; nth++) {
    const fleet = createVirtualFleet({ seeds: { fleet: {} } });
    const { world } = fleet;
    world.start('one');
    fleet.createSim('fleet', 'one', 1, PASS_CODE);
    await world.run(60 * SECOND);
    let moments = 0;
    let isStruck = false;
    world.onMessage(() => {
      moments++;
      if (moments !== nth) return;
      world.at(world.now(), () => {
        const path = {
          method: 'PATCH',
          path: PATH,
          contentType: 'application/merge-patch+json',
          user: 'user',
        } as const;
        const body = JSON.stringify({ metadata: { annotations: { note: 'changed' } } });
        isStruck = world.apiserver.handle({ ...path, body }).status === 200;
      });
    });
    remove(fleet);
    await world.run(world.now() + 60 * SECOND);
    if (!isStruck) break;
    if (told(fleet).join() !== 'Normal Deleted') alarms.push(`at ${nth}: ${told(fleet).join()}`);
  }
  expect(alarms).toEqual([]);
}, 60_000);

it('a Sim whose SIM may have been made, and that is gone before anybody could look', async () => {
  const fleet = createVirtualFleet({ seeds: { fleet: {} } });
  const { world } = fleet;
  world.start('one');
  await world.run(10 * SECOND);
  const arm = (of: string, fault: 'lost-answer' | { service: 'unavailable' }) =>
    world.arm({ to: 'service', fits: ({ route }) => route === of, count: 100, skip: 0, fault });
  arm('POST /commonserviceitem', 'lost-answer');
  world.onMessage((moment, { route }) => {
    if (moment === 'arrived' && route === 'POST /commonserviceitem')
      arm('GET /commonserviceitem', { service: 'unavailable' });
  });
  fleet.createSim('fleet', 'one', 1, PASS_CODE);
  await world.run(world.now() + 40 * SECOND);
  strip(fleet);
  remove(fleet);
  await world.run(world.now() + 60 * SECOND);
  expect([world.service.world('fleet').sims.size, told(fleet)]).toEqual([1, ['Warning LeftBehind']]);
});
