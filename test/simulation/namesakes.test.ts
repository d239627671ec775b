import { expect, it } from 'vitest';
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
  const isSent = atFirst(
    world,
    fault === 'delayed-arrival' ? 'written' : fault === 'lost-answer' ? 'arrived' : 'written',
    creates,
    () => {
      if (isKilled) operator.kill(5 * SECOND);
    },
  );
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
