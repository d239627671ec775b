import { put } from '../draft.ts';
import { appear } from './parts.ts';
import { simRoles } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;

/** Lists take seconds, and while they are on their way what they show is changed. */
export const slowLists: Story = {
  name: 'slow lists',
  wishes: () => ({ namespaces: 1, setting: { replicas: 1, leaderElect: false, trouble: 5 * MINUTE } }),
  cast: () => simRoles(4),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast } = draft;
    for (const role of cast) appear(draft, role, { activated: random.chance(0.5) }, 500 + random.int(1000));
    const all = { what: 'fault', to: 'service', route: 'GET /commonserviceitem', count: 10_000, skip: 0 } as const;
    put(draft, { ...all, fault: 'slow', milliseconds: 6000 + random.int(20_000), lasts: 4 * MINUTE }, 20_000);
    for (let count = 0; count < 20; count++) {
      const patch = { spec: { activated: random.chance(0.5) } };
      put(draft, { what: 'patch', ref: random.pick(cast).ref, patch }, 30_000 + random.int(3 * MINUTE));
    }
  },
};
