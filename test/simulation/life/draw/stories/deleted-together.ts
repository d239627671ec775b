import { put } from '../draft.ts';
import { appear, introduce, removeAt } from './parts.ts';
import { expectReady } from './parts-crowd.ts';
import { emptyEast, simRoles, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const COUNT = 6;

/** Most of an account is deleted by those who have it, and the cluster is slow to take that in: nothing was lost, and all goes on. */
export const deletedTogether: Story = {
  name: 'deleted together',
  wishes: () => ({ ...emptyEast(7 * MINUTE), hasOther: false }),
  cast: () => simRoles(COUNT),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast } = draft;
    for (const role of cast) appear(draft, role, { deletionPolicy: 'Delete' }, 500 + random.int(1000));
    const at = 2 * MINUTE + random.int(MINUTE);
    const slow = { fault: 'refused', count: 100, skip: 0, milliseconds: 0, lasts: 2.5 * MINUTE } as const;
    put(draft, { what: 'fault', to: 'kubernetes', route: 'patch sims', ...slow }, at);
    for (const role of cast) removeAt(draft, role, at + random.int(2 * SECOND));
    const next = at + 3 * MINUTE;
    const other = introduce(draft, 'sims', 'sim-7', simSpec(6), next);
    expectReady(draft, other, 'nothing was lost', next + MINUTE);
  },
  encore: () => [],
};
