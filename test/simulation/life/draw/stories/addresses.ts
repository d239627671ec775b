import type { Encore } from '../../script.ts';
import { addresses, networks } from '../vocabulary.ts';
import { alter, alteration, introduce } from './parts.ts';
import { nothing, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

/** Sims of one gateway want one another's addresses: in circles, in chains, and from one that only later moves on. */
export const addressesChangeHands: Story = {
  name: 'addresses',
  wishes: () => ({ namespaces: 1, isEast: true, east: nothing, setting: { replicas: 1, trouble: 180_000 } }),
  arrives: true,
  tell(draft) {
    const { random } = draft;
    introduce(draft, 'mobilegateways', 'gateway-1', { zone: 'is1a', planID: 2, privateInterface: networks[0] });
    const count = 2 + random.int(2);
    const sims = Array.from({ length: count }, (_, index) => {
      const spec = simSpec(index, { gatewayRef: { name: 'gateway-1' }, ipAddress: addresses[index] ?? null });
      return introduce(draft, 'sims', `sim-${index + 1}`, spec, random.int(2000));
    });
    // Each gets that of the next.
    const at = 60_000 + random.int(40_000);
    const isCircle = random.chance(0.7);
    for (const [index, sim] of sims.entries()) {
      const isLast = index === count - 1;
      const ipAddress = isLast && !isCircle ? addresses[3] : addresses[(index + 1) % count];
      alter(draft, sim, { ipAddress }, at + random.int(random.pick([1, 1, 3000])));
    }
    // A circle stands still for whoever has none and asks for one of its addresses, too.
    if (random.chance(0.5)) return;
    const taken = draft.present.get(sims[0] ?? never())?.spec['ipAddress'] ?? null;
    const waiting = simSpec(5, { gatewayRef: { name: 'gateway-1' }, ipAddress: taken });
    introduce(draft, 'sims', 'sim-6', waiting, 140_000);
  },
  encore(draft) {
    const first = [...draft.present.keys()].find(({ ref }) => ref.name === 'sim-1');
    const act = first && alteration(draft, first, { ipAddress: '10.0.0.20' });
    const why = 'an address that becomes free is given to whoever waits for it, within seconds';
    const encores: Encore[] = act ? [{ act, within: 30_000, why }] : [];
    return encores;
  },
};

function never(): never {
  throw new RangeError('there is no Sim');
}
