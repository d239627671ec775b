import { managedPlurals } from '../draw/vocabulary.ts';
import { nameOf } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** What a process wrote before others did arrives too late: it must not put what it knew over what is there since. */
export const inOrder: AlwaysInvariant = {
  name: 'no late write over a newer one',
  watch(scene, say) {
    const changedAt = new Map<string, number>();
    return {
      stored({ new: object, resource, user }) {
        if (!object || !managedPlurals.some((plural) => plural === resource)) return;
        const { uid } = object.metadata;
        const before = changedAt.get(uid);
        changedAt.set(uid, scene.world.now());
        const { cause } = scene;
        if (cause?.message.process !== user || cause.message.to !== 'kubernetes') return;
        if (before === undefined || before <= cause.writtenAt) return;
        const incarnation = scene.intent.byUID(uid);
        const late = ((scene.world.now() - cause.writtenAt) / 1000).toFixed(1);
        say(
          `${user} wrote ${cause.message.route} of ${incarnation ? nameOf(incarnation) : uid} ${late} s ago, and it is carried out though it was changed since`,
        );
      },
    };
  },
};
