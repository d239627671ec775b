import { expect, it } from 'vitest';
import * as z from 'zod';
import type { StoredObject } from '../../src/shadow/apiserver/apiserver.ts';
import type { Message } from '../../src/shadow/world/messages.ts';
import { atFirst } from './at-first.ts';
import { createVirtualFleet, type VirtualFleet } from './fleet.ts';

const SECOND = 1000;
const GROUP = '/apis/edgeline.dev/v1alpha1/namespaces/fleet';
const SITE = { id: '113300001001', name: 'www', domain: 'a.example.jp' };
const GATEWAY = { id: '113300002001', name: 'depot', zone: 'is1b' } as const;
const SIM = { id: '113300003001', iccid: '8981040000000000001', name: 'truck', activated: true };
const ACTIVATE = 'PUT /commonserviceitem/:id/sim/activate';
const LOCK = 'PUT /commonserviceitem/:id/sim/imeilock';

const statusSchema = z.object({
  conditions: z.array(z.object({ type: z.string(), status: z.string(), observedGeneration: z.int() })).default([]),
});

/** Whether an object says that it is Ready by the spec of this generation. */
function isReadyBy(generation: number, { status }: StoredObject): boolean {
  const { conditions } = statusSchema.parse(status ?? {});
  return conditions.some(
    (one) => one.type === 'Ready' && one.status === 'True' && one.observedGeneration === generation,
  );
}

/** What happens from now on: the changes that the service carries out, and `Ready` when a resource says that it is by that spec. */
function storyOf({ world }: VirtualFleet, plural: string, generation: number): string[] {
  const story: string[] = [];
  world.apiserver.onChange(({ resource, new: object }) => {
    if (resource === plural && object && isReadyBy(generation, object)) story.push('Ready');
  });
  world.onMessage((moment, { to, verb, route }) => {
    if (to === 'service' && verb === 'PUT' && moment === 'arrived') story.push(route);
  });
  return story;
}

function createOne(fleet: VirtualFleet, plural: string, manifest: object): void {
  fleet.create(`${GROUP}/${plural}`, {
    apiVersion: 'edgeline.dev/v1alpha1',
    metadata: { name: 'one' },
    ...manifest,
  });
}

it.each([
  {
    plural: 'webaccelsites',
    manifest: { kind: 'WebAccelSite', spec: { domain: SITE.domain } },
    edit: { vary: true },
  },
  {
    plural: 'mobilegateways',
    manifest: { kind: 'MobileGateway', spec: { zone: GATEWAY.zone, resourceID: GATEWAY.id } },
    edit: { internetConnection: true },
  },
  {
    plural: 'sims',
    manifest: { kind: 'Sim', spec: { iccid: SIM.iccid } },
    edit: { activated: false },
  },
])(
  '$plural edited while the finalizer is written are not Ready by the new spec before it is carried out',
  async (of) => {
    const { plural, manifest, edit } = of;
    const fleet = createVirtualFleet({ seeds: { fleet: { sites: [SITE], gateways: [GATEWAY], sims: [SIM] } } });
    const { world } = fleet;
    const isFinalizer = ({ route }: { route: string }) => route === `patch ${plural}`;
    world.arm({ to: 'kubernetes', fits: isFinalizer, count: 1, fault: 'slow' });
    const isEdited = atFirst(world, 'arrived', isFinalizer, () =>
      world.at(world.now() + 1, () => fleet.patch(`${GROUP}/${plural}/one`, { spec: edit })),
    );
    const story = storyOf(fleet, plural, 2);
    world.start('operator');
    createOne(fleet, plural, manifest);
    await world.run(120 * SECOND);
    expect(isEdited()).toBe(true);
    expect([...fleet.waiting('fleet', plural)]).toEqual([]);
    expect(story[0]).toMatch(/^PUT/);
  },
);

it('a Sim edited while it is looked at after a failure is not Ready by the new spec before it is carried out', async () => {
  const fleet = createVirtualFleet({ seeds: { fleet: { sims: [SIM] } } });
  const { world } = fleet;
  const edit = (spec: object) => fleet.patch(`${GROUP}/sims/one`, { spec });
  world.start('operator');
  createOne(fleet, 'sims', { kind: 'Sim', spec: { iccid: SIM.iccid } });
  await world.run(60 * SECOND);
  const story = storyOf(fleet, 'sims', 3);
  const isLock = ({ route }: Message) => route === LOCK;
  world.arm({ to: 'service', fits: isLock, count: 3, fault: { service: 'internal error after' } });
  let locks = 0;
  world.onMessage((moment, message) => {
    if (moment === 'answered' && isLock(message)) locks++;
  });
  const isLook = ({ route }: Message) => locks === 3 && route === 'GET /commonserviceitem';
  const isEdited = atFirst(world, 'begun', isLook, () => edit({ activated: true }));
  edit({ activated: false, imeiLock: '356938035643809' });
  await world.run(180 * SECOND);
  expect(isEdited()).toBe(true);
  expect([...fleet.waiting('fleet')]).toEqual([]);
  expect(story.indexOf('Ready')).toBeGreaterThan(story.indexOf(ACTIVATE));
});

it('an account edited while its status is written is not Ready by the new spec before that is looked at', async () => {
  const fleet = createVirtualFleet({ seeds: { fleet: {} } });
  const { world } = fleet;
  const story = storyOf(fleet, 'cloudaccounts', 2);
  const isStatus = ({ route, body }: Message) =>
    route === 'patch cloudaccounts/status' && body?.includes('"Verified"') === true;
  const isEdited = atFirst(world, 'written', isStatus, () =>
    fleet.patch(`${GROUP}/cloudaccounts/default`, { spec: { credentialsSecretRef: { name: 'missing' } } }),
  );
  world.start('operator');
  await world.run(120 * SECOND);
  expect(isEdited()).toBe(true);
  expect(fleet.read(`${GROUP}/cloudaccounts/default`).status.conditions).toContainEqual(
    expect.objectContaining({ type: 'Ready', status: 'False', reason: 'SecretNotFound', observedGeneration: 2 }),
  );
  expect(story).toEqual([]);
});
