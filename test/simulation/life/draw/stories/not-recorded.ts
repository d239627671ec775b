import { put } from '../draft.ts';
import { appear } from './parts.ts';
import { emptyEast, gatewayRoles, simRoles } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** What is about to be asked for can't be put on record: nothing is asked for before it can. */
export const notRecorded: Story = {
  name: 'not recorded',
  wishes: () => emptyEast(3 * MINUTE),
  cast: (_, random) => (random.chance(0.7) ? gatewayRoles(1) : simRoles(1)),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast } = draft;
    for (const one of cast) {
      const fault = random.pick(['lost-request', 'refused', { kubernetes: 500 }] as const);
      const at = 500 + random.int(2 * SECOND);
      const route = `patch ${one.plural}/status`;
      const failing = { what: 'fault', to: 'kubernetes', route, fault, skip: 0, milliseconds: 0 } as const;
      put(draft, { ...failing, count: 1 + random.int(8), lasts: MINUTE }, at - 10);
      appear(draft, one, {}, at);
    }
  },
};
