import { imeis } from '../vocabulary.ts';
import { alter, introduce } from './parts.ts';
import { fail } from './parts-crowd.ts';
import { eastWith, oldSim, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const COUNT = 6;

/** The service has too much to do, and says so to whatever it is asked, while much is wanted. */
export const tooMany: Story = {
  name: 'too many',
  wishes: () => ({
    ...eastWith({ sims: Array.from({ length: COUNT }, (_, index) => oldSim(index)) }, 4 * MINUTE),
    cloudRequestsPerSecond: 20,
  }),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const sims = Array.from({ length: COUNT }, (_, index) =>
      introduce(draft, 'sims', `sim-${index + 1}`, simSpec(index), random.int(2000)),
    );
    const at = MINUTE + random.int(20 * SECOND);
    fail(draft, { route: undefined, fault: 'too many requests', lasts: MINUTE }, at);
    for (const sim of sims) alter(draft, sim, { imeiLock: random.pick(imeis) }, at + 1 + random.int(5 * SECOND));
  },
  encore: () => [],
};
