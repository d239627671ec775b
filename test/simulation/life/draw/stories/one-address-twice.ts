import { addresses } from '../vocabulary.ts';
import { alter, introduce } from './parts.ts';
import { emptyEast, introduceGateways, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;

/** Two SIMs have one address on a gateway each; one is to move to the other's, which makes room for it later. */
export const oneAddressTwice: Story = {
  name: 'one address twice',
  wishes: () => emptyEast(9 * MINUTE),
  arrives: true,
  tell(draft) {
    const { random } = draft;
    introduceGateways(draft);
    const [one, other] = [0, 1].map((index) => {
      const spec = { gatewayRef: { name: `gateway-${index + 1}` }, ipAddress: addresses[0], activated: true };
      return introduce(draft, 'sims', `sim-${index + 1}`, simSpec(index, spec), random.int(2000));
    });
    if (!one || !other) return;
    const at = 5 * MINUTE + random.int(MINUTE);
    alter(draft, one, { gatewayRef: { name: 'gateway-2' } }, at);
    alter(draft, other, { ipAddress: addresses[1] }, at + random.pick([0, MINUTE]) + random.int(MINUTE));
  },
};
