import type { Fault } from '../../../../../src/shadow/service/faults.ts';
import { seededID } from '../seed.ts';
import { imeis } from '../vocabulary.ts';
import { alter, introduce } from './parts.ts';
import { expectReady, fail } from './parts-crowd.ts';
import { eastWith, oldSim, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const faults: readonly Fault[] = ['unavailable', 'unavailable', 'internal error', 'bad gateway', 'conflict'];

/** Whatever one SIM is asked for is answered with an error for as long as it lasts; the others are changed. */
export const brokenObject: Story = {
  name: 'broken object',
  wishes: () => eastWith({ sims: Array.from({ length: 8 }, (_, index) => oldSim(index)) }, 40 * MINUTE),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const sims = Array.from({ length: 8 }, (_, index) =>
      introduce(draft, 'sims', `sim-${index + 1}`, simSpec(index), random.int(2000)),
    );
    const [broken, ...sound] = sims;
    const fault = random.pick(faults);
    const begun = MINUTE;
    const id = seededID('east', 1);
    for (const route of [
      'PUT /commonserviceitem/:id/sim/imeilock',
      'GET /commonserviceitem/:id/sim/network_operator_config',
    ]) {
      fail(draft, { route, fault, id, lasts: 38 * MINUTE }, begun);
    }
    if (broken) alter(draft, broken, { imeiLock: imeis[0], carriers: [{ name: 'KDDI', allow: true }] }, begun + 1);
    for (let at = begun + 15 * MINUTE; at < 38 * MINUTE; at += MINUTE) {
      // All at once, now and then: what one takes alone tells little of how fast all go.
      const some = random.chance(0.4) ? sound : [random.pick(sound)];
      for (const sim of some) {
        alter(
          draft,
          sim,
          { imeiLock: random.pick(imeis), carriers: [{ name: 'KDDI', allow: random.chance(0.5) }] },
          at,
        );
        expectReady(draft, sim, `only another is answered with "${fault}"`, at + 20 * SECOND);
      }
    }
  },
  encore: () => [],
};
