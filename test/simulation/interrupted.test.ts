import { expect, it } from 'vitest';
import * as z from 'zod';
import { atFirst } from './at-first.ts';
import { createVirtualFleet, iccidOf, type VirtualFleet } from './fleet.ts';

const SECOND = 1000;
const DAY = 86_400 * SECOND;
const GROUP = '/apis/edgeline.dev/v1alpha1/namespaces/fleet';
const CREATION = { sims: 'POST /commonserviceitem', gateways: 'POST /appliance' } as const;
const PATH = { sims: `${GROUP}/sims/one`, gateways: `${GROUP}/mobilegateways/one` } as const;
type Kind = keyof typeof CREATION;

const ownership = z.looseObject({ ownership: z.string().optional() });

function ask(fleet: VirtualFleet, kind: Kind, spec: object = {}): void {
  if (kind === 'sims') {
    fleet.createSim('fleet', 'one', 1, { passCodeSecretRef: { name: 'pass-codes', key: 'code' }, ...spec });
  } else {
    fleet.create(`${GROUP}/mobilegateways`, {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'MobileGateway',
      metadata: { name: 'one' },
      spec: { zone: 'is1b', planID: 2, internetConnection: true, ...spec },
    });
  }
}

const creates =
  (kind: Kind) =>
  ({ route }: { readonly route: string }) =>
    route === CREATION[kind];
/** The first creation, or its answer, gets lost. */
const lose = (fleet: VirtualFleet, kind: Kind, fault: 'lost-request' | 'lost-answer') =>
  fleet.world.arm({ to: 'service', fits: creates(kind), count: 1, skip: 0, fault });
const remove = (fleet: VirtualFleet, kind: Kind) =>
  void fleet.world.apiserver.handle({ method: 'DELETE', path: PATH[kind], user: 'user' });
const pause = (fleet: VirtualFleet, kind: Kind, isPaused: boolean) =>
  fleet.patch(PATH[kind], { metadata: { annotations: { 'edgeline.dev/paused': isPaused ? 'true' : null } } });
const all = (fleet: VirtualFleet, kind: Kind) => [...fleet.world.service.world('fleet')[kind].keys()];

function told(fleet: VirtualFleet, kind: Kind) {
  const { status } = fleet.read(PATH[kind]);
  const reason = status.conditions.find(({ type }) => type === 'Ready')?.reason;
  return { id: status.id, ownership: ownership.parse(status).ownership, reason };
}

it.each([
  { kind: 'gateways', isKilled: true, isPaused: false, later: 100 * SECOND },
  { kind: 'gateways', isKilled: false, isPaused: false, later: 100 * SECOND },
  { kind: 'gateways', isKilled: true, isPaused: true, later: DAY },
  { kind: 'gateways', isKilled: false, isPaused: true, later: DAY },
  { kind: 'sims', isKilled: true, isPaused: true, later: DAY },
  { kind: 'sims', isKilled: false, isPaused: false, later: 100 * SECOND },
] as const)(
  'what a person makes long after a creation got lost is not the operator’s to delete: $kind, killed $isKilled, paused $isPaused, $later ms later',
  async ({ kind, isKilled, isPaused, later }) => {
    const fleet = createVirtualFleet({ seeds: { fleet: {} } });
    const { world } = fleet;
    const operator = world.start('operator');
    await world.run(60 * SECOND);
    lose(fleet, kind, 'lost-request');
    const isSent = atFirst(world, 'written', creates(kind), () => isKilled && operator.kill(10 * SECOND));
    ask(fleet, kind);
    await world.run(world.now() + 20 * SECOND, isSent);
    await world.run(world.now() + SECOND);
    if (isPaused) pause(fleet, kind, true);
    await world.run(world.now() + later);
    expect(all(fleet, kind)).toEqual([]);
    const id = world.service.add(
      'fleet',
      kind,
      kind === 'sims' ? { iccid: iccidOf(1), name: 'by hand' } : { name: 'one', zone: 'is1b' },
    );
    if (isPaused) {
      // The next process has nothing but what is on record; of a Sim without a status that is when it looked first.
      if (kind === 'gateways') operator.kill(10 * SECOND);
      await world.run(world.now() + DAY);
      pause(fleet, kind, false);
    }
    await world.run(world.now() + 900 * SECOND);
    // A SIM is one of its ICCID; of gateways any number may have one name, and a person has to say which is meant.
    const { ownership: whose, reason } = told(fleet, kind);
    expect(kind === 'sims' ? whose : reason).toBe(kind === 'sims' ? 'Adopted' : 'CreationAmbiguous');
    if (kind === 'gateways') fleet.patch(PATH[kind], { spec: { resourceID: id } });
    await world.run(world.now() + 300 * SECOND);
    expect(told(fleet, kind)).toMatchObject({ id, ownership: 'Adopted' });
    remove(fleet, kind);
    await world.run(world.now() + 900 * SECOND);
    expect(all(fleet, kind)).toEqual([id]);
  },
);

