import { brakeIn, isReleased } from '../brakes.ts';
import { textAt } from '../json.ts';
import { isByOperator, nameOf } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** What a brake was seen to hold is not deleted until a person lets go of it, however few of them are left. */
export const heldStays: AlwaysInvariant = {
  name: 'what is held stays held',
  watch(scene, say) {
    const held = new Set<string>();
    if (scene.script.steps.some(({ what }) => what === 'restore etcd')) return {};
    return {
      stored({ new: object }) {
        if (!object || object.metadata.deletionTimestamp === undefined) return;
        if (textAt(object, 'status', 'heldSince') !== undefined) held.add(object.metadata.uid);
      },
      changed(change) {
        if (!isByOperator(change) || scene.cause?.isSecond) return;
        for (const { kind, id, before, after } of change.objects) {
          if ((kind !== 'sims' && kind !== 'gateways') || !before || after) continue;
          const [one, ...others] = scene.intent.all.filter(({ ids, uid }) => ids.includes(id) && held.has(uid));
          if (!one || others.length > 0) continue;
          const accounts = scene.accountObjects(one, 0);
          // A share of few becomes more when more are there, and with other limits a person has let go.
          const isFixed = accounts.every((account) => {
            const brakes = account.versions.map((version) => brakeIn(version, 'deletions'));
            return brakes.every((brake) => brake?.percent === 100 && brake.perHour === brakes[0]?.perHour);
          });
          const asked = one.object.metadata.deletionTimestamp;
          const isLetGo = (account: (typeof accounts)[number]) =>
            isReleased(one, account, 'edgeline.dev/release-deletions', asked);
          if (!isFixed || accounts.some(isLetGo)) continue;
          say(`${change.from}: deletes ${id} of ${nameOf(one)}, which was held, and nobody let go`);
        }
      },
    };
  },
};
