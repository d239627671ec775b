import { brakeIn, isReleased } from '../brakes.ts';
import { at, textAt } from '../json.ts';
import { isByOperator, nameOf } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** What a brake was seen to hold is not deleted until a person lets go of it, however few of them are left. */
export const heldStays: AlwaysInvariant = {
  name: 'what is held stays held',
  watch(scene, say) {
    /** With how many each was held at most, by UID. */
    const held = new Map<string, number>();
    if (scene.script.steps.some(({ what }) => what === 'restore etcd')) return {};
    return {
      stored({ new: object }) {
        if (!object || object.metadata.deletionTimestamp === undefined) return;
        if (textAt(object, 'status', 'heldSince') === undefined) return;
        const among = at(object, 'status', 'heldAmong');
        const { uid } = object.metadata;
        held.set(uid, Math.max(held.get(uid) ?? 0, typeof among === 'number' ? among : 0));
      },
      changed(change) {
        if (!isByOperator(change) || scene.cause?.isSecond) return;
        for (const { kind, id, before, after } of change.objects) {
          if ((kind !== 'sims' && kind !== 'gateways') || !before || after) continue;
          const [one, ...others] = scene.intent.all.filter(({ ids, uid }) => ids.includes(id) && held.has(uid));
          if (!one || others.length > 0) continue;
          const accounts = scene.accountObjects(one, 0);
          // A share becomes more when more are there, and with other limits a person has let go.
          const among = held.get(one.uid) ?? 0;
          const isFixed = accounts.every((account) => {
            const brakes = account.versions.map((version) => brakeIn(version, 'deletions'));
            return brakes.every((brake) => brake && brake.perHour === brakes[0]?.perHour && among > brake.perHour);
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
