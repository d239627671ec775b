import type { StatePatch } from '../../../../../src/simulator/control/patch.ts';
import { put } from '../draft.ts';
import { carriers, iccids } from '../vocabulary.ts';
import { alter, introduce } from './parts.ts';
import { emptyEast, iccidOf, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const [kddi, softBank, docomo] = carriers;

/** Somebody allows a carrier by hand that no spec names, and a little later a spec blocks another one. */
export const carriersOfOthers: Story = {
  name: 'carriers of others',
  wishes: () => emptyEast(600_000),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    // With few requests a turn of all SIMs takes more than a minute.
    const limits = { cloudRequestsPerSecond: 1 };
    for (const { ref } of draft.drawn.accounts) put(draft, { what: 'patch', ref, patch: { spec: { limits } } }, 20_000);
    for (let index = 0; index < iccids.length; index++) {
      const kept = { name: kddi, allow: true };
      const sim = introduce(draft, 'sims', `sim-${index + 1}`, simSpec(index, { carriers: [kept] }), random.int(2000));
      const at = 60_000 + random.int(120_000);
      const patch: StatePatch = {
        sims: {
          [iccidOf(index)]: { carriers: [kept, { name: softBank, allow: true }, { name: docomo, allow: true }] },
        },
      };
      put(draft, { what: 'edit', patch }, at);
      // Sooner it might still be under way, and later it is read in its turn.
      alter(draft, sim, { carriers: [kept, { name: softBank, allow: false }] }, at + 30_500 + random.int(15_000));
    }
  },
};
