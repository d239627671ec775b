import { listAt, textAt } from '../json.ts';
import { isByOperator, nameOf } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** By these words a person is told how to ask for another one. */
const HOW = 'another displayName';

/**
 * What was made for one resource alone, and is there, is not made again for it under whatever name, unless it was told how to
 * have another one.
 */
export const madeOnceForIt: AlwaysInvariant = {
  name: 'one is made for it, whatever it is called',
  watch(scene, say) {
    /** By UID. */
    const told = new Set<string>();
    const made = new Map<string, string>();
    const creatorOf = (id: string) => {
      const [one, ...others] = scene.intent.all.filter(({ uid }) => scene.atService.mayHaveCreated(uid, id));
      return others.length > 0 ? undefined : one;
    };
    return {
      stored({ new: object, resource }) {
        if (resource !== 'mobilegateways' || !object) return;
        const isTold = (one: unknown) => textAt(one, 'message')?.includes(HOW) === true;
        if (listAt(object, 'status', 'conditions').some(isTold)) told.add(object.metadata.uid);
      },
      changed(change) {
        if (!isByOperator(change) || scene.cause?.isSecond) return;
        for (const { kind, id, before, after } of change.objects) {
          if (kind !== 'gateways' || before || !after) continue;
          const one = creatorOf(id);
          if (!one || scene.atService.isStray(id)) continue;
          const known = made.get(one.uid);
          made.set(one.uid, id);
          const isFree = one.isRestored || one.isTornOff || told.has(one.uid) || one.ids.length > 0;
          if (isFree || known === undefined || scene.atService.isStray(known)) continue;
          if (scene.atService.now('gateways', known) === undefined) continue;
          say(`${change.from} makes ${id} for ${nameOf(one)}, for which ${known} was made and is there`);
        }
      },
    };
  },
};
