import { put } from '../draft.ts';
import type { Story } from './story.ts';

const routes = [
  'PUT /appliance/:id/config',
  'PUT /appliance/:id/mobilegateway/dnsresolver',
  'PUT /appliance/:id/mobilegateway/traffic_monitoring',
  'PUT /commonserviceitem/:id/sim/imeilock',
  'PUT webaccel/site/:id',
  'PUT webaccel/site/:id/acl',
];

/** The service answers 200, does nothing, and says so in the body alone. */
export const denied: Story = {
  name: 'denied',
  wishes: (random) => ({
    dialect: random.pick(['Extended', 'Documented']),
    setting: { replicas: 1, leaderElect: false },
  }),
  tell(draft) {
    const fault = { service: 'not ok, and not done' } as const;
    for (const route of routes) {
      put(draft, { what: 'fault', to: 'service', route, fault, count: 1, skip: 0, milliseconds: 0, lasts: 3_600_000 });
    }
  },
};
