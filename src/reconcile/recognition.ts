import { nextCreation } from './creation.ts';
import type { Engine } from './engine.ts';
import { EventReason } from './events.ts';
import type { ManagedKind } from './kind.ts';
import { takenInsteadMessage } from './letting-go.ts';
import type { ManagedObject } from './managed-object.ts';
import type { Step } from './plan.ts';
import { AMONG_MARK, HELD_MARK, MISSING_MARK, VANISHED_MARK, without } from './progress.ts';
import { afterSight, afterVanishing, INTENT_MARK } from './restored.ts';
import type { Work } from './work.ts';

/** What is there has not vanished, and its creation is not held. */
const GONE_ONCE_FOUND = [VANISHED_MARK, HELD_MARK, AMONG_MARK, MISSING_MARK];

/** Tells whose what was found at the service is, and that something was found or has gone. */
export function createRecognition<T extends ManagedObject, F>(
  kind: Pick<ManagedKind<T, F, Step>, 'identify' | 'definition'>,
  engine: Pick<Engine, 'events' | 'log' | 'settleMilliseconds' | 'shownMilliseconds'>,
) {
  /** Takes over what gathering found, or notices that it has vanished. */
  function recognise(work: Work<T>, facts: F): { id: string } | undefined {
    const { memory, object } = work;
    const found = kind.identify(facts);
    const { progress } = memory;
    if (found) {
      const isAsked = progress.id === undefined && progress.marks[INTENT_MARK] !== undefined;
      const mayHaveMade = isAsked && memory.creation.state === 'unclear';
      memory.progress = without(GONE_ONCE_FOUND, afterSight(progress, found, memory.lost));
      if (mayHaveMade && memory.progress.ownership === 'Adopted') {
        const message = takenInsteadMessage(found.id);
        engine.events.record({ object, type: 'Warning', reason: EventReason.LeftBehind, message });
        const { namespace, name } = object.metadata;
        engine.log.warn({ kind: kind.definition.kind, namespace, name, reason: EventReason.LeftBehind }, message);
      }
      memory.creation = nextCreation(memory.creation, { type: 'found' }, engine);
    } else if (progress.id !== undefined) {
      engine.events.record({
        object,
        type: 'Warning',
        reason: EventReason.Vanished,
        message: `${progress.id} is no longer at the service although nothing here deleted it.`,
      });
      memory.lost = progress;
      memory.settledGeneration = undefined;
      memory.creation = nextCreation(memory.creation, { type: 'gone' }, engine);
      const vanished = without([MISSING_MARK], afterVanishing(progress));
      memory.progress = { ...vanished, marks: { ...vanished.marks, [VANISHED_MARK]: progress.id } };
    }
    return found;
  }

  function reportAdopted({ object, memory }: Work<T>, found: { id: string } | undefined): void {
    if (!found) return;
    const restored = `The status is of another resource, as after a restore: deletion leaves ${found.id} unless deletionPolicy is Delete.`;
    const message = `Took over ${found.id}, which existed at the service.${memory.isRestored ? ` ${restored}` : ''}`;
    memory.isRestored = false;
    engine.events.record({ object, type: 'Normal', reason: EventReason.Adopted, message });
  }

  return { recognise, reportAdopted };
}
