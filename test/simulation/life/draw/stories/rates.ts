import { put } from '../draft.ts';
import { addresses, networks } from '../vocabulary.ts';
import { alter, appear, removeAt, role } from './parts.ts';
import { eastWith, gatewayInUse, gatewayInUseID, iccidOf, oldSim } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;
const PLACES = [0, 1, 2, 3] as const;
const ROUTES = ['GET /commonserviceitem/:id/sim/metrics/monitor', 'GET /commonserviceitem/:id/sim/metrics'] as const;

const gateway = role('mobilegateways', 'gateway-1', { zone: 'is1a', planID: 2, resourceID: gatewayInUseID });
const sims = PLACES.map((place) => role('sims', `sim-${place + 1}`, { iccid: iccidOf(place) }));

/** SIMs have sessions, and what goes through them is measured: while sessions come and go, and the service fails. */
export const measuredRates: Story = {
  name: 'measured rates',
  wishes: (random) => {
    const east = {
      gateways: [gatewayInUse()],
      sims: PLACES.map((place) => oldSim(place, { gateway: gatewayInUseID, ip: addresses[place] })),
    };
    const { setting, ...wishes } = eastWith(east, 13 * MINUTE);
    return {
      ...wishes,
      dialect: random.pick(['Extended', 'Documented']),
      setting: { ...setting, flags: { simRates: true } },
    };
  },
  cast: () => [gateway, ...sims],
  arrives: true,
  tell(draft) {
    const { random } = draft;
    appear(draft, gateway, { privateInterface: networks[0] }, random.int(2000));
    for (const sim of sims) appear(draft, sim, random.chance(0.5) ? { activated: true } : {}, random.int(2000));
    const fault = random.pick(['stall', 'lost-answer', { service: 'garbage' }, { service: 'internal error' }] as const);
    const count = random.pick([1, 3, 30]);
    for (const route of ROUTES)
      put(draft, {
        what: 'fault',
        to: 'service',
        route,
        fault,
        count,
        skip: random.int(3),
        milliseconds: 0,
        lasts: 8 * MINUTE,
      });
    for (const [place, sim] of sims.entries()) {
      const name = iccidOf(place);
      draft.at = MINUTE + random.int(9 * MINUTE);
      const happens = random.int(5);
      if (happens === 0) alter(draft, sim, { activated: false });
      if (happens === 1) put(draft, { what: 'remove', kind: 'sims', name });
      if (happens === 2) removeAt(draft, sim, 0);
      if (happens === 3) put(draft, { what: 'edit', patch: { sims: { [name]: { activated: false } } } });
    }
    draft.at = 6 * MINUTE + random.int(3 * MINUTE);
    if (random.chance(0.4)) put(draft, { what: 'kill', process: 0, on: undefined, restart: 500 });
  },
};