it.each([0, 30 * SECOND])(
  'a gateway is not made twice where its finalizer was replaced while no operator ran, shown after %i ms',
  async (shownAfterCreate) => {
    const fleet = createVirtualFleet({ seeds: { fleet: {} }, settings: { shownAfterCreate } });
    const { world } = fleet;
    const operator = world.start('operator');
    await world.run(60 * SECOND);
    const isKilled = atFirst(world, 'arrived', creates('gateways'), () => operator.kill(20 * SECOND));
    ask(fleet, 'gateways');
    await world.run(world.now() + 10 * SECOND, isKilled);
    fleet.patch(PATH.gateways, { metadata: { finalizers: null } });
    await world.run(world.now() + 600 * SECOND);
    expect({ isKilled: isKilled(), gateways: all(fleet, 'gateways'), told: told(fleet, 'gateways') }).toMatchObject({
      isKilled: true,
      gateways: [expect.any(String)],
      told: { ownership: 'Created' },
    });
  },
);

it.each([-3600, -120, 0, 120, 240, 3600])(
  'nothing is made twice, or left behind, where the clock of the operator is %i seconds ahead',
  async (seconds) => {
    for (const kind of ['sims', 'gateways'] as const) {
      const fleet = createVirtualFleet({ seeds: { fleet: {} } });
      const { world } = fleet;
      const operator = world.start('operator');
      operator.stepClock(seconds * SECOND);
      await world.run(60 * SECOND);
      lose(fleet, kind, 'lost-answer');
      ask(fleet, kind, kind === 'gateways' ? { deletionPolicy: 'Delete' } : {});
      await world.run(world.now() + 900 * SECOND);
      expect([all(fleet, kind).length, told(fleet, kind).ownership]).toEqual([1, 'Created']);
      remove(fleet, kind);
      await world.run(world.now() + 900 * SECOND);
      expect(all(fleet, kind)).toEqual([]);
    }
  },
);

it.each([-3600, 240, 3600])(
  'a gateway that is not shown yet is not made twice by a process whose clock is %i seconds ahead of the one before',
  async (seconds) => {
    const fleet = createVirtualFleet({ seeds: { fleet: {} }, settings: { shownAfterCreate: 120 * SECOND } });
    const { world } = fleet;
    const operator = world.start('operator');
    await world.run(60 * SECOND);
    ask(fleet, 'gateways');
    const isAnswered = () => 'creationAnsweredAt' in fleet.read(PATH.gateways).status;
    await world.run(world.now() + 20 * SECOND, isAnswered);
    expect(isAnswered()).toBe(true);
    await world.run(world.now() + 2 * SECOND);
    operator.kill(5 * SECOND);
    operator.stepClock(seconds * SECOND);
    await world.run(world.now() + 900 * SECOND);
    expect(all(fleet, 'gateways')).toHaveLength(1);
  },
);

it.each(['gateways', 'sims'] as const)(
  'what is asked for once more after a creation got lost is the resource’s own, though the process is killed then: %s',
  async (kind) => {
    const fleet = createVirtualFleet({ seeds: { fleet: {} } });
    const { world } = fleet;
    const operator = world.start('operator');
    await world.run(60 * SECOND);
    lose(fleet, kind, 'lost-request');
    const isKilled = atFirst(world, 'arrived', creates(kind), () => operator.kill(10 * SECOND));
    ask(fleet, kind);
    await world.run(world.now() + 1800 * SECOND);
    const [id, ...more] = all(fleet, kind);
    expect([isKilled(), more]).toEqual([true, []]);
    expect(told(fleet, kind)).toEqual({ id, ownership: 'Created', reason: 'Available' });
  },
);
