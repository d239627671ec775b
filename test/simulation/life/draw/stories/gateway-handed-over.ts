import { gatewayPlace, OLD, seededID } from '../seed.ts';
import { networks } from '../vocabulary.ts';
import { annotateAt, introduce } from './parts.ts';
import { eastWith, oldSim, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;
const ID = seededID('east', gatewayPlace(0));

/** A MobileGateway is told to let go of its gateway, which another one takes over. Then a Sim names the first. */
export const gatewayHandedOver: Story = {
  name: 'gateway handed over',
  wishes: () =>
    eastWith(
      {
        gateways: [
          {
            id: ID,
            createdAt: OLD,
            name: 'old-gateway',
            zone: 'is1a',
            privateInterface: networks[0],
            instanceStatus: 'up',
          },
        ],
        sims: [oldSim(0)],
      },
      5 * MINUTE,
    ),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const spec = { resourceID: ID, zone: 'is1a' };
    const first = introduce(draft, 'mobilegateways', 'first', spec, 500);
    const letGo = MINUTE + random.int(10_000);
    annotateAt(draft, first, 'edgeline.dev/abandon', 'true', letGo);
    introduce(draft, 'mobilegateways', 'next', spec, random.int(letGo + MINUTE));
    introduce(draft, 'sims', 'sim-1', simSpec(0, { gatewayRef: { name: 'first' } }), letGo + 2 * MINUTE);
  },
  encore: () => [],
};
