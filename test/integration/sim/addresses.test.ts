import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Operator } from '../../../src/operator/start.ts';
import { eventually } from '../../support/kubernetes.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld, type World } from '../../support/world.ts';

vi.setConfig({ maxConcurrency: 10 });

const NORTH = { id: '113300000101', name: 'north', zone: 'is1b' } as const;
const SOUTH = { id: '113300000102', name: 'south', zone: 'tk1a' } as const;
const idOf = (index: number) => `11330000001${index}`;
const iccidOf = (index: number) => `898104000000000001${index}`;

let operator: Operator;
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(() => operator.stop());

interface Place {
  readonly gateway: 'north' | 'south';
  readonly ip: string;
}

const north = (last: number): Place => ({ gateway: 'north', ip: `10.0.0.${last}` });
const south = (last: number): Place => ({ gateway: 'south', ip: `10.0.0.${last}` });

function sim(index: number, { gateway, ip }: Place, rest: object = {}): object {
  return {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: { name: `truck-${index}` },
    spec: { iccid: iccidOf(index), gatewayRef: { name: gateway }, ipAddress: ip, ...rest },
  };
}

/** Two gateways and SIMs at their places, all described. */
async function fleet(places: readonly Place[]): Promise<World> {
  const sims = places.map((place, index) => ({ id: idOf(index), iccid: iccidOf(index), ...place }));
  const world = await createWorld({ seed: { gateways: [NORTH, SOUTH], sims } });
  for (const { name, zone, id } of [NORTH, SOUTH]) {
    const spec = { zone, resourceID: id };
    await world.apply({ apiVersion: 'edgeline.dev/v1alpha1', kind: 'MobileGateway', metadata: { name }, spec });
    await world.ready('MobileGateway', name);
  }
  for (const [index, place] of places.entries()) await world.apply(sim(index, place));
  for (const index of places.keys()) await world.ready('Sim', `truck-${index}`);
  await world.forget();
  return world;
}

async function placesOf(world: World): Promise<unknown[]> {
  const { sims } = await world.simulator.state();
  const names = new Map<unknown, string>([
    [NORTH.id, 'north'],
    [SOUTH.id, 'south'],
  ]);
  return Object.values(sims)
    .sort((a, b) => String(a?.['id']).localeCompare(String(b?.['id'])))
    .map((one) => ({ gateway: names.get(one?.['gatewayID']), ip: one?.['ip'] }));
}

interface Move {
  readonly what: string;
  readonly from: readonly Place[];
  readonly to: readonly Place[];
  /** How often a SIM is without an address although its gateway stays the same. */
  readonly clears: number;
}

const moves: readonly Move[] = [
  { what: 'two that swap', from: [north(1), north(2)], to: [north(2), north(1)], clears: 1 },
  { what: 'three in a circle', from: [north(1), north(2), north(3)], to: [north(2), north(3), north(1)], clears: 1 },
  { what: 'three in a chain', from: [north(1), north(2), north(3)], to: [north(2), north(3), north(4)], clears: 0 },
  { what: 'two of two gateways that swap', from: [north(1), south(1)], to: [south(1), north(1)], clears: 2 },
  {
    what: 'a circle that leads over two gateways',
    from: [north(1), north(2), south(2)],
    to: [north(2), south(2), north(1)],
    // Both that change the gateway leave without an address, after the first has given up its own for them.
    clears: 3,
  },
];

describe.concurrent('SIMs that are to get one another’s addresses:', () => {
  it.each(moves)('$what all have theirs in the end', async ({ from, to, clears }) => {
    const world = await fleet(from);
    await Promise.all(to.map((place, index) => world.apply(sim(index, place))));
    for (const index of to.keys()) await world.ready('Sim', `truck-${index}`);
    expect(await placesOf(world)).toEqual(to);
    const counts = await world.counts();
    expect(counts['DELETE /commonserviceitem/:id/sim/ip'] ?? 0).toBe(clears);
    await world.stop();
  });

  it.each([
    { what: 'a younger SIM', id: '113300000019', to: [north(2), north(1)], told: 'truck-2' },
    { what: 'an older SIM', id: '113300000001', to: [north(1), north(2)], told: 'truck-0' },
  ])('two that swap are not left without one where $what waits for one of theirs', async ({ id, to, told }) => {
    const world = await fleet([north(1), north(2)]);
    await world.simulator.add('sims', { id, iccid: iccidOf(2) });
    await world.apply(sim(2, north(2)));
    const taken = { type: 'Synced', status: 'False', reason: 'AddressTaken' } as const;
    await eventually(() => world.condition('Sim', 'truck-2', taken));
    await world.apply(sim(0, north(2)));
    await world.apply(sim(1, north(1)));
    const withAddress = async () => (await placesOf(world)).filter((place) => Object(place).ip !== null);
    await eventually(async () => {
      expect(await withAddress()).toEqual(to);
      await world.condition('Sim', told, taken);
    });
    await world.settle();
    expect(await withAddress()).toEqual(to);
    await world.stop();
  });

  it('one keeps its address while the other’s Sim is paused, and says whose the address is', async () => {
    const world = await fleet([north(1), north(2)]);
    await world.annotate('Sim', 'truck-1', { 'edgeline.dev/paused': 'true' });
    await world.apply(sim(1, north(1)));
    await world.apply(sim(0, north(2)));
    const { message } = await eventually(() =>
      world.condition('Sim', 'truck-0', { type: 'Synced', status: 'False', reason: 'AddressTaken' }),
    );
    expect(message).toContain(
      `10.0.0.2 is the address of the Sim ${world.namespace}/truck-1, and nothing moves that one: give one of the two another address. It is tried again.`,
    );
    await world.settle();
    expect(await placesOf(world)).toEqual([north(1), north(2)]);
    await world.annotate('Sim', 'truck-1', { 'edgeline.dev/paused': null });
    for (const index of [0, 1]) await world.ready('Sim', `truck-${index}`);
    expect(await placesOf(world)).toEqual([north(2), north(1)]);
    await world.stop();
  });
});
