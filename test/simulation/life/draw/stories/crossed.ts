import { presentOf, put } from '../draft.ts';
import { managedPlurals } from '../vocabulary.ts';
import type { Story } from './story.ts';

/** Somebody writes to a resource while a write of its status is on its way. */
export const crossed: Story = {
  name: 'crossed',
  wishes: () => ({ setting: { replicas: 1, leaderElect: false, trouble: 180_000 } }),
  tell(draft) {
    const { random } = draft;
    for (const plural of managedPlurals) {
      const route = `patch ${plural}/status`;
      for (let nth = 1; nth <= 3; nth++) {
        const slow = { what: 'fault', to: 'kubernetes', route, fault: 'slow', count: 1, skip: nth - 1 } as const;
        put(draft, { ...slow, milliseconds: 600 + random.int(2000), lasts: 3_600_000 });
        for (const { ref } of presentOf(draft, plural)) {
          const on = { moment: 'written', to: 'kubernetes', route, nth } as const;
          const act = { what: 'patch', ref, patch: { metadata: { labels: { touched: `${nth}` } } } } as const;
          put(draft, { what: 'upon', process: 0, on, later: random.pick([1, 100]), act });
        }
      }
    }
  },
};
