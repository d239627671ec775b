import { put } from '../draft.ts';
import { iccids } from '../vocabulary.ts';
import { alter, appear } from './parts.ts';
import { nothing, simRoles } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;
const ROUTE = 'PUT /commonserviceitem/:id/sim/activate';

/** Of several requests under way one is told to come back in half a minute, and others only that they are too many. */
export const twiceThrottled: Story = {
  name: 'twice throttled',
  wishes: () => ({
    namespaces: 1,
    isEast: true,
    east: nothing,
    setting: { replicas: 1, leaderElect: false, trouble: 4 * MINUTE, service: { stillCreatingMs: 0 } },
  }),
  cast: () => simRoles(iccids.length),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast } = draft;
    for (const role of cast) appear(draft, role, { activated: false }, 500 + random.int(1000));
    const at = 90_000 + random.int(30_000);
    const fault = { what: 'fault', to: 'service', route: ROUTE, milliseconds: 0, lasts: 20_000 } as const;
    put(draft, { ...fault, fault: { service: 'too many requests, retry later' }, count: 1, skip: 0 }, at - 10);
    put(draft, { ...fault, fault: { service: 'too many requests' }, count: 20, skip: 0 }, at - 9);
    for (const role of cast) alter(draft, role, { activated: true }, at);
  },
};
