import { put } from '../draft.ts';
import type { Story } from './story.ts';

const routes = [
  'POST /commonserviceitem',
  'PUT /appliance/:id/mobilegateway/traffic_monitoring',
  'PUT webaccel/site/:id',
  'PUT webaccel/site/:id/certificate',
  'POST webaccel/site/:id/certificate',
];

/** The service complains and quotes what it was sent, secrets and all. */
export const repeated: Story = {
  name: 'repeated',
  wishes: () => ({ setting: { logs: true } }),
  tell(draft) {
    const fault = { service: 'conflict that repeats what was sent' } as const;
    for (const route of routes) {
      put(draft, { what: 'fault', to: 'service', route, fault, count: 2, skip: 0, milliseconds: 0, lasts: 3_600_000 });
    }
  },
};
