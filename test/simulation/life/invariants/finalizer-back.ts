import { listAt, textAt } from '../json.ts';
import { USER } from '../perform.ts';
import { nameOf } from '../scene.ts';
import { commonReasons } from './diagnosis.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** It is put back at once, and once in half a minute at most. Milliseconds. */
const AT_ONCE = 10_000;
const AGAIN = 45_000;

/** In quiet times, the finalizer that somebody takes off what has an object at the service is put back. */
export const finalizerBack: AlwaysInvariant = {
  name: 'the finalizer is back',
  watch(scene, say) {
    /** By UID: until when. */
    const due = new Map<string, number>();
    const offAt = new Map<string, number>();
    return {
      stored({ new: object, old, user }) {
        const uid = (object ?? old)?.metadata.uid;
        if (uid === undefined) return;
        const isOff = object !== undefined && listAt(object, 'metadata', 'finalizers').length === 0;
        if (!isOff || textAt(object, 'status', 'id') === undefined) due.delete(uid);
        else if (user === USER && listAt(old, 'metadata', 'finalizers').length > 0) {
          const now = scene.world.now();
          const isAgain = now - (offAt.get(uid) ?? -Infinity) < 2 * AGAIN;
          offAt.set(uid, now);
          if (scene.calmSince !== undefined) due.set(uid, now + (isAgain ? AGAIN : AT_ONCE));
        }
      },
      message() {
        const now = scene.world.now();
        for (const [uid, until] of due) {
          if (now <= until) continue;
          due.delete(uid);
          const incarnation = scene.intent.byUID(uid);
          if (incarnation && incarnation.goneAt === undefined && commonReasons(scene, incarnation).size === 0)
            say(`${nameOf(incarnation)} has no finalizer long after somebody took it off`);
        }
      },
    };
  },
};
