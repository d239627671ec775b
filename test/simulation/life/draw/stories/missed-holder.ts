import { put } from '../draft.ts';
import { addresses } from '../vocabulary.ts';
import { alter, introduce } from './parts.ts';
import { introduceGateways, nothing, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;

/** A SIM is to move to the address of another, which lists miss just then. */
export const missedHolder: Story = {
  name: 'missed holder',
  wishes: () => ({
    namespaces: 1,
    isEast: true,
    east: nothing,
    setting: { replicas: 1, leaderElect: false, trouble: 240 * SECOND },
  }),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    introduceGateways(draft);
    const [first, other] = [0, 1].map((index) =>
      introduce(
        draft,
        'sims',
        `sim-${index + 1}`,
        simSpec(index, { gatewayRef: { name: `gateway-${index + 1}` }, ipAddress: addresses[index] ?? null }),
        random.int(2 * SECOND),
      ),
    );
    if (!first || !other) return;
    const at = 90 * SECOND;
    const trouble = { what: 'fault', to: 'service', count: 1000, skip: 0, milliseconds: 0 } as const;
    const service = random.pick(['list misses a member', 'list misses half'] as const);
    put(draft, { ...trouble, route: 'GET /commonserviceitem', fault: { service }, lasts: 100 * SECOND }, at);
    alter(draft, other, { gatewayRef: { name: 'gateway-1' }, ipAddress: addresses[0] }, at + random.int(80 * SECOND));
    if (random.chance(0.5)) alter(draft, first, { ipAddress: addresses[2] }, at + 130 * SECOND);
  },
};
