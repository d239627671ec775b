import { expect, it } from 'vitest';
import { atFirst } from './at-first.ts';
import { createVirtualFleet, type VirtualFleet } from './fleet.ts';

const SECOND = 1000;
const GATEWAYS = '/apis/edgeline.dev/v1alpha1/namespaces/fleet/mobilegateways';
const PATH = `${GATEWAYS}/one`;

const creates = ({ route }: { readonly route: string }) => route === 'POST /appliance';
const isAsked = (fleet: VirtualFleet) => fleet.read(PATH).status.conditions.some(({ type }) => type === 'Stalled');
const namesOf = (fleet: VirtualFleet) =>
  [...fleet.world.service.world('fleet').gateways.values()].map(({ name }) => name).toSorted();

function ask(fleet: VirtualFleet, name = 'one', spec: object = {}): void {
  const metadata = { name, namespace: 'fleet' };
  const deletionPolicy = 'Delete';
  fleet.create(GATEWAYS, {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'MobileGateway',
    metadata,
    spec: { zone: 'is1b', planID: 2, deletionPolicy, ...spec },
  });
}

/** The creation gets no answer; what it made, if anything, is renamed at once, and the process may be killed. */
async function interrupted(
  fault: 'lost-request' | 'lost-answer',
  isKilled: boolean,
  meanwhile: (fleet: VirtualFleet) => void,
  before: (fleet: VirtualFleet) => void = () => undefined,
): Promise<VirtualFleet> {
  const fleet = createVirtualFleet({ seeds: { fleet: {}, elsewhere: {} } });
  const { world } = fleet;
  const operator = world.start('operator');
  world.service.add('fleet', 'gateways', { name: 'old', zone: 'is1b' });
  before(fleet);
  await world.run(3600 * SECOND);
  world.arm({ to: 'service', fits: creates, count: 1, skip: 0, fault });
  const isSent = atFirst(world, fault === 'lost-answer' ? 'arrived' : 'written', creates, () => {
    if (isKilled) operator.kill(10 * SECOND);
    world.at(world.now() + 1, () => meanwhile(fleet));
  });
  ask(fleet);
  await world.run(world.now() + 20 * SECOND, isSent);
  expect(isSent()).toBe(true);
  await world.run(world.now() + 900 * SECOND);
  return fleet;
}

const rename = (fleet: VirtualFleet) => {
  fleet.world.service.edit({ gateways: { one: { name: 'renamed' } } });
};

it.each([true, false])(
  'a gateway whose creation got no answer, and that somebody renamed, is not made again; killed %s',
  async (isKilled) => {
    const fleet = await interrupted('lost-answer', isKilled, rename);
    const { world } = fleet;
    const [, id] = world.service.world('fleet').gateways.keys();
    expect(namesOf(fleet)).toEqual(['old', 'renamed']);
    expect(fleet.read(PATH).status.conditions.find(({ type }) => type === 'Stalled')).toMatchObject({
      reason: 'CreationAmbiguous',
      message: `The creation of "one" was interrupted, and the zone has no gateway of that name. Others were made at that time, and no MobileGateway is known to have them: ${id} ("renamed"). Somebody may have renamed what it made. If one of them is it, set resourceID to its ID. Otherwise give this resource another displayName, which none of these has, or set deletionPolicy: Orphan, delete this resource and create it again: then a new gateway is made.`,
    });
    fleet.patch(PATH, { spec: { resourceID: id } });
    await world.run(world.now() + 300 * SECOND);
    expect([namesOf(fleet), fleet.read(PATH).status.id]).toEqual([['old', 'renamed'], id]);
  },
);

it.each(['before it is told', 'once it is told'])(
  'nor is it where its resource asks for it by its new name, %s, or one of another account does that only observes',
  async (when) => {
    const alike = (fleet: VirtualFleet) => fleet.patch(PATH, { spec: { displayName: 'renamed' } });
    const fleet = await interrupted('lost-answer', true, (one) => {
      rename(one);
      if (when === 'before it is told') alike(one);
      const metadata = { name: 'another', namespace: 'elsewhere' };
      one.create('/apis/edgeline.dev/v1alpha1/namespaces/elsewhere/mobilegateways', {
        apiVersion: 'edgeline.dev/v1alpha1',
        kind: 'MobileGateway',
        metadata,
        spec: { zone: 'is1b', planID: 2, displayName: 'renamed', managementPolicy: 'Observe' },
      });
    });
    const { world } = fleet;
    if (when === 'once it is told') alike(fleet);
    await world.run(world.now() + 900 * SECOND);
    expect(namesOf(fleet)).toEqual(['old', 'renamed']);
    const [, id] = world.service.world('fleet').gateways.keys();
    fleet.patch(PATH, { spec: { resourceID: id } });
    await world.run(world.now() + 300 * SECOND);
    expect([namesOf(fleet), fleet.read(PATH).status.id]).toEqual([['old', 'renamed'], id]);
  },
);

