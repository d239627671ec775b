import { introduce, removeAt } from './parts.ts';
import { emptyEast } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;

/** Several gateways in zones that do not exist, beside one in a zone that does. */
export const unknownZones: Story = {
  name: 'unknown zones',
  wishes: () => emptyEast(4 * MINUTE),
  arrives: true,
  tell(draft) {
    const { random } = draft;
    const zones = ['is7a', 'tk9x', 'os3z'].slice(0, 2 + random.int(2));
    const gateways = zones.map((zone, index) =>
      introduce(draft, 'mobilegateways', `lost-${index + 1}`, { zone, planID: 2 }, random.int(1500)),
    );
    introduce(draft, 'mobilegateways', 'gateway-1', { zone: 'is1a', planID: 2 }, random.int(1500));
    const [first] = gateways;
    if (first && random.chance(0.5)) removeAt(draft, first, 2 * MINUTE + random.int(MINUTE));
  },
};
