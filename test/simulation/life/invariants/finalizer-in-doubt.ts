import { isManaged } from '../intent.ts';
import { listAt, textAt } from '../json.ts';
import { USER } from '../perform.ts';
import { nameOf, type Scene } from '../scene.ts';
import { commonReasons } from './diagnosis.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** What is asked for may be under way for so long, and then it is looked for every few seconds. Milliseconds. */
const IN_TIME = 60_000;

const hasFinalizer = (object: unknown) => listAt(object, 'metadata', 'finalizers').length > 0;

/** The finalizer is put back that somebody takes off what may have made something at the service, and does not know it yet. */
export const finalizerInDoubt: AlwaysInvariant = {
  name: 'the finalizer is back in doubt',
  watch(scene, say) {
    /** When it was taken off, by UID. */
    const offAt = new Map<string, number>();
    return {
      stored({ new: object, old, user }) {
        const uid = (object ?? old)?.metadata.uid;
        if (uid === undefined) return;
        if (!object || hasFinalizer(object) || textAt(object, 'status', 'id') !== undefined) offAt.delete(uid);
        else if (user === USER && hasFinalizer(old)) offAt.set(uid, scene.world.now());
      },
      message() {
        for (const [uid, at] of offAt) {
          if (scene.world.now() <= at + IN_TIME) continue;
          offAt.delete(uid);
          const one = scene.intent.byUID(uid);
          if (
            one &&
            one.versions.every(isManaged) &&
            hasToBeBack(scene, uid, at) &&
            commonReasons(scene, one).size === 0
          )
            say(`${nameOf(one)} has no finalizer long after somebody took it off, and something was made for it`);
        }
      },
    };
  },
};

/** All the time there was a process that saw it, and something was made for it. */
function hasToBeBack({ atService, sight, world }: Scene, uid: string, at: number): boolean {
  const isSeen = sight.since(world.now()) > at;
  return isSeen && atService.mayHaveAny(uid) && world.processes.every(({ startedAt }) => startedAt < at);
}
