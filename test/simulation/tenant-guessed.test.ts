import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { atFirst } from './at-first.ts';
import { createTenants } from './tenants.ts';

/** What somebody tries who guesses the ID that a gateway of somebody else will have, and names it. */

const recordSchema = z.looseObject({ id: z.string() });

async function createProbe() {
  const tenants = createTenants();
  const { world } = tenants.fleet;
  const operator = world.start('operator');
  await tenants.letPass(60);
  tenants.create('evil', 'mobilegateways', 'probe', { zone: 'is1b', planID: 2 });
  await tenants.letPass(300);
  const last = Number(recordSchema.parse(tenants.recordOf('evil', 'mobilegateways', 'probe')).id);
  return {
    ...tenants,
    operator,
    last,
    nameIt(number: number) {
      const spec = { zone: 'is1b', planID: 2, resourceID: String(last + number), deletionPolicy: 'Delete' };
      tenants.create('evil', 'mobilegateways', `g-${number}`, spec);
    },
    gateways: () => [...world.service.world('edge').gateways.keys()].map(Number),
  };
}

it.each([
  ['an older', 0],
  ['a younger', 0],
  ['an older', 1],
  ['a younger', 1],
])(
  '%s MobileGateway that names the ID of what another makes does not get it; writes that are refused: %s',
  async (age, count) => {
    const { fleet, create, letPass, nameIt } = await createProbe();
    const { world } = fleet;
    const guess = () => Array.from({ length: 11 }, (_, number) => nameIt(number + 1));
    if (age === 'an older') guess();
    await letPass(30);
    let isArmed = count === 0;
    world.onMessage((moment, { to, verb }) => {
      if (isArmed || to !== 'service' || verb !== 'POST' || moment !== 'arrived') return;
      isArmed = true;
      const fits = ({ target }: { readonly target: string }) => target.includes('/victim/mobilegateways/one/status');
      world.arm({ to: 'kubernetes', count, fault: { kubernetes: 503 }, fits });
    });
    create('victim', 'mobilegateways', 'one', { zone: 'is1b', planID: 2 });
    if (age === 'a younger') guess();
    await letPass(900);
    expect([...fleet.waiting('victim', 'mobilegateways')]).toEqual([]);
  },
);

it('and can delete it neither', async () => {
  const { fleet, create, remove, letPass, nameIt, last, gateways } = await createProbe();
  create('victim', 'mobilegateways', 'one', { zone: 'is1b', planID: 2 });
  nameIt(1);
  await letPass(900);
  remove('evil', 'mobilegateways', 'g-1');
  await letPass(900);
  expect(gateways()).toEqual([last, last + 1]);
  expect([...fleet.waiting('victim', 'mobilegateways')]).toEqual([]);
});

/** The operator is killed at that moment of the request for a gateway, whose ID somebody else names: nobody has kept its answer. */
async function createKilled(age: 'an older' | 'a younger', moment: 'written' | 'arrived' | 'answered') {
  const tenants = await createProbe();
  if (age === 'an older') {
    tenants.nameIt(1);
    await tenants.letPass(30);
  }
  const isKilled = atFirst(
    tenants.fleet.world,
    moment,
    ({ to, verb }) => to === 'service' && verb === 'POST',
    () => tenants.operator.kill(5000),
  );
  tenants.create('victim', 'mobilegateways', 'one', { zone: 'is1b', planID: 2 });
  if (age === 'a younger') tenants.nameIt(1);
  return { ...tenants, isKilled };
}

describe.each(['an older', 'a younger'] as const)('%s MobileGateway that names the ID', (age) => {
  it.each(['written', 'arrived', 'answered'] as const)(
    'does not have what another’s creation made whose process was killed when it was %s, nor is another made',
    async (moment) => {
      const { fleet, letPass, recordOf, last, gateways, isKilled } = await createKilled(age, moment);
      await letPass(900);
      const ids = [recordSchema.parse(recordOf('victim', 'mobilegateways', 'one')).id, ...gateways()].map(Number);
      expect([isKilled(), ids]).toEqual([true, [last + 1, last, last + 1]]);
      expect([...fleet.waiting('victim', 'mobilegateways')]).toEqual([]);
    },
  );

  it('and is deleted at once leaves it alone', async () => {
    const { fleet, letPass, remove, last, gateways } = await createKilled(age, 'arrived');
    remove('evil', 'mobilegateways', 'g-1');
    await letPass(900);
    expect(gateways()).toEqual([last, last + 1]);
    expect([...fleet.waiting('victim', 'mobilegateways')]).toEqual([]);
  });
});
