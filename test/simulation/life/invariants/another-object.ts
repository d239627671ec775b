import { same } from '../json.ts';
import { isInSpec, simReadings } from '../reading/sim.ts';
import { isByOperator, nameOf } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** Clocks and watches take so long. Milliseconds. */
const SLACK = 10_000;
/** What a gateway's deletion takes away is not the Sim's doing. */
const OWN: readonly string[] = ['displayName', 'carriers', 'activated', 'imeiLock'];

/** What a resource wrote on one SIM is not its own on another: nothing is unset there that left the spec before. */
export const anotherObject: AlwaysInvariant = {
  name: 'a new object has nothing to be unset',
  watch: (scene, say) => ({
    changed(change) {
      if (!isByOperator(change) || scene.cause?.isSecond) return;
      const moment = scene.cause?.writtenAt ?? scene.world.now();
      for (const object of change.objects) {
        if (object.kind !== 'sims' || !object.before || !object.after) continue;
        const { before, after } = object;
        const found = scene.ownership.simClaims(change.account, before, moment);
        const madeAt = before.createdAt - scene.world.epoch;
        for (const reading of simReadings) {
          if (!OWN.includes(reading.field) || same(reading.part(before), reading.part(after))) continue;
          const isOld = found.every(({ incarnation, isDeleting }) => {
            if (isDeleting || scene.atService.mayHaveCreated(incarnation.uid, before.id)) return false;
            return scene.intent
              .versionsOf(incarnation, madeAt - SLACK)
              .every(
                (version) =>
                  !isInSpec(version, reading.field) &&
                  !(reading.field === 'activated' && isInSpec(version, 'dataLimit')),
              );
          });
          const [first] = found;
          if (!first || !isOld) continue;
          say(
            `${nameOf(first.incarnation)} changes ${reading.field} of SIM ${before.id}, which came after that left its spec`,
          );
        }
      }
    },
  }),
};
