import { put } from '../draft.ts';
import { imeis } from '../vocabulary.ts';
import { alter, annotateAt, introduce } from './parts.ts';
import { defaultAccount, rotation } from './parts-accounts.ts';
import { eastWith, oldSim, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const PAUSED = 'edgeline.dev/paused';

/** An account is paused, for its Secret is exchanged; and what is wanted of a SIM meanwhile is done with the new one. */
export const exchangedInPause: Story = {
  name: 'exchanged in pause',
  wishes: () => ({ ...eastWith({ sims: [oldSim(0), oldSim(1)] }, 4 * MINUTE), hasClusterAccount: false }),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, drawn } = draft;
    const account = defaultAccount(draft);
    const other = drawn.setting.credentials.find((one) => one !== account.opens && one.sameAs === 'east');
    const sims = [0, 1].map((index) => introduce(draft, 'sims', `sim-${index + 1}`, simSpec(index), random.int(2000)));
    const at = MINUTE + random.int(10 * SECOND);
    annotateAt(draft, account, PAUSED, 'true', at);
    if (other) put(draft, rotation(account, other), at + 5 * SECOND);
    const again = at + 15 * SECOND + random.int(20 * SECOND);
    const isBefore = random.chance(0.5);
    for (const sim of sims) alter(draft, sim, { imeiLock: random.pick(imeis) }, again - (isBefore ? 8 * SECOND : 0));
    const slow = { fault: 'slow', milliseconds: 2000 + random.int(5 * SECOND), lasts: 5 * SECOND } as const;
    put(draft, { what: 'fault', to: 'kubernetes', route: 'get secrets', count: 5, skip: 0, ...slow }, again - 1);
    annotateAt(draft, account, PAUSED, null, again);
  },
  encore: () => [],
};
