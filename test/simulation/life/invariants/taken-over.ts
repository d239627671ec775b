import { textAt } from '../json.ts';
import { USER } from '../perform.ts';
import { nameOf } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** What is older than a resource by so much was not made for it, whatever clocks say. Milliseconds. */
const OLDER = 6 * 60_000;

/**
 * Only what was asked for counts as created here; with `adoption: Never` nothing that exists is taken over, and a gateway
 * only by its ID.
 */
export const takenOver: AlwaysInvariant = {
  name: 'what exists is nobody’s creation',
  watch: (scene, say) => ({
    stored({ new: object, old, resource, user }) {
      if (!object || user === USER || (resource !== 'sims' && resource !== 'mobilegateways')) return;
      const id = textAt(object, 'status', 'id');
      const ownership = textAt(object, 'status', 'ownership');
      if (id === undefined) return;
      // What somebody else has put into the status is made no more of than it was: of an object it did not make, it says Adopted.
      const isNoMore = ownership === 'Adopted' || textAt(old, 'status', 'ownership') === ownership;
      if (textAt(old, 'status', 'id') === id && isNoMore) return;
      const incarnation = scene.intent.byUID(object.metadata.uid);
      const view = scene.atService.now(resource === 'sims' ? 'sims' : 'gateways', id);
      if (!incarnation || !view || incarnation.isRestored) return;
      const bornAt = Date.parse(object.metadata.creationTimestamp);
      if (view.createdAt > bornAt - OLDER) return;
      const made = `was made ${new Date(view.createdAt).toISOString()}`;
      if (ownership === 'Created') say(`${nameOf(incarnation)} says that it created ${id}, which ${made}`);
      const isRefused = incarnation.versions.every(({ spec }) => spec['adoption'] === 'Never');
      const isAnyones =
        resource === 'sims' || incarnation.versions.some(({ spec }) => spec['resourceID'] !== undefined);
      if (!isAnyones) say(`${nameOf(incarnation)} takes over ${id}, which ${made}, and has no resourceID`);
      if (isRefused) say(`${nameOf(incarnation)} takes over ${id}, which ${made}, though adoption is Never`);
    },
  }),
};

/** So long what shows in a list may be seen by another token before the answer to whoever made it is on record. Milliseconds. */
const MADE_MEANWHILE = 10_000;

/** What one resource has made, and has on record, no other takes: with whatever token it comes. */
export const staysItsMakers: AlwaysInvariant = {
  name: 'what one has made no other takes',
  watch(scene, say) {
    /** By UID and ID. */
    const recordedAt = new Map<string, number>();
    return {
      stored({ new: object, old, resource, user }) {
        if (!object || user === USER || (resource !== 'sims' && resource !== 'mobilegateways')) return;
        const id = textAt(object, 'status', 'id');
        if (id === undefined || textAt(old, 'status', 'id') === id) return;
        const now = scene.world.now();
        recordedAt.set(`${object.metadata.uid} ${id}`, now);
        for (const maker of scene.intent.alive(resource, now)) {
          const { uid, object: other, versions } = maker;
          if (uid === object.metadata.uid || maker.goneAt !== undefined || maker.isRestored || maker.isTornOff)
            continue;
          const isIts = textAt(other, 'status', 'id') === id && textAt(other, 'status', 'ownership') === 'Created';
          const isRecent = now - (recordedAt.get(`${uid} ${id}`) ?? 0) < MADE_MEANWHILE;
          // Whoever it was let go for may have seen that before.
          const isLetGo = versions.some(({ annotations }) => annotations['edgeline.dev/abandon'] === 'true');
          const taker = scene.intent.byUID(object.metadata.uid);
          if (!isIts || isRecent || isLetGo || !taker || taker.isRestored) continue;
          say(`${nameOf(taker)} takes ${id}, which ${nameOf(maker)} has made and has on record`);
        }
      },
    };
  },
};
