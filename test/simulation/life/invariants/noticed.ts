import { textAt } from '../json.ts';
import { isByOperator } from '../scene.ts';
import { live } from './diagnosis.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** A list that lacks much is taken again first. Milliseconds. */
const SOON = 20_000;

/** In quiet times, what the next list lacks is looked for at once, and not only in its turn. */
export const noticed: AlwaysInvariant = {
  name: 'what is gone is noticed with the next list',
  watch(scene, say) {
    /** SIMs that people removed in quiet times, and until when they are to be looked for once a list was taken. */
    const missing = new Map<string, number | undefined>();
    const writtenAt = new Map<number, number>();
    const removedAt = new Map<string, number>();
    return {
      changed(change) {
        if (isByOperator(change) || scene.calmSince === undefined) return;
        for (const { kind, id, before, after } of change.objects) {
          const isKnown = live(scene, 'sims').some(({ object }) => textAt(object, 'status', 'id') === id);
          if (kind !== 'sims' || !before || after || !isKnown) continue;
          missing.set(id, undefined);
          removedAt.set(id, scene.world.now());
        }
      },
      message(moment, { serial, verb, route, target, process }, answer) {
        if (missing.size === 0) return;
        const now = scene.world.now();
        if (moment === 'begun') {
          for (const id of missing.keys()) if (target.includes(`/${id}`)) missing.delete(id);
        }
        for (const [id, until] of missing) {
          if (until === undefined || now <= until) continue;
          missing.delete(id);
          const isWanted = live(scene, 'sims').some(({ object }) => textAt(object, 'status', 'id') === id);
          if (isWanted)
            say(`SIM ${id} was removed, and ${process} does not look for it ${SOON / 1000} s after a list without it`);
        }
        if (route !== 'GET /commonserviceitem' || verb !== 'GET') return;
        if (moment === 'written') writtenAt.set(serial, now);
        if (moment !== 'answered' || answer?.status !== 200) return;
        for (const [id, until] of missing) {
          const left = writtenAt.get(serial) ?? 0;
          if (until === undefined && left > (removedAt.get(id) ?? Infinity)) missing.set(id, now + SOON);
        }
      },
    };
  },
};
