import type { Fault } from '../../../../../src/shadow/service/faults.ts';
import { imeis } from '../vocabulary.ts';
import { alter, introduce } from './parts.ts';
import { expectReady, fail } from './parts-crowd.ts';
import { eastWith, oldSim, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const faults: readonly Fault[] = ['conflict', 'locked', 'internal error'];

/** What failed for minutes, and went well since, fails once more for a moment. */
export const failsAgain: Story = {
  name: 'fails again',
  wishes: () => eastWith({ sims: [oldSim(0), oldSim(1)] }, 30 * MINUTE),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const sims = [0, 1].map((index) => introduce(draft, 'sims', `sim-${index + 1}`, simSpec(index), random.int(2000)));
    const route = 'PUT /commonserviceitem/:id/sim/imeilock';
    const fault = random.pick(faults);
    let times = 0;
    const change = (at: number, within?: number) => {
      for (const sim of sims) {
        alter(draft, sim, { imeiLock: imeis[times % 2] }, at);
        if (within !== undefined) expectReady(draft, sim, 'it went well for minutes', at + within);
      }
      times++;
    };
    const ended = (5 + random.int(8)) * MINUTE;
    fail(draft, { route, fault, lasts: ended - MINUTE }, MINUTE);
    change(MINUTE + 1);
    // The last wait between two tries is one of minutes.
    const again = ended + 8 * MINUTE + random.int(2 * MINUTE);
    fail(draft, { route, fault, lasts: 3 * SECOND }, again);
    change(again + 1, 30 * SECOND);
  },
  encore: () => [],
};
