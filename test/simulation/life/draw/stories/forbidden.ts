import { put } from '../draft.ts';
import type { Story } from './story.ts';

/** The token may not create what is asked for, and may do all else. */
export const forbidden: Story = {
  name: 'forbidden',
  wishes: () => ({ setting: { replicas: 1, leaderElect: false, trouble: 480_000 } }),
  tell(draft) {
    const { random } = draft;
    const fault = { service: 'forbidden' } as const;
    for (const route of ['POST /commonserviceitem', 'POST /appliance']) {
      const count = 1 + random.int(3);
      put(draft, { what: 'fault', to: 'service', route, fault, count, skip: 0, milliseconds: 0, lasts: 3_600_000 });
    }
  },
  isAlone: true,
};
