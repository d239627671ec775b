import type { Fault } from '../../../../../src/shadow/service/faults.ts';
import type { Role } from '../cast.ts';
import type { Draft } from '../draft.ts';
import { imeis } from '../vocabulary.ts';
import { alter, introduce } from './parts.ts';
import { expectReady, fail } from './parts-crowd.ts';
import { eastWith, oldSim, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** After a refusal a permission is asked for once in so long. */
const WINDOW = 5 * MINUTE;

/** A token loses the permission for what it is used for, and is given it back: from then on all goes as before. */
export const permissionBack: Story = {
  name: 'permission back',
  wishes: () => eastWith({ sims: [oldSim(0), oldSim(1)] }, 17 * MINUTE),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const sims = [0, 1].map((index) => introduce(draft, 'sims', `sim-${index + 1}`, simSpec(index), random.int(2000)));
    const lost = MINUTE + random.int(MINUTE);
    const lasts = 10 * SECOND + random.int(2 * MINUTE);
    const fault: Fault = 'forbidden';
    fail(draft, { route: 'GET /commonserviceitem', fault, lasts }, lost);
    // The next two times are those of one that is asked once in a while, and of one that is not.
    const again = lost + lasts + WINDOW + MINUTE + random.int(MINUTE);
    for (const at of [again, again + 2 * MINUTE]) for (const sim of sims) change(draft, sim, at);
  },
  encore: () => [],
};

function change(draft: Draft, sim: Role, at: number): void {
  const lock = draft.present.get(sim)?.spec['imeiLock'];
  alter(draft, sim, { imeiLock: imeis.find((one) => one !== lock) }, at);
  expectReady(draft, sim, 'the permission was given back minutes ago', at + 40 * SECOND);
}
