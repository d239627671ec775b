import { describe, expect, it } from 'vitest';
import { iccidOf } from './fleet.ts';
import { createTenants, PASS_CODE, type Tenant } from './tenants.ts';

/** What a tenant has stay missing is no reason why what another loses later is not made again; what goes at the same time is. */

const MINUTE = 60;
const SIMS = 20;
const FIRST = { victim: 0, evil: 100, edge: 200 } as const;

/** So many Sims of each, all Ready. */
async function createFleet({ evil = 2, edge = 0 }) {
  const tenants = createTenants();
  const { fleet, create, annotate, letPass } = tenants;
  const { world } = fleet;
  const operator = world.start('operator');
  const numbersOf = (tenant: Tenant, count: number) => Array.from({ length: count }, (_, n) => FIRST[tenant] + n);
  const counts: readonly [Tenant, number][] = [
    ['victim', SIMS],
    ['evil', evil],
    ['edge', edge],
  ];
  for (const [tenant, count] of counts) {
    for (const n of numbersOf(tenant, count)) create(tenant, 'sims', `s-${n}`, { iccid: iccidOf(n), ...PASS_CODE });
  }
  create('victim', 'mobilegateways', 'g', { zone: 'is1a', planID: 2 });
  await letPass(15 * MINUTE);
  const service = world.service.world('edge');
  const lose = (tenant: Tenant, count: number) => {
    for (const n of numbersOf(tenant, count)) world.service.remove('sims', iccidOf(n));
  };
  return {
    ...tenants,
    operator,
    lose,
    loseGateway: () =>
      world.service.remove('gateways', { id: '', ...tenants.recordOf('victim', 'mobilegateways', 'g') }.id),
    /** They are paused, and then lost: nothing of them is made again. */
    async loseForGood(tenant: Tenant, count: number) {
      for (const n of numbersOf(tenant, count)) annotate(tenant, 'sims', `s-${n}`, { 'edgeline.dev/paused': 'true' });
      await letPass(MINUTE);
      lose(tenant, count);
    },
    counts: () => ({ sims: service.sims.size, gateways: service.gateways.size }),
  };
}

describe('what is missing of another tenant for half an hour', () => {
  it.each([
    { restart: false, evil: 2, letGo: 0 },
    { restart: true, evil: 2, letGo: 0 },
    { restart: false, evil: 4, letGo: 0 },
    { restart: false, evil: 4, letGo: 2 },
    { restart: true, evil: 4, letGo: 0 },
  ])('keeps nobody’s from being made again: %o', async ({ restart, evil, letGo }) => {
    const { loseForGood, lose, counts, letPass, annotate, operator } = await createFleet({ evil });
    await loseForGood('evil', evil);
    await letPass(15 * MINUTE);
    if (restart) operator.kill(5000);
    for (let n = FIRST.evil; n < FIRST.evil + letGo; n++) {
      annotate('evil', 'sims', `s-${n}`, { 'edgeline.dev/paused': null, 'edgeline.dev/abandon': 'true' });
    }
    await letPass(15 * MINUTE);
    lose('victim', 1);
    await letPass(MINUTE);
    expect(counts()).toEqual({ sims: SIMS, gateways: 1 });
  });
});

describe('what two others lose', () => {
  it('eight minutes before counts, for as long as it is missing', async () => {
    const { loseForGood, lose, counts, letPass, operator, fleet } = await createFleet({ evil: 1, edge: 1 });
    await loseForGood('evil', 1);
    await loseForGood('edge', 1);
    await letPass(6 * MINUTE);
    lose('victim', 1);
    await letPass(60 * MINUTE);
    expect(counts().sims).toBe(SIMS - 1);
    const said = fleet.read('/apis/edgeline.dev/v1alpha1/namespaces/victim/sims/s-0').status.conditions;
    expect(JSON.stringify(said)).toMatch(
      /3 of the 23 objects that resources have in the account are missing all at once/,
    );
    operator.kill(5000);
    await letPass(60 * MINUTE);
    expect(counts().sims).toBe(SIMS - 1);
  });

  it.each([{ restart: false }, { restart: true }])(
    'at the same time counts when it shows half an hour later, as a list failed meanwhile: %o',
    async ({ restart }) => {
      const { loseForGood, loseGateway, counts, letPass, fleet, operator } = await createFleet({ evil: 1, edge: 1 });
      const { world } = fleet;
      const fits = ({ route }: { readonly route: string }) => route === 'GET /appliance';
      world.arm({ to: 'service', fits, count: 10_000, fault: { service: 'internal error' } });
      await loseForGood('evil', 1);
      await loseForGood('edge', 1);
      loseGateway();
      await letPass(MINUTE);
      if (restart) operator.kill(5000);
      await letPass(30 * MINUTE);
      world.calm();
      await letPass(60 * MINUTE);
      expect(counts()).toEqual({ sims: SIMS, gateways: 0 });
    },
  );
});
