import { put } from '../draft.ts';
import { alter, appear } from './parts.ts';
import { eastWith, iccidOf, oldSim, simRoles } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;
const iccid = iccidOf(0);

/** A SIM is removed by hand and registered again by hand; what its Sim wrote on the first is not its own on the second. */
export const byHandAgain: Story = {
  name: 'by hand again',
  wishes: () =>
    eastWith(
      {
        sims: [oldSim(0, { name: 'old', activated: false })],
      },
      7 * MINUTE,
    ),
  cast: () => simRoles(1),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast } = draft;
    const [sim] = cast;
    if (!sim) return;
    appear(draft, sim, { adoption: 'Required', activated: true }, 500);
    put(draft, { what: 'remove', kind: 'sims', name: iccid }, MINUTE + random.int(30_000));
    const at = 3 * MINUTE + random.int(MINUTE);
    alter(draft, sim, { activated: undefined }, at);
    if (random.chance(0.3)) put(draft, { what: 'kill', process: 0, on: undefined, restart: 500 }, at + 10_000);
    const seed = { iccid, name: 'by hand', activated: true };
    put(draft, { what: 'add', account: 'east', kind: 'sims', seed }, at + 30_000 + random.int(30_000));
  },
};
