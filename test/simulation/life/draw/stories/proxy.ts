import { put } from '../draft.ts';
import type { Story } from './story.ts';

/**
 * Lists leave members out, and when one of these is looked for, something between operator and service says 404 in its
 * stead; the same where something is to be deleted.
 */
export const proxy: Story = {
  name: 'proxy',
  wishes: () => ({
    setting: {
      replicas: 1,
      leaderElect: false,
      trouble: 300_000,
      service: { allowDuplicateICCID: true, shownAfterCreate: 0 },
    },
  }),
  tell(draft) {
    const { random } = draft;
    draft.at = 70_000 + random.int(40_000);
    const trouble = { what: 'fault', to: 'service', skip: 0, milliseconds: 0, lasts: 180_000 } as const;
    for (const route of ['GET /commonserviceitem', 'GET /appliance']) {
      put(draft, { ...trouble, route, fault: { service: 'list misses a member' }, count: 4 });
    }
    for (const route of ['commonserviceitem', 'appliance']) {
      const fault = { service: random.pick(['not found by a proxy', 'not found by a proxy, in JSON'] as const) };
      put(draft, { ...trouble, route: `GET /${route}/:id`, fault, count: 10 });
      put(draft, { ...trouble, route: `DELETE /${route}/:id`, fault, count: 1 + random.int(3) });
    }
    for (const role of draft.cast) {
      if (
        !draft.present.has(role) ||
        (role.plural !== 'sims' && role.plural !== 'mobilegateways') ||
        !random.chance(0.3)
      )
        continue;
      draft.present.delete(role);
      put(draft, { what: 'delete', ref: role.ref }, random.int(60_000));
    }
  },
};
