import { textAt } from '../json.ts';
import { isByOperator, nameOf } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

const RECONNECT = 'edgeline.dev/reconnect-at';

/** A manifest that comes back from a backup with `reconnect-at` does not disturb a SIM that is in use. */
export const oldReconnects: AlwaysInvariant = {
  name: 'an old wish to reconnect is not carried out',
  watch: (scene, say) => ({
    changed({ ids, route, ...change }) {
      if (route !== 'PUT /commonserviceitem/:id/sim/reconnect' || !isByOperator({ ids, route, ...change })) return;
      const [id = ''] = ids;
      const having = scene.intent
        .alive('sims', scene.sight.since(scene.cause?.writtenAt ?? scene.world.now()))
        .filter(({ versions }) =>
          versions.some(({ spec }) => spec['iccid'] === scene.atService.now('sims', id)?.iccid),
        );
      const isOld = having.every(({ uid, versions, object }) => {
        const asked = new Set(versions.map(({ annotations }) => annotations[RECONNECT]));
        const isAdopted = textAt(object, 'status', 'ownership') === 'Adopted';
        return asked.size === 1 && isAdopted && !scene.atService.mayHaveCreated(uid, id);
      });
      const [first] = having;
      if (first && isOld) say(`SIM ${id} is reconnected, which ${nameOf(first)} asked for before it took the SIM over`);
    },
  }),
};
