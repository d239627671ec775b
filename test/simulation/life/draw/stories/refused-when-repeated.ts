import { put } from '../draft.ts';
import { imeis } from '../vocabulary.ts';
import { alter, introduce } from './parts.ts';
import { expectReady } from './parts-crowd.ts';
import { eastWith, oldSim, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const unanswered = ['cut after', 'timeout after', 'internal error after', 'gateway timeout after'] as const;

/** A SIM is unlocked, and nobody hears of it; when it is asked for once more, that is refused: it is not locked. */
export const refusedWhenRepeated: Story = {
  name: 'refused when repeated',
  wishes: () => eastWith({ sims: [oldSim(0)] }, 4 * MINUTE),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const sim = introduce(draft, 'sims', 'sim-1', simSpec(0, { imeiLock: imeis[0] }), random.int(2000));
    const route = 'DELETE /commonserviceitem/:id/sim/imeilock';
    const at = MINUTE + random.int(MINUTE);
    const one = { to: 'service', count: 1, skip: 0, milliseconds: 0, lasts: MINUTE } as const;
    put(draft, { what: 'fault', ...one, route, fault: { service: random.pick(unanswered) } }, at);
    alter(draft, sim, { imeiLock: undefined }, at + 1);
    expectReady(draft, sim, 'it was refused only because it was done', at + 12 * SECOND);
  },
  encore: () => [],
};
