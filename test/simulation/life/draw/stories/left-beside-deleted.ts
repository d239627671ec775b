import { annotateAt, appear, removeAt } from './parts.ts';
import { expectReady } from './parts-crowd.ts';
import { simRoles } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const PAUSED = 'edgeline.dev/paused';

/** Some are to leave their SIMs at the service, and are paused meanwhile: what is deleted beside them is too little to be held. */
export const leftBesideDeleted: Story = {
  name: 'left beside deleted',
  wishes: () => ({
    namespaces: 1,
    isTight: false,
    brakes: { deletions: { maxPerHour: 1, maxPercent: 100 } },
    setting: { replicas: 1, leaderElect: false, trouble: 4 * MINUTE },
  }),
  cast: () => simRoles(4),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast } = draft;
    const [one, ...left] = cast;
    if (!one) return;
    const begin = MINUTE + random.int(MINUTE);
    for (const role of left) {
      appear(draft, role, { deletionPolicy: 'Orphan' }, 500 + random.int(1000));
      annotateAt(draft, role, PAUSED, 'true', begin - 10 * SECOND);
      removeAt(draft, role, begin + random.int(SECOND));
      annotateAt(draft, role, PAUSED, null, begin + MINUTE);
    }
    appear(draft, one, { deletionPolicy: 'Delete' }, 500 + random.int(1000));
    removeAt(draft, one, begin + 2 * SECOND);
    expectReady(draft, one, 'no other SIM is deleted', begin + 20 * SECOND);
  },
  encore: () => [],
};