it('who wants another one gets it, and the one in question is left alone', async () => {
  const fleet = await interrupted('lost-answer', true, rename);
  const { world } = fleet;
  fleet.patch(PATH, { spec: { displayName: 'other' } });
  await world.run(world.now() + 900 * SECOND);
  expect(namesOf(fleet)).toEqual(['old', 'other', 'renamed']);
  void world.apiserver.handle({ method: 'DELETE', path: PATH, user: 'user' });
  await world.run(world.now() + 300 * SECOND);
  expect(namesOf(fleet)).toEqual(['old', 'renamed']);
});

it('nor is it where it got another displayName before that was told, and something else is changed since', async () => {
  const fleet = await interrupted('lost-answer', true, (one) => {
    rename(one);
    one.patch(PATH, { spec: { displayName: 'other' } });
  });
  fleet.patch(PATH, { spec: { internetConnection: true } });
  await fleet.world.run(fleet.world.now() + 900 * SECOND);
  expect([namesOf(fleet), isAsked(fleet)]).toEqual([['old', 'renamed'], true]);
  expect(fleet.read(PATH).status.conditions.find(({ type }) => type === 'Stalled')?.['message']).toContain(
    'Otherwise set deletionPolicy: Orphan, delete this resource and create it again: then a new gateway is made.',
  );
});

it('nor is it where planID leaves the spec meanwhile, and comes back', async () => {
  const fleet = await interrupted('lost-answer', true, rename);
  for (const planID of [null, 2]) {
    fleet.patch(PATH, { spec: { planID } });
    await fleet.world.run(fleet.world.now() + 300 * SECOND);
    expect([namesOf(fleet), isAsked(fleet)]).toEqual([['old', 'renamed'], true]);
  }
});

it.each([
  ['before', undefined],
  ['meanwhile', 1],
  ['after it is told', 800],
])('nor is it where somebody names its ID, %s, whose account cannot be used', async (_, seconds) => {
  const id = '113300000002';
  const elsewhere = '/apis/edgeline.dev/v1alpha1/namespaces/elsewhere';
  const name = (fleet: VirtualFleet) =>
    fleet.create(`${elsewhere}/mobilegateways`, {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'MobileGateway',
      metadata: { name: 'stranger' },
      spec: { zone: 'is1b', resourceID: id },
    });
  const fleet = await interrupted(
    'lost-answer',
    true,
    (one) => {
      rename(one);
      if (seconds !== undefined) one.world.at(one.world.now() + seconds * SECOND, () => name(one));
    },
    (one) => {
      one.patch(`${elsewhere}/cloudaccounts/default`, { spec: { credentialsSecretRef: { name: 'none' } } });
      if (seconds === undefined) name(one);
    },
  );
  await fleet.world.run(fleet.world.now() + 600 * SECOND);
  expect([...fleet.world.service.world('fleet').gateways.keys()]).toContain(id);
  expect([namesOf(fleet), isAsked(fleet)]).toEqual([['old', 'renamed'], true]);
});

it('one that is to be deleted waits for a person; let go, it is made anew as it was', async () => {
  const fleet = await interrupted('lost-answer', true, rename);
  const { world } = fleet;
  void world.apiserver.handle({ method: 'DELETE', path: PATH, user: 'user' });
  await world.run(world.now() + 900 * SECOND);
  expect(fleet.read(PATH).status.conditions.find(({ type }) => type === 'Stalled')?.message).toContain(
    'Set resourceID to the one to delete with this resource, or deletionPolicy: Orphan to let go of all of them.',
  );
  fleet.patch(PATH, { spec: { deletionPolicy: 'Orphan' } });
  await world.run(world.now() + 60 * SECOND);
  ask(fleet);
  await world.run(world.now() + 300 * SECOND);
  expect([namesOf(fleet), isAsked(fleet)]).toEqual([['old', 'one', 'renamed'], false]);
});

it.each<[string, (fleet: VirtualFleet) => void]>([
  ['for another resource', (fleet) => ask(fleet, 'two')],
  ['of another zone', ({ world }) => void world.service.add('fleet', 'gateways', { name: 'by hand', zone: 'is1a' })],
  ['an hour before', () => undefined],
  [
    'for another resource that let go of it',
    (fleet) => {
      ask(fleet, 'two', { deletionPolicy: 'Orphan' });
      const { world } = fleet;
      const path = `${GATEWAYS}/two`;
      world.at(world.now() + 60 * SECOND, () => void world.apiserver.handle({ method: 'DELETE', path, user: 'user' }));
    },
  ],
])('where no gateway was made but one %s, another is asked for', async (_, meanwhile) => {
  const fleet = await interrupted('lost-request', true, meanwhile);
  expect(namesOf(fleet)).toContain('one');
  expect(isAsked(fleet)).toBe(false);
});
