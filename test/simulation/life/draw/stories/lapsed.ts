import type { Occasion } from '../../script.ts';
import { put } from '../draft.ts';
import { introduce } from './parts.ts';
import { expectReady } from './parts-crowd.ts';
import { eastWith, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** The only process stands still in the middle of its work for longer than its Lease, which nobody else wants. */
export const lapsed: Story = {
  name: 'lapsed',
  wishes: () => {
    const { setting, ...wishes } = eastWith({}, 8 * MINUTE);
    return { ...wishes, setting: { ...setting, replicas: 1, leaderElect: true } };
  },
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const at = MINUTE + random.int(20 * SECOND);
    const on: Occasion = { moment: 'answered', to: 'kubernetes', route: 'patch sims', nth: 1 };
    put(draft, { what: 'suspend', process: 0, on, milliseconds: 16_000 + random.int(20_000) }, at - 10);
    const sim = introduce(draft, 'sims', 'sim-1', simSpec(0), at);
    // What an earlier process may have asked for is looked for until three minutes have passed.
    expectReady(draft, sim, 'its process stood still for less than a minute', at + 5 * MINUTE);
  },
  encore: () => [],
};
