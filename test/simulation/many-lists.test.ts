import { describe, expect, it } from 'vitest';
import { iccidOf } from './fleet.ts';
import { createTenants, PASS_CODE } from './tenants.ts';

/** Much is lost at once of what several lists show, which are taken at different times: the first that lacks something lacks few. */

const MINUTE = 60;

/** So many Sims, and gateways of these zones, which are Ready. */
async function createFleet(sims: number, zones: readonly string[]) {
  const tenants = createTenants();
  const { create, letPass, recordOf, fleet } = tenants;
  const operator = fleet.world.start('operator');
  for (let n = 0; n < sims; n++) create('victim', 'sims', `s-${n}`, { iccid: iccidOf(n), ...PASS_CODE });
  for (const [n, zone] of zones.entries()) create('victim', 'mobilegateways', `g-${n}`, { zone, planID: 2 });
  await letPass(15 * MINUTE);
  const service = fleet.world.service.world('edge');
  const idOf = (n: number): string => ({ id: '', ...recordOf('victim', 'mobilegateways', `g-${n}`) }).id;
  return {
    ...tenants,
    operator,
    counts: () => ({ sims: service.sims.size, gateways: service.gateways.size }),
    lose(lostSims: number, gateways: number) {
      for (let n = 0; n < lostSims; n++) fleet.world.service.remove('sims', iccidOf(n));
      for (let n = 0; n < gateways; n++) fleet.world.service.remove('gateways', idOf(n));
    },
  };
}

const ZONES = ['is1a', 'is1b', 'tk1a'] as const;

describe.each(Array.from({ length: 12 }, (_, step) => 5 * step))(
  '%d seconds after the last list or another',
  (offset) => {
    it.each([
      { sims: 0, zones: ZONES },
      { sims: 2, zones: ZONES.slice(0, 1) },
      { sims: 1, zones: ZONES.slice(0, 2) },
    ])('$sims SIMs and gateways of $zones are lost at once: all of them wait for a word', async ({ sims, zones }) => {
      const { letPass, lose, counts, operator } = await createFleet(sims, zones);
      expect(counts()).toEqual({ sims, gateways: zones.length });
      await letPass(offset);
      lose(sims, zones.length);
      await letPass(60 * MINUTE);
      expect(counts()).toEqual({ sims: 0, gateways: 0 });
      operator.kill(5000);
      await letPass(60 * MINUTE);
      expect(counts()).toEqual({ sims: 0, gateways: 0 });
    });
  },
);

it.each([
  { sims: 0, zones: ZONES },
  { sims: 2, zones: ZONES.slice(0, 1) },
])('$sims SIMs and gateways of $zones are lost while no operator runs: all of them wait for a word', async (fleet) => {
  const { sims, zones } = fleet;
  const { letPass, lose, counts, operator } = await createFleet(sims, zones);
  operator.kill(MINUTE * 1000);
  lose(sims, zones.length);
  await letPass(60 * MINUTE);
  expect(counts()).toEqual({ sims: 0, gateways: 0 });
});

it.each([
  { sims: 1, gateways: 0 },
  { sims: 0, gateways: 1 },
  { sims: 1, gateways: 1 },
])(
  '$sims SIMs and $gateways gateways of three and three are lost: they are made again within two minutes',
  async (lost) => {
    const { letPass, lose, counts } = await createFleet(3, ZONES);
    lose(lost.sims, lost.gateways);
    await letPass(2 * MINUTE);
    expect(counts()).toEqual({ sims: 3, gateways: 3 });
  },
);

it('one SIM is lost and made again, and two more go within ten minutes: they wait, however long ago the first was lost', async () => {
  const { fleet, letPass, counts } = await createFleet(3, []);
  const remove = (n: number) => fleet.world.service.remove('sims', iccidOf(n));
  remove(0);
  await letPass(4 * MINUTE);
  expect(counts().sims).toBe(3);
  remove(1);
  remove(2);
  await letPass(120 * MINUTE);
  expect(counts().sims).toBe(1);
});

const failingZones = ({ fleet }: Awaited<ReturnType<typeof createFleet>>) =>
  fleet.world.arm({
    to: 'service',
    fits: ({ route }) => route === 'GET /appliance',
    count: 2000,
    fault: { service: 'internal error' },
  });

it.each([0, 10, 25, 40])(
  'of what is lost at once one is deleted, %d seconds after the last list or another: it stays, and so does what is missing',
  async (offset) => {
    const fleet = await createFleet(1, ZONES.slice(0, 2));
    await fleet.letPass(offset);
    fleet.lose(1, 2);
    fleet.remove('victim', 'sims', 's-0');
    await fleet.letPass(20 * MINUTE);
    expect(fleet.counts()).toEqual({ sims: 0, gateways: 0 });
    expect(fleet.recordOf('victim', 'sims', 's-0')).toMatchObject({ missingSince: expect.any(String) });
  },
);

it('of what is lost at once one is abandoned while the lists of the others fail: the others wait', async () => {
  const fleet = await createFleet(1, ZONES.slice(0, 2));
  failingZones(fleet);
  fleet.lose(1, 2);
  await fleet.letPass(3 * MINUTE);
  fleet.annotate('victim', 'sims', 's-0', { 'edgeline.dev/abandon': 'true' });
  await fleet.letPass(3 * MINUTE);
  fleet.fleet.world.calm();
  await fleet.letPass(20 * MINUTE);
  expect(fleet.counts()).toEqual({ sims: 0, gateways: 0 });
});
