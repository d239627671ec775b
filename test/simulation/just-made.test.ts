import { expect, it } from 'vitest';
import * as z from 'zod';
import { atFirst } from './at-first.ts';
import { createVirtualFleet, iccidOf } from './fleet.ts';

const SECOND = 1000;
const GROUP = '/apis/edgeline.dev/v1alpha1';
const passCodeSecretRef = { name: 'pass-codes', key: 'code' };
const statusSchema = z.object({ status: z.object({ id: z.string(), ownership: z.string() }) });

it.each([
  {
    kind: 'sims',
    path: `${GROUP}/namespaces/fleet/sims/new`,
    route: 'POST /commonserviceitem',
    other: { iccid: iccidOf(7), name: 'by hand' },
  },
  {
    kind: 'gateways',
    path: `${GROUP}/namespaces/fleet/mobilegateways/new`,
    route: 'POST /appliance',
    other: { name: 'new', zone: 'is1b' },
  },
] as const)(
  'what was just made is not given up for another like it that the service shows first: $kind',
  async (one) => {
    const fleet = createVirtualFleet({
      seeds: { fleet: {} },
      settings: { shownAfterCreate: 30_000, allowDuplicateICCID: true },
    });
    const { world } = fleet;
    world.start('operator');
    await world.run(60 * SECOND);
    const made: string[] = [];
    let isAdded = false;
    world.service.onChange(({ from, route, objects }) => {
      if (from !== 'operator' || route !== one.route) return;
      made.push(...objects.map(({ id }) => id));
      if (isAdded) return;
      isAdded = true;
      // A moment later a person makes another, which is shown at once.
      world.at(world.now() + 200, () => void world.service.add('fleet', one.kind, one.other));
    });
    if (one.kind === 'sims') fleet.createSim('fleet', 'new', 7, { passCodeSecretRef });
    else {
      fleet.create(one.path.replace(/\/new$/, ''), {
        apiVersion: 'edgeline.dev/v1alpha1',
        kind: 'MobileGateway',
        metadata: { name: 'new', namespace: 'fleet' },
        spec: { zone: 'is1b', planID: 2, internetConnection: true },
      });
    }
    await world.run(world.now() + 400 * SECOND);
    const answer = world.apiserver.handle({ method: 'GET', path: one.path, user: 'user' });
    const { status } = statusSchema.parse(JSON.parse('body' in answer ? answer.body : ''));
    expect({ made, status }).toEqual({ made: [status.id], status: { id: made[0], ownership: 'Created' } });
  },
);

it.each([
  { title: 'at once', refused: 0 },
  { title: 'at the second try', refused: 1 },
])(
  'a gateway that is renamed by hand once its ID is stored, $title, is not made again after a crash',
  async ({ refused }) => {
    const fleet = createVirtualFleet({ seeds: { fleet: {} }, settings: { migratingTime: 0 } });
    const { world } = fleet;
    const operator = world.start('operator');
    await world.run(60 * SECOND);
    const isStatus = ({ route }: { readonly route: string }) => route === 'patch mobilegateways/status';
    atFirst(
      world,
      'arrived',
      ({ route }) => route === 'POST /appliance',
      () => refused > 0 && world.arm({ to: 'kubernetes', fits: isStatus, count: refused, fault: { kubernetes: 500 } }),
    );
    const isKilled = atFirst(
      world,
      'arrived',
      ({ to, route }) => to === 'service' && route.startsWith('GET /appliance/:id/'),
      () => {
        world.service.edit({ gateways: { new: { name: 'renamed' } } });
        operator.kill(5000);
      },
    );
    fleet.create(`${GROUP}/namespaces/fleet/mobilegateways`, {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'MobileGateway',
      metadata: { name: 'new' },
      spec: { zone: 'is1b', planID: 2, dns: { primary: '8.8.8.8', secondary: '8.8.4.4' } },
    });
    await world.run(world.now() + 900 * SECOND);
    expect([isKilled(), world.service.world('fleet').gateways.size]).toEqual([true, 1]);
  },
);
