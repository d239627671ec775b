import type { Act } from '../../script.ts';
import { put } from '../draft.ts';
import { alter, introduce } from './parts.ts';
import { nothing, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;
const SETTINGS = 'PUT /appliance/:id';
const CONFIG = 'PUT /appliance/:id/config';
const before = { ipAddress: '10.0.0.1', networkMaskLength: 24 };
const after = { ipAddress: '10.1.0.1', networkMaskLength: 24 };
const staticRoutes = [{ prefix: '192.168.10.0/24', nextHop: '10.1.0.100' }];

/** Settings of a gateway are sent, and for a while do not take effect: an interface for static routes, and for a SIM's address. */
export const notInEffect: Story = {
  name: 'not in effect',
  wishes: (random) => ({
    namespaces: 1,
    isEast: true,
    east: nothing,
    setting: {
      replicas: 1,
      leaderElect: false,
      trouble: 6 * MINUTE,
      service: { ipMustBeInSubnet: true, migratingTime: random.pick([0, 2000]) },
    },
  }),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const isNew = random.chance(0.5);
    const gateway = introduce(draft, 'mobilegateways', 'gateway-1', {
      zone: 'is1a',
      planID: 2,
      ...(!isNew && { privateInterface: before }),
    });
    const at = 90_000 + random.int(30_000);
    if (random.chance(0.6)) {
      put(draft, { ...failing(CONFIG), lasts: 30_000 + random.int(MINUTE) }, at - 500);
    } else {
      const on = { moment: 'answered', to: 'service', route: SETTINGS, nth: 1 } as const;
      put(draft, { what: 'kill', process: 0, on, restart: 500 + random.int(5000) }, at - 500);
    }
    const withRoutes = random.chance(0.5);
    alter(draft, gateway, { privateInterface: after, ...(withRoutes && { staticRoutes }) }, at);
    // Whoever comes once the gateway is known to be half done has to wait until it is not.
    const spec = simSpec(0, { gatewayRef: { name: 'gateway-1' }, ipAddress: '10.1.0.11' });
    introduce(draft, 'sims', 'sim-1', spec, at + 8000 + random.int(10_000));
    if (!withRoutes && random.chance(0.7)) alter(draft, gateway, { staticRoutes }, at + 10_000 + random.int(20_000));
  },
};

function failing(route: string): Act & { readonly what: 'fault' } {
  const fault = { service: 'internal error' } as const;
  return { what: 'fault', to: 'service', route, fault, count: 1000, skip: 0, milliseconds: 0, lasts: MINUTE };
}
