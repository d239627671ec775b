import { put } from '../draft.ts';
import { createRole } from '../users.ts';
import type { Story } from './story.ts';

/**
 * While the operator does not reach the cluster, objects go for good, and so much happens that watches cannot be taken up
 * again: it has to find out by listing that they are gone.
 */
export const away: Story = {
  name: 'away',
  wishes: () => ({ namespaces: 1, setting: { replicas: 1, leaderElect: false, trouble: 300_000 } }),
  tell(draft) {
    const { random } = draft;
    const [namespace] = draft.drawn.namespaces;
    draft.at = 60_000 + random.int(60_000);
    put(draft, { what: 'partition', process: 0, to: 'kubernetes', milliseconds: 40_000 });
    for (const role of draft.cast) {
      if (!draft.present.has(role) || !random.chance(0.6)) continue;
      draft.present.delete(role);
      // As whoever takes the finalizers off by hand.
      put(draft, { what: 'patch', ref: role.ref, patch: { metadata: { finalizers: null } } }, 5000);
      put(draft, { what: 'delete', ref: role.ref }, 5001);
      const { resourceID: _, ...fixed } = role.fixed;
      const again = { ...role, fixed };
      const name = `${role.ref.name}-again`;
      const other = { ...again, ref: { ...role.ref, namespace, name } };
      draft.at += 100_000;
      createRole(draft, other);
      draft.at -= 100_000;
    }
    put(draft, { what: 'compact' }, 30_000);
  },
  isAlone: true,
};
