import { put } from '../draft.ts';
import { appear, removeAt } from './parts.ts';
import { emptyEast, gatewayRoles, simRoles } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;

/** Somebody takes the finalizers off what has been made, some of them again and again, and long after that deletes it. */
export const finalizerTaken: Story = {
  name: 'finalizer taken',
  wishes: () => emptyEast(8 * MINUTE),
  cast: () => [...gatewayRoles(1), ...simRoles(3)],
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast } = draft;
    for (const one of cast) appear(draft, one, { deletionPolicy: 'Delete' }, random.int(3000));
    for (const { ref } of cast) {
      const patch = { metadata: { finalizers: null } };
      for (let times = 1 + random.int(3), at = 2 * MINUTE + random.int(MINUTE); times > 0; times--) {
        put(draft, { what: 'patch', ref, patch }, at);
        at += 500 + random.int(random.pick([1000, 40_000]));
      }
    }
    if (random.chance(0.3)) put(draft, { what: 'kill', process: 0, on: undefined, restart: 500 }, 4.5 * MINUTE);
    for (const one of cast) if (random.chance(0.8)) removeAt(draft, one, 6 * MINUTE + random.int(MINUTE));
  },
};
