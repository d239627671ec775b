import { put } from '../draft.ts';
import { appear, removeAt } from './parts.ts';
import { nothing, simRoles } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;

/** Lists leave a SIM out, each time another one, while their Sims are deleted. */
export const leftOut: Story = {
  name: 'left out',
  wishes: () => ({
    namespaces: 1,
    isEast: true,
    east: nothing,
    setting: { replicas: 1, leaderElect: false, trouble: 6 * MINUTE, service: { pageLimit: 1000 } },
  }),
  cast: () => simRoles(5),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast } = draft;
    for (const role of cast) appear(draft, role, { activated: random.chance(0.5) }, 500 + random.int(1000));
    // Sooner than this what was made might not be shown yet.
    const at = 4 * MINUTE + random.int(MINUTE / 2);
    const route = 'GET /commonserviceitem';
    const fault = { service: 'list misses a member' } as const;
    put(
      draft,
      { what: 'fault', to: 'service', route, fault, count: 1000, skip: 0, milliseconds: 0, lasts: MINUTE },
      at,
    );
    for (const role of cast.slice(0, 3)) removeAt(draft, role, at + random.int(45_000));
  },
};
