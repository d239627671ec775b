import { describe, expect, it } from 'vitest';
import type { GatewayFacts, WaitingRoute } from '../../../../src/kinds/mobile-gateway/facts.ts';
import { planSimRoutes } from '../../../../src/kinds/mobile-gateway/routes.ts';
import { partial } from '../../../support/partial.ts';

const ICCID = '8981040000000000017';

function holdOf(...waiting: readonly WaitingRoute[]) {
  const simRoutes = waiting.map(({ prefix, sim }) => ({ prefix, simRef: { name: sim } }));
  return planSimRoutes(
    partial<GatewayFacts>({ details: {}, desired: { spec: { simRoutes }, simRoutes: { resolved: [], waiting } } }),
  ).hold;
}

const coming: WaitingRoute = { prefix: '192.168.10.0/24', sim: 'comes', iccid: ICCID, isMeantElsewhere: false };
const missing: WaitingRoute = { prefix: '192.168.20.0/24', sim: 'missing', isMeantElsewhere: false };
const elsewhere: WaitingRoute = { prefix: '192.168.30.0/24', sim: 'away', iccid: ICCID, isMeantElsewhere: true };

describe('a route that waits for its Sim', () => {
  it('just takes its time while the Sim is being registered', () => {
    expect(holdOf(coming)).toMatchObject({ state: 'Waiting', isProgress: true });
  });

  it.each([
    ['there is no such Sim', missing],
    ['the Sim is meant for another gateway', elsewhere],
  ])('is worth a warning where %s', (_, route) => {
    const hold = holdOf(route);
    expect(hold).toMatchObject({ state: 'Waiting', reason: 'RouteWaitsForSim' });
    expect(hold).not.toHaveProperty('isProgress');
  });

  it('says what a person has to do before what comes by itself', () => {
    const hold = holdOf(coming, missing);
    expect(hold?.message).toBe(
      'The route to 192.168.20.0/24 waits for the Sim missing, and this namespace has none of that name: create it, or correct simRef; 1 more route waits.',
    );
    expect(hold).not.toHaveProperty('isProgress');
  });
});
