import { put } from '../draft.ts';
import { appear } from './parts.ts';
import { emptyEast, gatewayRoles } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;

/** Somebody removes two gateways at the service in the same moment, and one more is all that the hour lets be made. */
export const vanishedTogether: Story = {
  name: 'vanished together',
  wishes: () => ({
    ...emptyEast(4 * MINUTE),
    hasClusterAccount: false,
    brakes: { gatewayCreations: { maxPerHour: 3 } },
  }),
  cast: () => gatewayRoles(2),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast } = draft;
    for (const role of cast) appear(draft, role, {}, 500 + random.int(1000));
    const at = MINUTE + random.int(MINUTE);
    // While the one is put on record, the other asks.
    const slow = {
      to: 'kubernetes',
      fault: 'slow',
      count: 10,
      skip: 0,
      milliseconds: 1000 + random.int(2000),
    } as const;
    put(draft, { what: 'fault', ...slow, route: 'patch cloudaccounts/status', lasts: 2 * MINUTE }, at);
    for (const { ref } of cast) put(draft, { what: 'remove', kind: 'gateways', name: ref.name }, at);
  },
  encore: () => [],
};
