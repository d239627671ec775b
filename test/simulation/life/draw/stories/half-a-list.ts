import { put } from '../draft.ts';
import { appear } from './parts.ts';
import { nothing, oldSim, simRoles } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;
const COUNT = 7;

/** Exactly one list of SIMs lacks half of its members; somebody may be looking for one of them just then. */
export const halfAList: Story = {
  name: 'half a list',
  wishes: () => ({
    namespaces: 1,
    isEast: true,
    east: {
      ...nothing,
      sims: Array.from({ length: COUNT }, (_, index) => oldSim(index)),
    },
    setting: {
      replicas: 1,
      leaderElect: false,
      trouble: 6 * MINUTE,
      service: { pageLimit: 1000, allowDuplicateICCID: true },
    },
  }),
  cast: () => simRoles(COUNT),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast } = draft;
    // The first members are those that are left out.
    const [late, ...others] = cast;
    for (const role of others) appear(draft, role, {}, 500 + random.int(1000));
    const at = 2 * MINUTE + random.int(MINUTE);
    const route = 'GET /commonserviceitem';
    const fault = { service: 'list misses half' } as const;
    put(
      draft,
      { what: 'fault', to: 'service', route, fault, count: 1, skip: 0, milliseconds: 0, lasts: MINUTE * 2 },
      at,
    );
    if (late) appear(draft, late, {}, at + random.int(70_000));
  },
};
