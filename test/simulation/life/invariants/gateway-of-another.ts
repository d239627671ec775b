import { conditionOf, type Incarnation } from '../intent.ts';
import { textAt } from '../json.ts';
import { isByOperator, nameOf } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** What was decided before a gateway was another's may wait for its turn at the service. Milliseconds. */
const DECIDED = 30_000;

/** No SIM is registered with what its MobileGateway was told to let go of, once that is another MobileGateway's. */
export const gatewayOfAnother: AlwaysInvariant = {
  name: 'registered with the gateway that is named',
  watch(scene, say) {
    /** Since when a MobileGateway is as its spec says, by its UID and the ID of its gateway. */
    const had = new Map<string, number>();

    function isLetGo(gateway: Incarnation, since: number): boolean {
      const versions = scene.intent.versionsOf(gateway, since);
      return versions.every(({ annotations }) => annotations['edgeline.dev/abandon'] === 'true');
    }

    return {
      stored({ new: object, resource }) {
        const id = textAt(object, 'status', 'id');
        if (!object || resource !== 'mobilegateways' || id === undefined) return;
        const key = `${object.metadata.uid} ${id}`;
        if (conditionOf(object, 'Synced')?.status === 'True' && !had.has(key)) had.set(key, scene.world.now());
      },
      changed(change) {
        if (!isByOperator(change) || scene.cause?.isSecond) return;
        const moment = scene.cause?.writtenAt ?? scene.world.now();
        const known = scene.sight.since(moment) - DECIDED;
        for (const object of change.objects) {
          if (object.kind !== 'sims' || !object.after) continue;
          const { before, after } = object;
          const id = after.gatewayID;
          if (id === null || before?.gatewayID === id) continue;
          const all = scene.intent.alive('mobilegateways', known);
          const owner = all.find(
            (one) =>
              one.goneAt === undefined &&
              one.ids.at(-1) === id &&
              (had.get(`${one.uid} ${id}`) ?? Number.POSITIVE_INFINITY) < known &&
              !isLetGo(one, known),
          );
          if (!owner) continue;
          const named = scene.ownership.simClaims(change.account, after, moment).flatMap(({ incarnation, versions }) =>
            versions.flatMap(({ spec }) => {
              const name = textAt(spec, 'gatewayRef', 'name');
              return all.filter((one) => one.namespace === incarnation.namespace && one.name === name);
            }),
          );
          if (named.length > 0 && named.every((one) => one !== owner && isLetGo(one, known)))
            say(`${change.from} registers SIM ${after.id} with gateway ${id}, which is that of ${nameOf(owner)}`);
        }
      },
    };
  },
};
