import type { MessageFault } from '../../script.ts';
import type { Role } from '../cast.ts';
import { type Draft, put } from '../draft.ts';
import { appear, removeAt } from './parts.ts';
import { gatewayRoles, simRoles } from './parts-sims.ts';
import type { Story } from './story.ts';

const unanswered = [
  'lost-answer',
  'stall',
  { service: 'stall after' },
  { service: 'cut after' },
  { service: 'timeout after' },
] as const;

/**
 * Nobody knows what became of a creation: its answer is lost, or it arrives after its process has died, and the service
 * shows late what it makes.
 */
export const unclearCreation: Story = {
  name: 'unclear creation',
  wishes: (random) => ({
    namespaces: 1,
    setting: {
      replicas: 1,
      leaderElect: false,
      trouble: 300_000,
      service: { allowDuplicateICCID: true, shownAfterCreate: random.pick([0, 8000, 30_000, 100_000]) },
    },
  }),
  cast: (_, random) => (random.chance(0.6) ? gatewayRoles(2) : simRoles(3)),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast } = draft;
    const route = cast[0]?.plural === 'sims' ? 'POST /commonserviceitem' : 'POST /appliance';
    const strike = (fault: MessageFault, milliseconds: number) =>
      put(draft, { what: 'fault', to: 'service', route, fault, count: 1, skip: 0, milliseconds, lasts: 3_600_000 });
    let isKilled = false;
    for (let nth = 1; nth === 1 || (nth === 2 && random.chance(0.7)); nth++) {
      if (random.chance(0.6)) strike(random.pick(unanswered), 1000);
      else {
        // Its process dies in the moment it leaves.
        isKilled = true;
        strike('delayed-arrival', 4000 + random.int(25_000));
        const on = { moment: 'written', to: 'service', route, nth } as const;
        put(draft, { what: 'kill', process: 0, on, restart: random.pick([200, 1000, 3000]) });
      }
    }
    for (const role of cast) appear(draft, role, {}, 500 + random.int(random.pick([10, 30_000])));
    const [first] = cast;
    if (first && !isKilled && random.chance(0.6)) takenOff(draft, first, route);
    else if (first && random.chance(0.3)) removeAt(draft, first, 31_000 + random.int(200_000));
  },
};

/** Somebody takes the finalizer off while nobody knows what became of it, and deletes it a minute later. */
function takenOff(draft: Draft, { ref: one }: Role, route: string): void {
  const on = { moment: 'written', to: 'service', route, nth: 1 } as const;
  const act = { what: 'patch', ref: one, patch: { metadata: { finalizers: null } } } as const;
  put(draft, { what: 'upon', process: 0, on, later: 3000, act });
  put(draft, { what: 'upon', process: 0, on, later: 70_000, act: { what: 'delete', ref: one } });
}
