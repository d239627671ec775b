import { describe, expect, it } from 'vitest';
import type { SimFacts } from '../../../../src/kinds/sim/facts.ts';
import { planSim } from '../../../../src/kinds/sim/plan.ts';
import type { SimSpec } from '../../../../src/kinds/sim/schema.ts';
import { bareSim as there } from './bare-sim.ts';

const IMEI = '356938035643809';

function planOf(spec: Partial<SimSpec>, facts: Partial<SimFacts>) {
  return planSim({
    desired: {
      defaultName: 'truck',
      spec: { iccid: there.iccid, ...spec },
      gateway: undefined,
      passCode: undefined,
    },
    applied: {},
    pending: [],
    observed: there,
    ownership: 'Created',
    dialect: 'Documented',
    now: 0,
    ...facts,
  });
}

const doneBy = ({ steps }: ReturnType<typeof planSim>) => steps.map((step) => step.do);

describe('a SIM that its limit stops', () => {
  const dataLimit = { monthly: '1k', action: 'Deactivate' } as const;
  const excess = { month: '2026-11', exceededAt: '2026-11-20T00:00:00Z', bytes: 1500 };
  const exceeded = { state: 'Exceeded', excess, stops: true } as const;

  it('is inactive in the next month, too, where activated left the spec meanwhile', () => {
    const stopped = planOf({ activated: true, dataLimit }, { dataLimit: exceeded, applied: { activated: true } });
    expect([doneBy(stopped), stopped.applied]).toEqual([['deactivate'], { activated: true, dataLimit: 'Deactivated' }]);
    const observed = { ...there, activated: false };
    const left = planOf({ dataLimit }, { observed, dataLimit: { state: 'Within' }, applied: stopped.applied });
    expect(doneBy(left)).toEqual([]);
  });

  it('is active in the next month, where nobody asked for anything', () => {
    const stopped = planOf({ dataLimit }, { dataLimit: exceeded });
    expect([doneBy(stopped), stopped.applied]).toEqual([['deactivate'], { dataLimit: 'Deactivated' }]);
    const observed = { ...there, activated: false };
    const next = planOf({ dataLimit }, { observed, dataLimit: { state: 'Within' }, applied: stopped.applied });
    expect(doneBy(next)).toEqual(['activate']);
  });
});

it('a SIM without a session is looked at again when its time is over', () => {
  const sessionDownSince = '2026-11-20T00:00:00Z';
  const over = Date.parse('2026-11-20T01:00:00Z');
  const at = (now: number) => planOf({ expectOnlineWithin: '1h' }, { sessionDownSince, now }).lookAgainAt;
  expect([at(over - 1), at(over)]).toEqual([over, undefined]);
});

describe('what a process may have written before it died', () => {
  it('is a lock to the IMEI of before, or to that of now, where the service shows none', () => {
    const facts = { observed: { ...there, imeiLocked: true }, applied: { imeiLock: IMEI } };
    expect(doneBy(planOf({ imeiLock: IMEI }, facts))).toEqual([]);
    expect(doneBy(planOf({ imeiLock: IMEI }, { ...facts, pending: ['imeiLock'] }))).toEqual(['lockIMEI']);
  });

  it('is, of a creation, each carrier that is not allowed', () => {
    const carriers = [
      { name: 'KDDI', allow: false },
      { name: 'SoftBank', allow: true },
    ];
    const observed = { ...there, carriers };
    expect(doneBy(planOf({}, { observed }))).toEqual([]);
    expect(planOf({}, { observed, pending: ['carriers'] }).steps).toMatchObject([
      { do: 'setCarriers', carriers: carriers.map(({ name }) => ({ name, allow: true })) },
    ]);
  });
});
