import { put } from '../draft.ts';
import { serviceRoutes } from '../trouble.ts';
import type { Story } from './story.ts';

const writes = serviceRoutes.filter((route) => !route.startsWith('GET '));

/** The leader stands still while a call waits for its connection, and another one takes its place, where there is one. */
export const stoodStill: Story = {
  name: 'stood still',
  wishes: (random) => {
    const trouble = random.pick([180_000, 300_000]);
    return { setting: { replicas: random.chance(0.4) ? 1 : 2, leaderElect: true, trouble } };
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
  },
};
