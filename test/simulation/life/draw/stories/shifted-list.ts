import { put } from '../draft.ts';
import { introduce } from './parts.ts';
import { eastWith, iccidOf, oldSim, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;
const COUNT = 7;
const NOBODYS = 2;

/** While the pages of a list are read, somebody removes what was on the first of them: all else moves up by one place. */
export const shiftedList: Story = {
  name: 'shifted list',
  wishes() {
    const { setting, ...wishes } = eastWith(
      { sims: Array.from({ length: COUNT }, (_, index) => oldSim(index)) },
      2 * MINUTE,
    );
    const service = { pageLimit: 2, allowDuplicateICCID: true };
    return { ...wishes, setting: { ...setting, service } };
  },
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    for (let index = NOBODYS; index < COUNT; index++)
      introduce(draft, 'sims', `sim-${index + 1}`, simSpec(index), 500 + random.int(5));
    // Of each list, some page of it.
    const on = { moment: 'answered', to: 'service', route: 'GET /commonserviceitem', nth: 2 + random.int(4) } as const;
    const act = { what: 'remove', kind: 'sims', name: iccidOf(random.int(NOBODYS)) } as const;
    put(draft, { what: 'upon', process: 0, on, later: 0, act });
  },
  encore: () => [],
};
