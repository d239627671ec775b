import { conditionOf } from '../intent.ts';
import { isInSpec } from '../reading/sim.ts';
import { nameOf } from '../scene.ts';
import { idOf, live } from './diagnosis.ts';
import type { FinalInvariant } from './invariant.ts';

/** Nobody calls a SIM Ready that the operator itself took off its gateway, whichever process did, and whether or not this one may look. */
export const readyHalfWay: FinalInvariant = {
  name: 'Ready is nothing that was left half way',
  check(scene, say) {
    for (const incarnation of live(scene, 'sims')) {
      const ready = conditionOf(incarnation.object, 'Ready');
      const id = idOf(incarnation);
      if (ready?.status !== 'True' || id === undefined) continue;
      const version = incarnation.versions.findLast(({ generation }) => generation <= ready.generation);
      // What people did to it is noticed by those who may look.
      if (!version || !isInSpec(version, 'gatewayRef') || scene.firstEdit('sims', id, 0) !== undefined) continue;
      const view = scene.atService.now('sims', id);
      if (view && view.gatewayID === null) {
        say(`${nameOf(incarnation)} says Ready for generation ${ready.generation}, and was taken off its gateway`);
      }
    }
  },
};
