import { expect, it } from 'vitest';
import * as z from 'zod';
import type { Message } from '../../src/shadow/world/messages.ts';
import { atFirst } from './at-first.ts';
import { createVirtualFleet, iccidOf, type VirtualFleet } from './fleet.ts';

const SECOND = 1000;
const SIM = { id: '113300500001', iccid: iccidOf(1), name: 'one', activated: false };
const PATH = '/apis/edgeline.dev/v1alpha1/namespaces/fleet/sims/one';
const asked = z.looseObject({ plan: z.looseObject({ hash: z.string() }) });

const isWrite = ({ to, verb }: Message) => to === 'service' && verb !== 'GET';
const approve = (fleet: VirtualFleet) =>
  fleet.patch(PATH, {
    metadata: { annotations: { 'edgeline.dev/approve': asked.parse(fleet.read(PATH).status).plan.hash } },
  });
const readyOf = (fleet: VirtualFleet, type: string) =>
  fleet.read(PATH).status.conditions.find((condition) => condition.type === type)?.reason;

/** A Sim that is active, and whose deactivation was asked for and waits for approval. */
async function whoseDeactivationIsAskedFor() {
  const fleet = createVirtualFleet({ seeds: { fleet: { sims: [SIM] } } });
  const { world } = fleet;
  const operator = world.start('operator');
  await world.run(60 * SECOND);
  fleet.createSim('fleet', 'one', 1, { activated: true });
  await world.run(world.now() + 60 * SECOND);
  fleet.patch(PATH, { spec: { managementPolicy: 'ApproveChanges' } });
  await world.run(world.now() + 60 * SECOND);
  fleet.patch(PATH, { spec: { activated: false } });
  await world.run(world.now() + 60 * SECOND);
  const routes: string[] = [];
  world.service.onChange(({ route, from }) => void (from === 'operator' && routes.push(route)));
  return { fleet, operator, routes };
}

it.each(['stall after', 'gateway timeout after', 'cut after', 'timeout after'] as const)(
  'going back on what was approved, carried out and not answered needs approval: %s',
  async (service) => {
    const { fleet, routes } = await whoseDeactivationIsAskedFor();
    const { world } = fleet;
    const fits = ({ route }: { route: string }) => route.endsWith('/sim/deactivate');
    world.arm({ to: 'service', fits, count: 50, skip: 0, fault: { service } });
    const isThere = atFirst(world, 'arrived', fits);
    approve(fleet);
    await world.run(world.now() + 60 * SECOND, isThere);
    await world.run(world.now() + SECOND);
    fleet.patch(PATH, { spec: { activated: true } });
    await world.run(world.now() + 900 * SECOND);
    expect([isThere(), routes.filter((route) => route.endsWith('/activate'))]).toEqual([true, []]);
    expect(readyOf(fleet, 'Synced')).toBe('ApprovalPending');
    approve(fleet);
    await world.run(world.now() + 300 * SECOND);
    expect([routes.filter((route) => route.endsWith('/activate')).length, [...fleet.waiting('fleet')]]).toEqual([
      1,
      [],
    ]);
  },
);

it.each(['killed', 'killed, paused, killed', 'killed, refused, killed'])(
  'going back on what was approved and carried out by a process that ended needs approval: %s',
  async (how) => {
    const { fleet, operator, routes } = await whoseDeactivationIsAskedFor();
    const { world } = fleet;
    const isKilled = atFirst(world, 'arrived', isWrite, () => operator.kill(10 * SECOND));
    approve(fleet);
    await world.run(world.now() + 60 * SECOND, isKilled);
    await world.run(world.now() + SECOND);
    const pause = (value: string | null) =>
      fleet.patch(PATH, { metadata: { annotations: { 'edgeline.dev/paused': value } } });
    if (how.includes('paused')) pause('true');
    if (how.includes('refused')) world.service.accept('fleet', false);
    if (how !== 'killed') {
      await world.run(world.now() + 60 * SECOND);
      operator.kill(10 * SECOND);
      await world.run(world.now() + SECOND);
    }
    fleet.patch(PATH, { spec: { activated: true } });
    if (how.includes('paused')) pause(null);
    if (how.includes('refused')) world.service.accept('fleet', true);
    await world.run(world.now() + 900 * SECOND);
    expect([isKilled(), routes, readyOf(fleet, 'Synced')]).toEqual([
      true,
      ['PUT /commonserviceitem/:id/sim/deactivate'],
      'ApprovalPending',
    ]);
  },
);

it('what was approved and done by a process that ended is not approved once more while something else is waited for', async () => {
  const fleet = createVirtualFleet({ seeds: { fleet: { sims: [SIM] } } });
  const { world } = fleet;
  const operator = world.start('operator');
  await world.run(60 * SECOND);
  fleet.createSim('fleet', 'one', 1, {
    activated: true,
    managementPolicy: 'Approve',
    gatewayRef: { name: 'not-made-yet' },
  });
  await world.run(world.now() + 60 * SECOND);
  const routes: string[] = [];
  world.service.onChange(({ from, route }) => void (from === 'operator' && routes.push(route)));
  const isKilled = atFirst(world, 'arrived', isWrite, () => operator.kill(10 * SECOND));
  approve(fleet);
  await world.run(world.now() + 3600 * SECOND);
  world.service.edit({ sims: { [SIM.id]: { activated: false } } });
  await world.run(world.now() + 600 * SECOND);
  expect([isKilled(), routes.length, readyOf(fleet, 'Synced')]).toEqual([true, 1, 'ApprovalPending']);
});
