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
      if (id === undefined || (textAt(old, 'status', 'id') === id && textAt(old, 'status', 'ownership') === ownership))
        return;
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
