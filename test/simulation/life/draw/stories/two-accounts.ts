import { networks } from '../vocabulary.ts';
import { alter, introduce } from './parts.ts';
import { nothing, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

/** Sims name a gateway of another account than their own; one of them is corrected. */
export const twoAccounts: Story = {
  name: 'two-accounts',
  wishes: (random) => ({
    namespaces: 1,
    isEast: true,
    east: nothing,
    second: random.pick(['west', 'west', 'east-2']),
    setting: { replicas: 1, trouble: 180_000 },
  }),
  arrives: true,
  tell(draft) {
    const { random } = draft;
    const accountRef = { kind: 'CloudAccount', name: 'second' };
    const gateway = { zone: 'is1a', planID: 2, privateInterface: networks[0] };
    introduce(draft, 'mobilegateways', 'gateway-1', { ...gateway, accountRef }, random.int(2000));
    introduce(draft, 'mobilegateways', 'gateway-2', gateway, random.int(2000));
    for (let index = 0; index < 3; index++) {
      const own = index === 1 ? { accountRef } : {};
      const spec = simSpec(index, { ...own, gatewayRef: { name: 'gateway-1' } });
      const sim = introduce(draft, 'sims', `sim-${index + 1}`, spec, random.int(2000));
      if (index === 2) alter(draft, sim, { gatewayRef: { name: 'gateway-2' } }, 60_000 + random.int(60_000));
    }
  },
};
