import { type Draft, put } from '../draft.ts';
import { drawEdit } from '../people.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;
/** So long nobody renews a Lease that runs out in between. */
const CUT_OFF = 24 * MINUTE;

/**
 * Another installation has the namespace before this one, or gets it in the middle, and goes again or stays; or gets it when
 * this one is cut off from the cluster, and learns of nothing while people change what it looks after.
 */
export const rivals: Story = {
  name: 'rivals',
  wishes: (random) => ({
    namespaces: 1,
    hasClusterAccount: false,
    setting: { replicas: 1, leaderElect: false, trouble: random.chance(0.25) ? CUT_OFF + 3 * MINUTE : 8 * MINUTE },
  }),
  tell(draft) {
    const { random, drawn } = draft;
    if (drawn.setting.trouble > CUT_OFF) return cutOff(draft);
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

function cutOff(draft: Draft): void {
  const { random, drawn } = draft;
  const [namespace = ''] = drawn.namespaces;
  draft.at = MINUTE + random.int(MINUTE);
  put(draft, { what: 'partition', process: 0, to: 'kubernetes', milliseconds: CUT_OFF });
  put(draft, { what: 'freeze watches', process: 0, milliseconds: CUT_OFF });
  put(draft, { what: 'hold', namespace, lasts: random.pick([0, 3 * MINUTE]) }, 15 * MINUTE + random.int(2 * MINUTE));
  for (let count = 0; count < 8; count++) {
    const patch = drawEdit(draft);
    if (patch) put(draft, { what: 'edit', patch }, 11 * MINUTE + random.int(11 * MINUTE));
  }
}
