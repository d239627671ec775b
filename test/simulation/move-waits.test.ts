import { describe, expect, it } from 'vitest';
import type { Message } from '../../src/shadow/world/messages.ts';
import { createVirtualFleet, iccidOf } from './fleet.ts';
import { GROUP, gateway, letPass } from './gateway-fleet.ts';

const privateInterface = { ipAddress: '10.0.0.1', networkMaskLength: 24 };
const gateways = ['a', 'b', 'c'].map((name, index) => {
  const id = `11330000200${index + 1}`;
  return { id, name, zone: 'is1b', instanceStatus: 'up', privateInterface } as const;
});
const gatewayIDs = Object.fromEntries(gateways.map(({ name, id }) => [name, id]));
const idOf = (sim: number) => String(113_300_003_000 + sim);
const ipOf = (sim: number) => `10.0.0.${20 + sim}`;
const FREE = '10.0.0.99';

/** Where a SIM is: the name of the gateway, and its address there. */
type Place = readonly [gateway: string | undefined, ip: string | null | undefined];

/** Sims in service, each with an address of its own on the gateway that is named at its place, from 1. */
async function createPlaced(places: readonly string[], spec: object = {}) {
  const sims = places.map((_, index) => {
    return { id: idOf(index + 1), iccid: iccidOf(index + 1), name: `s-${index + 1}`, activated: true };
  });
  const fleet = createVirtualFleet({ seeds: { fleet: { gateways, sims } } });
  const operator = fleet.world.start('operator');
  for (const { name, id } of gateways) gateway(fleet, name, { resourceID: id });
  for (const [index, name] of places.entries()) {
    const place = { gatewayRef: { name }, ipAddress: ipOf(index + 1) };
    fleet.createSim('fleet', `s-${index + 1}`, index + 1, { ...place, ...spec });
  }
  await letPass(fleet, 600);
  expect([...fleet.waiting('fleet', 'sims')]).toEqual([]);
  return {
    fleet,
    operator,
    place(sim: number): Place {
      const view = fleet.world.service.world('fleet').sims.get(idOf(sim));
      return [gateways.find(({ id }) => id === view?.gatewayID)?.name, view?.ip];
    },
    patch: (sim: number, members: object) => fleet.patch(`${GROUP}/sims/s-${sim}`, { spec: members }),
    remove: (sim: number) =>
      fleet.world.apiserver.handle({ method: 'DELETE', path: `${GROUP}/sims/s-${sim}`, user: 'user' }),
  };
}

type Placed = Awaited<ReturnType<typeof createPlaced>>;

interface Case {
  readonly what: string;
  /** Where each is at first. */
  readonly at: readonly string[];
  readonly spec?: object;
  /** What befalls the others, one after the other; the first then asks for the place of the second. */
  readonly others: readonly ((placed: Placed) => unknown)[];
}

const cases: readonly Case[] = [
  {
    what: 'waits for a third, on another gateway, whose next one keeps its own',
    at: ['a', 'b', 'c', 'c'],
    others: [
      ({ patch }) => patch(3, { ipAddress: ipOf(4) }),
      ({ patch }) => patch(2, { gatewayRef: { name: 'c' }, ipAddress: ipOf(3) }),
    ],
  },
  {
    what: 'waits for a third, on another gateway, before which a fourth goes',
    at: ['a', 'b', 'c', 'c'],
    others: [
      ({ patch }) => patch(3, { ipAddress: ipOf(4) }),
      ({ patch }) => patch(4, { managementPolicy: 'Observe' }),
      ({ patch }) => patch(2, { gatewayRef: { name: 'c' }, ipAddress: ipOf(3) }),
    ],
  },
  {
    what: 'is to have one that nobody can have',
    at: ['a', 'b'],
    others: [({ patch }) => patch(2, { ipAddress: '10.0.0.1' })],
  },
  {
    what: 'is to have another, which a person has to approve',
    at: ['a', 'b'],
    others: [({ patch }) => patch(2, { ipAddress: FREE, managementPolicy: 'Approve' })],
  },
  {
    what: 'is to have that of the first, which a person has to approve',
    at: ['a', 'b'],
    others: [({ patch }) => patch(2, { gatewayRef: { name: 'a' }, ipAddress: ipOf(1), managementPolicy: 'Approve' })],
  },
  {
    what: 'goes, which a person has to approve',
    at: ['a', 'b'],
    spec: { deletionPolicy: 'Delete' },
    others: [({ patch }) => patch(2, { managementPolicy: 'Approve' }), ({ remove }) => remove(2)],
  },
  {
    what: 'goes, which the brakes hold',
    at: ['a', ...Array.from({ length: 13 }, () => 'b')],
    spec: { deletionPolicy: 'Delete' },
    // The last ones first, so that the second is held.
    others: [({ remove }) => Array.from({ length: 13 }, (_, index) => remove(14 - index))],
  },
];

