import { textAt } from '../json.ts';
import { USER } from '../perform.ts';
import { nameOf } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** What is on record as made for a resource stays so for as long as it is there: else it would be made again, or stay behind. */
export const recordStays: AlwaysInvariant = {
  name: 'what is on record as made stays on record',
  watch: (scene, say) => ({
    stored({ new: object, old, resource, user }) {
      if (!object || !old || user === USER || (resource !== 'sims' && resource !== 'mobilegateways')) return;
      const id = textAt(old, 'status', 'id');
      const isMade = textAt(old, 'status', 'ownership') === 'Created';
      if (id === undefined || !isMade || textAt(old, 'status', 'uid') !== object.metadata.uid) return;
      const incarnation = scene.intent.byUID(object.metadata.uid);
      const view = scene.atService.now(resource === 'sims' ? 'sims' : 'gateways', id);
      if (!incarnation || !view || incarnation.isRestored || incarnation.isTornOff) return;
      // A person may say that it is another one.
      if (incarnation.versions.some(({ spec }) => spec['resourceID'] !== undefined)) return;
      const [now, whose] = [textAt(object, 'status', 'id'), textAt(object, 'status', 'ownership')];
      if (now === id && whose === 'Created') return;
      say(
        `${nameOf(incarnation)} had ${id} on record as made for it, and has ${now ?? 'nothing'} now (${whose ?? '-'})`,
      );
    },
  }),
};
