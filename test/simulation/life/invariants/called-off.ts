import { isManaged, type Version } from '../intent.ts';
import { isByOperator, nameOf } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** So long what has just been read may wait for its turn at the service. Milliseconds. */
const IN_LINE = 90_000;

/**
 * Nothing is deleted at the service long after somebody called that off: the resource itself is read before, however long
 * nothing has told of it.
 */
export const calledOff: AlwaysInvariant = {
  name: 'what was called off is not deleted',
  watch: (scene, say) => ({
    changed(change) {
      if (!isByOperator(change) || scene.cause?.isSecond) return;
      const known = (scene.cause?.writtenAt ?? scene.world.now()) - IN_LINE;
      for (const { kind, id, after } of change.objects) {
        if (after || (kind !== 'sims' && kind !== 'gateways')) continue;
        const owners = scene.intent
          .alive(kind === 'sims' ? 'sims' : 'mobilegateways', known)
          .filter(({ ids, uid }) => ids.includes(id) || scene.atService.mayHaveCreated(uid, id));
        const isCalledOff = owners.every((one) => scene.intent.versionsOf(one, known).every(leavesIt));
        const [first] = owners;
        if (first && isCalledOff)
          say(`${change.from} deletes ${kind} ${id} for ${nameOf(first)}, long after that was called off`);
      }
    },
  }),
};

function leavesIt(version: Version): boolean {
  return !isManaged(version) || version.spec['deletionPolicy'] === 'Orphan';
}