it.each(cases.flatMap((one) => [0, 120].map((gap) => ({ ...one, gap }))))(
  'a SIM stays in service where it is as long as the one that has its address on the next gateway $what ($gap s apart)',
  async ({ at, spec, others, gap }) => {
    const placed = await createPlaced(at, spec);
    const { fleet, place, patch } = placed;
    for (const one of others) {
      one(placed);
      await letPass(fleet, gap);
    }
    patch(1, { gatewayRef: { name: 'b' }, ipAddress: ipOf(2) });
    await letPass(fleet, 3600);
    expect([place(2), place(1), [...fleet.waiting('fleet', 'sims')].includes('s-1')]).toEqual([
      ['b', ipOf(2)],
      ['a', ipOf(1)],
      true,
    ]);
  },
);

it.each([0, 1, 120])(
  'an address that was found, and leaves the spec, stays, and so does who asks for it elsewhere (%s s later)',
  async (gap) => {
    const sims = [1, 2].map((sim) => ({ id: idOf(sim), iccid: iccidOf(sim), name: `s-${sim}`, activated: true }));
    const fleet = createVirtualFleet({ seeds: { fleet: { gateways, sims } } });
    fleet.world.service.edit({ sims: { [idOf(2)]: { gatewayID: gatewayIDs['b'] ?? null, ip: ipOf(2) } } });
    fleet.world.start('operator');
    for (const { name, id } of gateways) gateway(fleet, name, { resourceID: id });
    fleet.createSim('fleet', 's-1', 1, { gatewayRef: { name: 'a' }, ipAddress: ipOf(1) });
    fleet.createSim('fleet', 's-2', 2, { gatewayRef: { name: 'b' }, ipAddress: ipOf(2) });
    await letPass(fleet, 600);
    fleet.patch(`${GROUP}/sims/s-2`, { spec: { ipAddress: null } });
    await letPass(fleet, gap);
    fleet.patch(`${GROUP}/sims/s-1`, { spec: { gatewayRef: { name: 'b' }, ipAddress: ipOf(2) } });
    await letPass(fleet, 3600);
    const views = [1, 2].map((sim) => fleet.world.service.world('fleet').sims.get(idOf(sim)));
    expect(views.map((view) => [view?.gatewayID, view?.ip])).toEqual([
      [gatewayIDs['a'], ipOf(1)],
      [gatewayIDs['b'], ipOf(2)],
    ]);
  },
);

it('a chain over three gateways moves from its end, and nobody is without an address meanwhile', async () => {
  const { fleet, place, patch } = await createPlaced(['a', 'b', 'c']);
  const bare: string[] = [];
  fleet.world.service.onChange(({ objects }) => {
    for (const one of objects) if (one.kind === 'sims' && one.after?.gatewayID === null) bare.push(one.id);
  });
  patch(1, { gatewayRef: { name: 'b' }, ipAddress: ipOf(2) });
  await letPass(fleet, 60);
  patch(2, { gatewayRef: { name: 'c' }, ipAddress: ipOf(3) });
  await letPass(fleet, 60);
  expect([1, 2, 3].map(place)).toEqual([
    ['a', ipOf(1)],
    ['b', ipOf(2)],
    ['c', ipOf(3)],
  ]);
  patch(3, { gatewayRef: { name: 'a' }, ipAddress: FREE });
  await letPass(fleet, 600);
  expect([[1, 2, 3].map(place), bare]).toEqual([
    [
      ['b', ipOf(2)],
      ['c', ipOf(3)],
      ['a', FREE],
    ],
    [idOf(3), idOf(2), idOf(1)],
  ]);
});

it('of several on other gateways that ask for one free address, one moves, and the others stay in service', async () => {
  const { fleet, place, patch } = await createPlaced(['a', 'a', 'c', 'c', 'b']);
  const before = [1, 2, 3, 4].map(place);
  for (const sim of [4, 3, 2, 1]) patch(sim, { gatewayRef: { name: 'b' }, ipAddress: FREE });
  await letPass(fleet, 1800);
  const moved = [1, 2, 3, 4].filter((sim) => place(sim)[0] === 'b');
  expect(moved).toHaveLength(1);
  const expected = before.map((one, index) => (moved.includes(index + 1) ? ['b', FREE] : one));
  expect([1, 2, 3, 4].map(place)).toEqual(expected);
});

