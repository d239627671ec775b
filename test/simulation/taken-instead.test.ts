import { expect, it } from 'vitest';
import * as z from 'zod';
import type { Message } from '../../src/shadow/world/messages.ts';
import { atFirst } from './at-first.ts';
import { createVirtualFleet, type VirtualFleet } from './fleet.ts';
import { GROUP, GW, gateway, letPass, MGW, OTHER } from './gateway-fleet.ts';

/** What a creation made whose answer was lost costs money: somebody has to be told that nobody looks after it. */

const EVENTS = '/apis/events.k8s.io/v1/namespaces/fleet/events';
const leftOf = ({ world }: VirtualFleet) => {
  const answer = world.apiserver.handle({ method: 'GET', path: EVENTS, user: 'user' });
  const { items } = eventsSchema.parse(JSON.parse('body' in answer ? answer.body : ''));
  return items.flatMap(({ reason, note }) => (reason === 'LeftBehind' ? [note] : []));
};
const eventsSchema = z.object({ items: z.array(z.object({ type: z.string(), reason: z.string(), note: z.string() })) });

it.each([
  {
    what: 'another than its interrupted creation may have made',
    mayBeOurs: false,
    notes: [
      `Took over ${OTHER.id}, as the spec asks. A creation was interrupted before that, and may have made another at the service, which nobody looks after. Look for it there, and delete it if nobody needs it.`,
    ],
  },
  { what: 'the one that its interrupted creation made', mayBeOurs: true, notes: [] },
])(
  'a MobileGateway whose spec comes to name $what says so where something may be left',
  async ({ mayBeOurs, notes }) => {
    const fleet = createVirtualFleet({ seeds: { fleet: { gateways: [GW, OTHER] } } });
    const { world } = fleet;
    world.start('operator');
    const fits = ({ route }: Message) => route === 'POST /appliance';
    world.arm({ to: 'service', fits, count: 1, fault: 'lost-answer' });
    await letPass(fleet, 900);
    let made: string | undefined;
    atFirst(world, 'arrived', fits, () => {
      world.at(world.now() + 1, () => {
        made = [...world.service.world('fleet').gateways.keys()].find((id) => id !== GW.id && id !== OTHER.id);
        fleet.patch(`${MGW}/one`, { spec: { resourceID: mayBeOurs ? made : OTHER.id } });
      });
    });
    gateway(fleet, 'one', { planID: 2 });
    await letPass(fleet, 900);
    expect([fleet.read(`${GROUP}/mobilegateways/one`).status.id, leftOf(fleet)]).toEqual([
      mayBeOurs ? made : OTHER.id,
      notes,
    ]);
  },
);

it('one whose status a restore lost, and that is told its ID, is told of no interrupted creation', async () => {
  const fleet = createVirtualFleet({ seeds: { fleet: { gateways: [GW] } } });
  const { world } = fleet;
  const operator = world.start('operator');
  gateway(fleet, 'one', { planID: 2 });
  await letPass(fleet, 900);
  const { spec, metadata, status } = fleet.read(`${MGW}/one`);
  operator.kill(600_000);
  fleet.patch(`${MGW}/one`, { metadata: { finalizers: null } });
  world.apiserver.handle({ method: 'DELETE', path: `${MGW}/one`, user: 'user' });
  await letPass(fleet, 60);
  fleet.create(MGW, {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'MobileGateway',
    metadata: { name: 'one', finalizers: metadata.finalizers },
    spec,
  });
  await letPass(fleet, 1200);
  fleet.patch(`${MGW}/one`, { spec: { resourceID: status.id } });
  await letPass(fleet, 900);
  expect([fleet.read(`${MGW}/one`).status.id, leftOf(fleet)]).toEqual([status.id, []]);
});

it.each([
  { what: 'made by hand in the same minutes, stays', isRenamed: false },
  { what: 'made by it and renamed, goes, as a person was asked', isRenamed: true },
])('a gateway that a spec came to name, and that was $what when the resource is deleted', async ({ isRenamed }) => {
  const fleet = createVirtualFleet({ seeds: { fleet: { gateways: [GW] } } });
  const { world } = fleet;
  const operator = world.start('operator');
  const { gateways } = world.service.world('fleet');
  const fits = ({ route }: Message) => route === 'POST /appliance';
  world.arm({ to: 'service', fits, count: 1, fault: isRenamed ? 'lost-answer' : 'lost-request' });
  await letPass(fleet, 3600);
  let named = '';
  atFirst(world, isRenamed ? 'arrived' : 'written', fits, () => {
    operator.kill(60_000);
    world.at(world.now() + 30_000, () => {
      if (isRenamed) world.service.edit({ gateways: { one: { name: 'renamed' } } });
      else world.service.add('fleet', 'gateways', { name: 'by hand', zone: 'is1b' });
      named = [...gateways.keys()].find((id) => id !== GW.id) ?? '';
      if (!isRenamed) fleet.patch(`${MGW}/one`, { spec: { resourceID: named } });
    });
  });
  gateway(fleet, 'one', { planID: 2 });
  await letPass(fleet, 1200);
  if (isRenamed) fleet.patch(`${MGW}/one`, { spec: { resourceID: named } });
  await letPass(fleet, 600);
  expect(fleet.read(`${MGW}/one`).status.id).toBe(named);
  world.apiserver.handle({ method: 'DELETE', path: `${MGW}/one`, user: 'user' });
  await letPass(fleet, 600);
  expect([...gateways.keys()]).toEqual(isRenamed ? [GW.id] : [GW.id, named]);
});
