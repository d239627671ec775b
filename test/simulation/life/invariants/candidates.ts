import { conditionOf } from '../intent.ts';
import { textAt } from '../json.ts';
import { nameOf } from '../scene.ts';
import { commonReasons } from './diagnosis.ts';
import type { FinalInvariant } from './invariant.ts';

/** A gateway that another resource in the cluster manages is no candidate, wherever it is asked whose one is. */
export const candidates: FinalInvariant = {
  name: 'what another has is no candidate',
  check(scene, say) {
    const there = scene.intent.alive('mobilegateways', scene.world.now()).filter(({ goneAt }) => goneAt === undefined);
    for (const incarnation of there) {
      const told = conditionOf(incarnation.object, 'Ready');
      if (told?.reason !== 'CreationAmbiguous' || commonReasons(scene, incarnation).size > 0) continue;
      const named: readonly string[] = told.message.match(/\b\d{12}\b/g) ?? [];
      for (const other of there) {
        const id = textAt(other.object, 'status', 'id');
        if (other === incarnation || id === undefined || !named.includes(id)) continue;
        if (scene.atService.now('gateways', id) === undefined || commonReasons(scene, other).size > 0) continue;
        say(`${nameOf(incarnation)} asks whether ${id} is its gateway, and ${nameOf(other)} has that one`);
      }
    }
  },
};