it('a SIM that keeps its address stays in service where it is as long as another has it on the next gateway', async () => {
  const { fleet, place, patch } = await createPlaced(['a', 'b']);
  patch(2, { ipAddress: ipOf(1) });
  await letPass(fleet, 300);
  expect(place(2)).toEqual(['b', ipOf(1)]);
  patch(1, { gatewayRef: { name: 'b' } });
  await letPass(fleet, 1800);
  expect([1, 2].map(place)).toEqual([
    ['a', ipOf(1)],
    ['b', ipOf(1)],
  ]);
  patch(2, { ipAddress: ipOf(2) });
  await letPass(fleet, 300);
  expect([1, 2].map(place)).toEqual([
    ['b', ipOf(1)],
    ['b', ipOf(2)],
  ]);
});

it('a circle over two gateways whose edits come one after the other moves at once', async () => {
  const { fleet, place, patch } = await createPlaced(['a', 'b', 'a']);
  patch(1, { gatewayRef: { name: 'b' }, ipAddress: ipOf(2) });
  await letPass(fleet, 1);
  patch(2, { gatewayRef: { name: 'a' }, ipAddress: ipOf(3) });
  await letPass(fleet, 1);
  patch(3, { ipAddress: ipOf(1) });
  await letPass(fleet, 10);
  expect([1, 2, 3].map(place)).toEqual([
    ['b', ipOf(2)],
    ['a', ipOf(3)],
    ['a', ipOf(1)],
  ]);
});

/** Resolves as soon as a SIM has no address. */
async function untilBare(fleet: Placed['fleet'], sim: number): Promise<void> {
  let isBare = false;
  fleet.world.service.onChange(({ objects }) => {
    isBare ||= objects.some((one) => one.kind === 'sims' && one.id === idOf(sim) && one.after?.ip === null);
  });
  await letPass(fleet, 60, () => isBare);
  expect(isBare).toBe(true);
}

const ofSim = (sim: number) => (message: Message) =>
  message.to === 'service' && message.verb !== 'GET' && message.target.includes(idOf(sim));

describe('a SIM that has given up its address gets the one it was to have, though another asks for that', () => {
  const cases = [true, false].flatMap((isKilled) => [0, 1, 10].map((gap) => ({ isKilled, gap })));

  it.each(cases)('which has none ($gap s later, killed: $isKilled)', async ({ isKilled, gap }) => {
    const { fleet, operator, place, patch } = await createPlaced(['a', 'a']);
    patch(1, { gatewayRef: null, ipAddress: null });
    await letPass(fleet, 300);
    fleet.world.arm({ to: 'service', fits: ofSim(2), count: 1, skip: 1, fault: 'slow', milliseconds: 20_000 });
    patch(2, { gatewayRef: { name: 'b' }, ipAddress: FREE });
    await untilBare(fleet, 2);
    if (isKilled) operator.kill(15_000);
    await letPass(fleet, gap);
    patch(1, { gatewayRef: { name: 'b' }, ipAddress: FREE });
    await letPass(fleet, 1800);
    expect(place(2)).toEqual(['b', FREE]);
  });

  it.each(cases)('of a circle that has begun ($gap s later, killed: $isKilled)', async ({ isKilled, gap }) => {
    // The newcomer has the lowest ID, and an address to stay on.
    const { fleet, operator, place, patch } = await createPlaced(['c', 'a', 'b', 'b']);
    fleet.world.arm({ to: 'service', fits: ofSim(4), count: 1, fault: 'slow', milliseconds: 20_000 });
    patch(2, { gatewayRef: { name: 'b' }, ipAddress: ipOf(3) });
    patch(3, { ipAddress: ipOf(4) });
    patch(4, { gatewayRef: { name: 'a' }, ipAddress: ipOf(2) });
    await untilBare(fleet, 2);
    if (isKilled) operator.kill(15_000);
    await letPass(fleet, gap);
    patch(1, { gatewayRef: { name: 'b' }, ipAddress: ipOf(4) });
    await letPass(fleet, 1800);
    expect([1, 2, 3, 4].map(place)).toEqual([
      ['c', ipOf(1)],
      ['b', ipOf(3)],
      ['b', ipOf(4)],
      ['a', ipOf(2)],
    ]);
  });
});
