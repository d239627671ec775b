import { textAt } from '../json.ts';
import { USER } from '../perform.ts';
import { nameOf } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

/**
 * What is on record as made for a resource stays so for as long as it is there: else it would be made again, or stay behind. The
 * last write of a process that has ended may arrive when the next one has begun to look for what it made, and is written over.
 */
export const recordStays: AlwaysInvariant = {
  name: 'what is on record as made stays on record',
  watch: (scene, say) => {
    /** What was put on record by a process that had ended, by the UID of the resource. */
    const late = new Map<string, string>();

    function isLate(): boolean {
      const { cause, world } = scene;
      const process = world.processes.find(({ name }) => name === cause?.message.process);
      return cause !== undefined && process !== undefined && cause.writtenAt < process.startedAt;
    }

    return {
      stored({ new: object, old, resource, user }) {
        if (object && isLate()) late.set(object.metadata.uid, textAt(object, 'status', 'id') ?? '');
        if (!object || !old || user === USER || (resource !== 'sims' && resource !== 'mobilegateways')) return;
        const id = textAt(old, 'status', 'id');
        const isMade = textAt(old, 'status', 'ownership') === 'Created';
        if (id === undefined || !isMade || textAt(old, 'status', 'uid') !== object.metadata.uid) return;
        const incarnation = scene.intent.byUID(object.metadata.uid);
        const view = scene.atService.now(resource === 'sims' ? 'sims' : 'gateways', id);
        if (late.get(object.metadata.uid) === id) return;
        if (!incarnation || !view || incarnation.isRestored || incarnation.isTornOff) return;
        // A person may say that it is another one.
        if (incarnation.versions.some(({ spec }) => spec['resourceID'] !== undefined)) return;
        const [now, whose] = [textAt(object, 'status', 'id'), textAt(object, 'status', 'ownership')];
        if (now === id && whose === 'Created') return;
        say(
          `${nameOf(incarnation)} had ${id} on record as made for it, and has ${now ?? 'nothing'} now (${whose ?? '-'})`,
        );
      },
    };
  },
};
