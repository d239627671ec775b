import { type Draft, put } from '../draft.ts';
import { serviceRoutes } from '../trouble.ts';
import { iccids } from '../vocabulary.ts';
import { introduce } from './parts.ts';
import { simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const writes = serviceRoutes.filter((route) => !route.startsWith('GET '));

/** The leader stands still while a call waits for its connection, and another one takes its place, where there is one. */
export const stoodStill: Story = {
  name: 'stood still',
  wishes: (random) => {
    const trouble = random.pick([180_000, 300_000]);
    return {
      isEast: true,
      east: { sims: [] },
      setting: { replicas: random.chance(0.4) ? 1 : 2, leaderElect: true, trouble },
    };
  },
  tell(draft) {
    const { random, drawn } = draft;
    for (const process of drawn.setting.replicas === 1 ? [0, 0, 0, 0] : [0, 1, 0, 1]) {
      const likely = random.pick([
        'POST /commonserviceitem',
        'PUT /commonserviceitem/:id/sim/activate',
        'POST /appliance',
      ]);
      const route = random.chance(0.5) ? likely : random.pick(writes);
      const on = { moment: 'begun', to: 'service', route, nth: 1 + random.int(2) } as const;
      put(draft, { what: 'suspend', process, on, milliseconds: 16_000 + random.int(40_000) }, random.int(60_000));
    }
    register(draft);
  },
};

/** By then much is done, and who stands still over just this is replaced before it leaves. */
function register(draft: Draft): void {
  const { random, drawn } = draft;
  const at = 20_000 + random.int(70_000);
  // What nobody has has to be registered.
  const known = JSON.stringify(draft.cast);
  const free = iccids.findLastIndex((iccid) => !known.includes(`"${iccid}"`));
  introduce(draft, 'sims', 'sim-new', simSpec(free < 0 ? random.int(iccids.length) : free), at);
  const on = { moment: 'begun', to: 'service', route: 'POST /commonserviceitem', nth: 1 } as const;
  // Whichever leads by then.
  for (let process = 0; process < drawn.setting.replicas; process++)
    put(draft, { what: 'suspend', process, on, milliseconds: 18_000 + random.int(40_000) }, at - 100);
}
