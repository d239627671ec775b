import { put } from '../draft.ts';
import { appear, removeAt } from './parts.ts';
import { emptyEast, gatewayRoles, simRoles } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;

/** Somebody takes the finalizers off what has been made, some of them again and again, and deletes it once they must be back. */
export const finalizerTaken: Story = {
  name: 'finalizer taken',
  wishes: () => emptyEast(8 * MINUTE),
  cast: () => [...gatewayRoles(1), ...simRoles(3)],
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast } = draft;
    for (const one of cast) appear(draft, one, { deletionPolicy: 'Delete' }, random.int(3000));
    for (const one of cast) {
      const { ref } = one;
      const patch = { metadata: { finalizers: null } };
      let at = 2 * MINUTE + random.int(MINUTE);
      const times = 1 + random.int(3);
      for (let left = times; left > 0; left--) {
        put(draft, { what: 'patch', ref, patch }, at);
        if (left > 1) at += 500 + random.int(random.pick([1000, 40_000]));
      }
      // At once the first time, and then once in half a minute.
      const back = times === 1 ? 8000 : 38_000;
      if (random.chance(0.5)) removeAt(draft, one, at + back + random.int(6000));
    }
  },
  encore: ({ present }) =>
    [...present.keys()].map(({ ref }) => ({
      act: { what: 'patch', ref, patch: { metadata: { finalizers: null } } },
      within: 60_000,
      why: 'a finalizer that somebody takes off is put back',
    })),
};
