import { annotateAt, introduce } from './parts.ts';
import { eastWith, gatewayInUse, gatewayInUseID, oldSim, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;

/** A MobileGateway is told to let go of its gateway, which another one takes over. Then a Sim names the first. */
export const gatewayHandedOver: Story = {
  name: 'gateway handed over',
  wishes: () =>
    eastWith(
      {
        gateways: [gatewayInUse()],
        sims: [oldSim(0)],
      },
      5 * MINUTE,
    ),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const spec = { resourceID: gatewayInUseID, zone: 'is1a' };
    const first = introduce(draft, 'mobilegateways', 'first', spec, 500);
    const letGo = MINUTE + random.int(10_000);
    annotateAt(draft, first, 'edgeline.dev/abandon', 'true', letGo);
    introduce(draft, 'mobilegateways', 'next', spec, random.int(letGo + MINUTE));
    introduce(draft, 'sims', 'sim-1', simSpec(0, { gatewayRef: { name: 'first' } }), letGo + 2 * MINUTE);
  },
  encore: () => [],
};
