import { put } from '../draft.ts';
import type { Story } from './story.ts';

/** Something between operator and service says 404 in its stead, when something is to be deleted or looked for. */
export const proxy: Story = {
  name: 'proxy',
  wishes: () => ({ setting: { replicas: 1, leaderElect: false, trouble: 300_000 } }),
  tell(draft) {
    const { random } = draft;
    const routes = [
      'DELETE /commonserviceitem/:id',
      'DELETE /appliance/:id',
      'GET /commonserviceitem/:id',
      'GET /appliance/:id',
    ];
    draft.at = 90_000;
    for (const route of routes) {
      const fault = { service: random.pick(['not found by a proxy', 'not found by a proxy, in JSON'] as const) };
      const count = 1 + random.int(3);
      put(draft, { what: 'fault', to: 'service', route, fault, count, skip: 0, milliseconds: 0, lasts: 3_600_000 });
    }
    for (const role of [...draft.present.keys()]) {
      if ((role.plural !== 'sims' && role.plural !== 'mobilegateways') || !random.chance(0.5)) continue;
      draft.present.delete(role);
      put(draft, { what: 'delete', ref: role.ref }, random.int(30_000));
    }
    put(draft, {
      what: 'fault',
      to: 'service',
      route: 'GET /commonserviceitem',
      fault: { service: 'list misses a member' },
      count: 2,
      skip: 0,
      milliseconds: 0,
      lasts: 3_600_000,
    });
  },
};
