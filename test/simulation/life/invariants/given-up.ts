import { conditionOf, type Incarnation } from '../intent.ts';
import { textAt } from '../json.ts';
import { USER } from '../perform.ts';
import { nameOf } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** Nothing speaks any more for who gave up an object against an older resource that has it since, with whatever token either comes. */
export const givenUp: AlwaysInvariant = {
  name: 'what was given up stays with who has it since',
  watch(scene, say) {
    /** Since when what has this UID is Ready with this ID. */
    const readySince = new Map<string, number>();

    /** It is older, and has what the other gave up before. */
    function isHolder(one: Incarnation, id: string, taker: Incarnation): boolean {
      const since = readySince.get(`${one.uid} ${id}`);
      const gaveUpAt = taker.versions.findLast(isAbandoned)?.at;
      if (one === taker || since === undefined || gaveUpAt === undefined || since < gaveUpAt) return false;
      const isLeft = one.goneAt !== undefined || one.deletedAt !== undefined || one.isRestored || one.isTornOff;
      // Times of the apiserver are whole seconds.
      const isOlder = one.createdAt < taker.createdAt - 1000;
      return isOlder && !isLeft && !scene.intent.versionsOf(one, since).some(isAbandoned);
    }

    return {
      stored({ new: object, old, resource, user }) {
        const id = textAt(object, 'status', 'id');
        if (!object || user === USER || id === undefined) return;
        const { uid } = object.metadata;
        const key = `${uid} ${id}`;
        const ready = conditionOf(object, 'Ready');
        // That another one takes it is not its own doing.
        if (ready?.status !== 'True' && ready?.reason !== 'AlreadyManaged') readySince.delete(key);
        if (ready?.status !== 'True' || readySince.has(key)) return;
        readySince.set(key, scene.world.now());
        const taker = scene.intent.byUID(uid);
        if (!taker || taker.isRestored || (old && conditionOf(old, 'Ready')?.status === 'True')) return;
        const holder = scene.intent.alive(resource, scene.world.now()).find((one) => isHolder(one, id, taker));
        if (holder)
          say(`${nameOf(taker)} gave up ${id}, and takes it from ${nameOf(holder)}, which is older and has it since`);
      },
    };
  },
};

function isAbandoned({ annotations }: Incarnation['versions'][number]): boolean {
  return annotations['edgeline.dev/abandon'] === 'true';
}
