import { annotateAt, introduce } from './parts.ts';
import { emptyEast, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;

/** Somebody sets a switch that only "true" turns on to something else. */
export const oddSwitches: Story = {
  name: 'odd switches',
  wishes: () => emptyEast(3 * MINUTE),
  arrives: true,
  tell(draft) {
    const { random } = draft;
    const gateway = introduce(draft, 'mobilegateways', 'gateway-1', { zone: 'is1a', planID: 2 }, random.int(1500));
    const sim = introduce(draft, 'sims', 'sim-1', simSpec(0), random.int(1500));
    const odd = () => random.pick(['yes', 'True', '1', 'on', '']);
    annotateAt(draft, sim, 'edgeline.dev/abandon', odd(), 10_000 + random.int(MINUTE));
    const key = random.pick(['edgeline.dev/abandon', 'edgeline.dev/release-sims']);
    annotateAt(draft, gateway, key, odd(), 10_000 + random.int(MINUTE));
  },
};
