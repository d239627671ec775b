import type { MessageFault } from '../../script.ts';
import { put } from '../draft.ts';
import { appear, removeAt } from './parts.ts';
import { emptyEast, gatewayRoles, simRoles } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const unanswered: readonly MessageFault[] = ['lost-answer', { service: 'cut after' }, { service: 'timeout after' }];

/** What was made gets no answer, and the service shows it late; meanwhile somebody takes the finalizer off, and deletes. */
export const tornOffInDoubt: Story = {
  name: 'torn off in doubt',
  wishes: () => emptyEast(4 * MINUTE, { shownAfterCreate: 100 * SECOND, allowDuplicateICCID: true }),
  cast: (_, random) => (random.chance(0.5) ? gatewayRoles(1) : simRoles(1)),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast } = draft;
    const [one] = cast;
    if (!one) return;
    const route = one.plural === 'sims' ? 'POST /commonserviceitem' : 'POST /appliance';
    const once = { to: 'service', route, count: 1, skip: 0, milliseconds: 0, lasts: MINUTE } as const;
    put(draft, { what: 'fault', ...once, fault: random.pick(unanswered) });
    const at = 500 + random.int(2000);
    appear(draft, one, { deletionPolicy: 'Delete' }, at);
    const off = at + 5 * SECOND + random.int(5 * SECOND);
    put(draft, { what: 'patch', ref: one.ref, patch: { metadata: { finalizers: null } } }, off);
    if (random.chance(0.7)) removeAt(draft, one, off + 65 * SECOND);
  },
  encore: () => [],
};
