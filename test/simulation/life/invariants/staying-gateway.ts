import { isByOperator } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** What was decided before a gateway was to go may wait for its turn at the service. Milliseconds. */
const DECIDED = 120_000;

/** No SIM is registered with a gateway that is being deleted, and waits until none is registered with it. */
export const stayingGateway: AlwaysInvariant = {
  name: 'registered where it stays',
  watch: (scene, say) => ({
    changed(change) {
      if (!isByOperator(change) || scene.cause?.isSecond) return;
      const moment = scene.cause?.writtenAt ?? scene.world.now();
      const known = scene.sight.since(moment) - DECIDED;
      for (const { kind, before, after } of change.objects) {
        if (kind !== 'sims' || !after || after.gatewayID === null || before?.gatewayID === after.gatewayID) continue;
        const id = after.gatewayID;
        const owners = scene.intent
          .alive('mobilegateways', moment)
          .filter(({ ids, goneAt }) => goneAt === undefined && ids.at(-1) === id);
        const isLeaving = owners.length > 0 && owners.every(({ deletedAt }) => (deletedAt ?? Infinity) < known);
        if (isLeaving) say(`${change.from} registers SIM ${after.id} with gateway ${id}, which is being deleted`);
      }
    },
  }),
};
