import { put } from '../draft.ts';
import { iccids } from '../vocabulary.ts';
import { appear, shows } from './parts.ts';
import { oneNamespace, simRoles } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;

/** Somebody empties the account at the service, most of it or one SIM of many; or it is gone while nobody looks. */
export const allAtOnce: Story = {
  name: 'all at once',
  wishes: () => oneNamespace(7 * MINUTE),
  cast: (_, random) => simRoles(4 + random.int(4)),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast } = draft;
    for (const role of cast) appear(draft, role, {}, 500 + random.int(1000));
    if (random.chance(0.4)) return;
    const at = 2 * MINUTE + random.int(2 * MINUTE);
    if (random.chance(0.3)) put(draft, { what: 'kill', process: 0, on: undefined, restart: 5000 }, at - 2000);
    const count = random.pick([3, cast.length, cast.length]);
    for (const name of iccids.slice(0, count)) put(draft, { what: 'remove', kind: 'sims', name }, at);
  },
  encore(draft) {
    const isEmptied = draft.steps.some(({ what }) => what === 'remove');
    if (isEmptied) return [];
    const act = { what: 'remove', kind: 'sims', name: iccids[0] ?? '' } as const;
    return [shows(act, 'that somebody removed a SIM is noticed with the next list', 2.5 * MINUTE)];
  },
};
