import { conditionOf } from '../intent.ts';
import { USER } from '../perform.ts';
import { nameOf } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** A resource is told that the service refused it something only if that was refused since there is the resource. */
export const toldOfItsOwn: AlwaysInvariant = {
  name: 'told of its own refusal',
  watch(scene, say) {
    /** When the last request was sent that the service refused, or that anything went wrong with. */
    let lastSent = Number.NEGATIVE_INFINITY;
    return {
      arrived({ outcome, fault }) {
        const { cause } = scene;
        const isRefused = typeof outcome !== 'number' || (outcome >= 400 && outcome !== 401);
        if (cause && (isRefused || fault !== undefined)) lastSent = Math.max(lastSent, cause.writtenAt);
      },
      stored({ new: object, user }) {
        if (!object || user === USER || conditionOf(object, 'Synced')?.reason !== 'Rejected') return;
        const incarnation = scene.intent.byUID(object.metadata.uid);
        // What came from a backup may bring what it was told before.
        if (!incarnation || incarnation.isRestored || lastSent >= incarnation.createdAt) return;
        say(`${nameOf(incarnation)} is told of a refusal, and nothing was refused since it was made`);
      },
    };
  },
};
