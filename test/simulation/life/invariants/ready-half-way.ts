import type { SimView } from '../../../../src/shadow/service/types.ts';
import { conditionOf } from '../intent.ts';
import { at } from '../json.ts';
import { isInSpec } from '../reading/sim.ts';
import { nameOf } from '../scene.ts';
import { idOf, live } from './diagnosis.ts';
import type { FinalInvariant } from './invariant.ts';

/** Nobody calls a SIM Ready that the operator itself took off its gateway or deactivated, whichever process did, and whether or not this one may look. */
export const readyHalfWay: FinalInvariant = {
  name: 'Ready is nothing that was left half way',
  check(scene, say) {
    for (const incarnation of live(scene, 'sims')) {
      const ready = conditionOf(incarnation.object, 'Ready');
      const id = idOf(incarnation);
      if (ready?.status !== 'True' || id === undefined) continue;
      const version = incarnation.versions.findLast(({ generation }) => generation <= ready.generation);
      const view = scene.atService.now('sims', id);
      if (!version || !view) continue;
      // What people did to it is noticed by those who may look.
      const isOwnDoing = (isSo: (one: SimView) => boolean) => {
        const since = scene.atService.soSince('sims', id, isSo);
        return since !== undefined && scene.firstEdit('sims', id, since) !== since;
      };
      const isOff = isInSpec(version, 'gatewayRef') && isOwnDoing(({ gatewayID }) => gatewayID === null);
      // Where a later spec says so, and something else keeps that from being Ready, the status tells that it is.
      const isTold = at(incarnation.object, 'status', 'activated') === false;
      const isStopped = version.spec['activated'] === true && isOwnDoing(({ activated }) => !activated) && !isTold;
      if (!isOff && !isStopped) continue;
      const what = isOff ? 'taken off its gateway' : 'deactivated';
      say(`${nameOf(incarnation)} says Ready for generation ${ready.generation}, and was ${what}`);
    }
  },
};
