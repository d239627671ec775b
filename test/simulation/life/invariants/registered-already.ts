import { isByOperator, nameOf } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** So long the service may show late what was made, as the operator promises. Milliseconds. */
const SHOWN_LATE = 180_000;

/** No SIM is registered that its account has had all the time: whatever changes in a list while it is read. */
export const registeredAlready: AlwaysInvariant = {
  name: 'not registered again',
  watch(scene, say) {
    let isMisled = false;
    return {
      arrived({ route, fault }) {
        if (fault !== undefined && route === 'GET /commonserviceitem') isMisled = true;
      },
      changed(change) {
        const { cause } = scene;
        if (isMisled || !isByOperator(change) || !cause || cause.isSecond) return;
        for (const { kind, id, before, after } of change.objects) {
          if (kind !== 'sims' || before || !after) continue;
          const isSame = (other: string) => scene.atService.now('sims', other)?.iccid === after.iccid;
          const isOld = (other: string) => {
            const madeAt = scene.atService.madeAt(other) ?? Number.POSITIVE_INFINITY;
            return madeAt === 0 || madeAt < cause.writtenAt - SHOWN_LATE;
          };
          const had = [...scene.world.service.world(change.account).sims.keys()].find(
            (other) => other !== id && isSame(other) && isOld(other),
          );
          if (had === undefined) continue;
          const askers = scene.intent.all.filter(({ uid }) => scene.atService.mayHaveCreated(uid, id));
          say(`${change.from} registers ${after.iccid} for ${askers.map(nameOf).join(' or ')}, and ${had} was there`);
        }
      },
    };
  },
};
