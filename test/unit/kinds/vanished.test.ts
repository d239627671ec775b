import { describe, expect, it } from 'vitest';
import type { GatewayFacts } from '../../../src/kinds/mobile-gateway/facts.ts';
import { planGateway } from '../../../src/kinds/mobile-gateway/plan.ts';
import type { SimFacts } from '../../../src/kinds/sim/facts.ts';
import { planSim } from '../../../src/kinds/sim/plan.ts';

/*
 * Facts of the pass in which something was found to have vanished: what was applied to it is still in them. Kept, it would
 * be unset on whatever somebody makes in its place by hand.
 */

describe('what was applied to something that has vanished', () => {
  const common = { pending: [], observed: undefined, ownership: 'Adopted', dialect: 'Documented', now: 0 } as const;

  it.each([{ managementPolicy: 'Observe' }, { adoption: 'Required' }, {}] as const)(
    'is no longer applied where no SIM is made: %j',
    (spec) => {
      const facts: SimFacts = {
        ...common,
        desired: {
          defaultName: 'truck',
          spec: { iccid: '8981040000000000001', ...spec },
          gateway: undefined,
          passCode: undefined,
        },
        applied: { activated: true },
      };
      expect(planSim(facts)).toEqual(expect.objectContaining({ steps: [], applied: {} }));
    },
  );

  it.each([{ managementPolicy: 'Observe' }, { adoption: 'Required' }, {}] as const)(
    'is no longer applied where no gateway is made: %j',
    (spec) => {
      const facts: GatewayFacts = {
        ...common,
        desired: {
          name: 'depot',
          spec: { zone: 'is1a', ...spec },
          chatWebhook: undefined,
          simRoutes: { resolved: [], waiting: [] },
          releasesSims: false,
          namedBy: [],
        },
        applied: { internetConnection: true },
        marks: {},
        wasUp: false,
        details: {},
        resendsDNS: false,
      };
      expect(planGateway(facts)).toEqual(expect.objectContaining({ steps: [], applied: {} }));
    },
  );
});
