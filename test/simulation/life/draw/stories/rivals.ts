import { put } from '../draft.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;

/** Another installation has the namespace before this one, or gets it in the middle, and goes again or stays. */
export const rivals: Story = {
  name: 'rivals',
  wishes: () => ({
    namespaces: 1,
    hasClusterAccount: false,
    setting: { replicas: 1, leaderElect: false, trouble: 8 * MINUTE },
  }),
  tell(draft) {
    const { random, drawn } = draft;
    const [namespace = ''] = drawn.namespaces;
    const hold = { what: 'hold', namespace, lasts: random.pick([0, 3 * MINUTE, 60 * MINUTE]) } as const;
    switch (random.int(4)) {
      case 0:
        return put(draft, hold);
      case 1:
        return put(draft, hold, random.int(5 * MINUTE));
      default: {
        // It gets it while the answer to this one's own Lease is under way.
        const route = random.pick(['create leases', 'create leases', 'create leases', 'update leases']);
        const slow = {
          what: 'fault',
          to: 'kubernetes',
          route,
          fault: 'slow',
          count: 1,
          skip: 0,
          lasts: 60 * MINUTE,
        } as const;
        put(draft, { ...slow, milliseconds: 3000 + random.int(20_000) });
        const on = { moment: 'arrived', to: 'kubernetes', route, nth: 1 } as const;
        put(draft, { what: 'upon', process: 0, on, later: random.pick([1, 50]), act: hold });
      }
    }
  },
};
