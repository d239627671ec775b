import { timestamp } from '../kubernetes/objects.ts';
import type { Braked } from './brakes.ts';
import type { Engine } from './engine.ts';
import { DecisionOutdatedError } from './guard.ts';
import type { ManagedObject } from './managed-object.ts';
import type { Memory } from './memory.ts';
import type { Hold } from './plan.ts';
import { definedMarks, HELD_MARK } from './progress.ts';
import type { Work } from './work.ts';

/**
 * Asks before a deletion or creation is begun. Gives why it is held; without that, the calls of this round are checked to
 * leave while they may.
 */
export async function brake<T extends ManagedObject>(
  { brakes, clock }: Pick<Engine, 'brakes' | 'clock'>,
  action: Braked,
  work: Work<T>,
): Promise<Hold<string> | undefined> {
  const { object, accountRef, memory } = work;
  // What was let through for the one that vanished was not for another in its place.
  const vanished = action === 'Creation' ? (memory.progress.id ?? memory.lost?.id ?? object.status?.id) : undefined;
  const answer = await brakes.ask({ action, object, account: accountRef, vanished });
  if ('hold' in answer) {
    const since = memory.progress.marks[HELD_MARK] ?? timestamp(clock.now());
    markHeld(memory, since);
    return answer.hold;
  }
  markHeld(memory, undefined);
  const { check } = work;
  work.check = () => {
    check();
    if (!answer.isGood()) throw new DecisionOutdatedError('what the brakes let through was let through long ago');
  };
  return undefined;
}

function markHeld(memory: Memory, since: unknown): void {
  const { progress } = memory;
  memory.progress = { ...progress, marks: definedMarks({ ...progress.marks, [HELD_MARK]: since }) };
}
