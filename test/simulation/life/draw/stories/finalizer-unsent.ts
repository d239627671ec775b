import { put } from '../draft.ts';
import { appear, removeAt } from './parts.ts';
import { emptyEast, gatewayRoles } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/**
 * Somebody takes the finalizer off before what it was set for was sent: that waits, for the apiserver is slow to put on record
 * what is asked for. Without it whoever deletes the resource just then would leave behind what is made.
 */
export const finalizerUnsent: Story = {
  name: 'finalizer unsent',
  wishes: () => emptyEast(4 * MINUTE, { shownAfterCreate: 0 }),
  cast: () => gatewayRoles(1),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast } = draft;
    const [one] = cast;
    if (!one) return;
    const taken = { what: 'patch', ref: one.ref, patch: { metadata: { finalizers: null } } } as const;
    const times = random.pick([1, 2, 8, 8]);
    // From its finalizer on each write of its status takes seconds.
    const slow = { to: 'kubernetes', route: 'patch mobilegateways/status', fault: 'slow' } as const;
    put(draft, { what: 'fault', ...slow, count: 20, skip: 0, milliseconds: 6 * SECOND, lasts: 2 * MINUTE });
    for (let nth = 1; nth <= times; nth++) {
      const on = { moment: 'answered', to: 'kubernetes', route: 'patch mobilegateways', nth } as const;
      put(draft, { what: 'upon', process: 0, on, later: 500 + random.int(SECOND), act: taken });
    }
    // Whoever goes on with it is told of, before the next try.
    if (times > 4) {
      const shows = { Stalled: 'True' };
      const expected = { what: 'expect', ref: one.ref, shows, why: 'something takes its finalizer off' } as const;
      const on = { moment: 'answered', to: 'kubernetes', route: 'patch mobilegateways', nth: 5 } as const;
      put(draft, { what: 'upon', process: 0, on, later: 100, act: expected });
    }
    appear(draft, one, { deletionPolicy: 'Delete' }, 500 + random.int(2 * SECOND));
    if (random.chance(0.3)) removeAt(draft, one, 3 * MINUTE);
  },
  encore: () => [],
};
