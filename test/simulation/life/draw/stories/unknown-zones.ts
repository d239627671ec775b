import type { JsonObject } from '../../json.ts';
import type { Act } from '../../script.ts';
import type { Draft } from '../draft.ts';
import { gatewayPlace, seededID } from '../seed.ts';
import { creation, introduce, role, shows } from './parts.ts';
import { emptyEast } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;

/**
 * Several gateways at once in zones that do not exist, beside one in a zone that does, as the operator starts and later. Those
 * that are to be made are refused without any list; those that are to be found wait for the lists of such zones.
 */
export const unknownZones: Story = {
  name: 'unknown zones',
  wishes: () => emptyEast(2 * MINUTE),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    for (const [index, zone] of ['is7a', 'tk9x', 'os3z'].entries()) {
      introduce(draft, 'mobilegateways', `lost-${index + 1}`, { zone, planID: 2 }, random.int(1500));
    }
    introduce(draft, 'mobilegateways', 'gateway-1', { zone: 'is1a', planID: 2 }, random.int(1500));
  },
  encore(draft, random) {
    const areFound = random.chance(0.7);
    const [first, ...others] = ['is8a', 'tk8x', 'os8z'].map((zone, index) =>
      lost(draft, `late-${index + 1}`, {
        zone,
        ...(areFound && { resourceID: seededID('east', gatewayPlace(index)) }),
      }),
    );
    if (!first) return [];
    return [{ ...shows(first, 'that zones do not exist is told one after the other', 15_000), also: others }];
  },
};

function lost(draft: Draft, name: string, where: JsonObject): Act {
  return creation(draft, role('mobilegateways', name, { ...where, planID: 2 }));
}
