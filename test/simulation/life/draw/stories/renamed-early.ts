import type { Occasion } from '../../script.ts';
import { put } from '../draft.ts';
import { networks, resolvers } from '../vocabulary.ts';
import { introduce } from './parts.ts';
import { emptyEast } from './parts-sims.ts';
import type { Story } from './story.ts';

/** What the operator asks about a gateway that was just made: by then its ID is on record. */
const afterwards = [
  'GET /appliance/:id/mobilegateway/dnsresolver',
  'GET /appliance/:id/mobilegateway/traffic_monitoring',
  'PUT /appliance/:id',
  'PUT /appliance/:id/mobilegateway/dnsresolver',
] as const;

/**
 * A gateway is made, somebody renames it before the rest of its spec is done, and then the process dies: the next
 * one finds it by its ID alone.
 */
export const renamedEarly: Story = {
  name: 'renamed early',
  // Else it is waited for, and its status is written meanwhile for another reason.
  wishes: () => emptyEast(240_000, { migratingTime: 0, shownAfterCreate: 0 }),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const name = 'gateway-1';
    const moment = random.pick(['written', 'arrived', 'answered'] as const);
    const on: Occasion = { moment, to: 'service', route: random.pick(afterwards), nth: 1 };
    // The first try to put its ID on record may fail.
    if (random.chance(0.3)) {
      const made: Occasion = { moment: 'arrived', to: 'service', route: 'POST /appliance', nth: 1 };
      const route = 'patch mobilegateways/status';
      const fault = { kubernetes: random.pick([500, 503] as const) };
      const refused = { what: 'fault', to: 'kubernetes', route, fault, count: 1, skip: 0, milliseconds: 0 } as const;
      put(draft, { what: 'upon', process: 0, on: made, later: 0, act: { ...refused, lasts: 60_000 } });
    }
    const renamed = { gateways: { [name]: { name: random.pick(['renamed', 'Depot']) } } };
    put(draft, { what: 'upon', process: 0, on, later: 0, act: { what: 'edit', patch: renamed } });
    put(draft, { what: 'kill', process: 0, on, restart: 500 + random.int(20_000) });
    const spec = {
      zone: random.pick(['is1a', 'is1b']),
      planID: 2,
      internetConnection: true,
      dns: resolvers[0],
      ...(random.chance(0.5) && { privateInterface: networks[0] }),
      ...(random.chance(0.5) && { trafficMonitoring: { quotaMB: 512 } }),
    };
    introduce(draft, 'mobilegateways', name, spec, 500 + random.int(2000));
  },
};
