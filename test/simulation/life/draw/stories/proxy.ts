import { put } from '../draft.ts';
import type { Story } from './story.ts';

/**
 * Lists leave members out, and when one of these is looked for, something between operator and service says 404 in its
 * stead; the same where something is to be deleted. In half of the lives lists leave out the same ones for as long as this
 * lasts, and late enough that nothing is excused by being new.
 */
export const proxy: Story = {
  name: 'proxy',
  wishes: () => ({
    setting: {
      replicas: 1,
      leaderElect: false,
      trouble: 480_000,
      service: { allowDuplicateICCID: true, shownAfterCreate: 0 },
    },
  }),
  tell(draft) {
    const { random } = draft;
    const isLasting = random.chance(0.5);
    draft.at = (isLasting ? 200_000 : 70_000) + random.int(40_000);
    const trouble = { what: 'fault', to: 'service', skip: 0, milliseconds: 0, lasts: 180_000 } as const;
    const lists = ['GET /commonserviceitem', 'GET /appliance'] as const;
    // What many lose at once is no accident of a few, and another story.
    for (const route of isLasting ? [random.pick(lists)] : lists) {
      const lacks = isLasting
        ? ({ fault: { service: 'list misses half' }, count: 1000, lasts: 90_000 } as const)
        : ({ fault: { service: 'list misses a member' }, count: 4 } as const);
      put(draft, { ...trouble, route, ...lacks });
    }
    for (const route of ['commonserviceitem', 'appliance']) {
      const fault = { service: random.pick(['not found by a proxy', 'not found by a proxy, in JSON'] as const) };
      put(draft, { ...trouble, route: `GET /${route}/:id`, fault, count: isLasting ? 1000 : 10 });
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
