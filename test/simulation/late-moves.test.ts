import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import type { Message } from '../../src/shadow/world/messages.ts';
import { atFirst } from './at-first.ts';
import { createVirtualFleet } from './fleet.ts';
import { GROUP, GW, gateway, letPass, OTHER, SECOND, SIM } from './gateway-fleet.ts';

const PATH = `${GROUP}/sims/truck`;

interface Case {
  readonly what: string;
  readonly route: RegExp;
  /** It moves back while the first try is on its way. */
  readonly isBack: boolean;
}

const cases: readonly Case[] = [
  { what: 'address', route: /^DELETE .*sim.ip$/, isBack: false },
  { what: 'registration', route: /^DELETE .*sims.:id$/, isBack: true },
];

it.each(cases.flatMap((one) => [40, 60, 100, 150].map((late) => ({ ...one, late }))))(
  'a SIM that moves is not called in service as long as a first try to take off its $what may arrive ($late s late)',
  async ({ route, isBack, late }) => {
    const { id, name, zone } = GW;
    const gateways = [{ id, name, zone, instanceStatus: 'up' as const }, OTHER];
    const fleet = createVirtualFleet({ seeds: { fleet: { gateways, sims: [SIM] } } });
    fleet.world.start('operator');
    gateway(fleet, 'depot', { resourceID: GW.id });
    gateway(fleet, 'yard', { resourceID: OTHER.id });
    const here = { gatewayRef: { name: 'depot' }, ipAddress: '10.0.0.21' };
    const there = { gatewayRef: { name: 'yard' }, ipAddress: '10.0.0.22' };
    fleet.createSim('fleet', 'truck', 1, here);
    await letPass(fleet, 600);
    const fits = ({ to, route: of }: Message) => to === 'service' && route.test(of);
    fleet.world.arm({ to: 'service', fits, count: 1, fault: 'delayed-arrival', milliseconds: late * SECOND });
    const isSent = atFirst(fleet.world, 'written', fits);
    fleet.patch(PATH, { spec: there });
    await letPass(fleet, 60, isSent);
    expect(isSent()).toBe(true);
    await letPass(fleet, 2);
    if (isBack) fleet.patch(PATH, { spec: here });
    const expected = isBack ? [GW.id, here.ipAddress] : [OTHER.id, there.ipAddress];
    const place = () => {
      const sim = fleet.world.service.world('fleet').sims.get(SIM.id);
      return [sim?.gatewayID, sim?.ip];
    };
    const wrong: unknown[] = [];
    for (let passed = 0; passed < 900; passed += 5) {
      await letPass(fleet, 5);
      if (!fleet.waiting('fleet', 'sims').has('truck') && !isDeepStrictEqual(place(), expected))
        wrong.push([passed, ...place()]);
    }
    expect([wrong, place()]).toEqual([[], expected]);
  },
);
