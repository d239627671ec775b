import type { Braked, Brakes } from './brakes.ts';
import { DecisionOutdatedError } from './guard.ts';
import type { ManagedObject } from './managed-object.ts';
import type { Hold } from './plan.ts';
import type { Work } from './work.ts';

/**
 * Asks before a deletion or creation is begun. Gives why it is held; without that, the calls of this round are checked to
 * leave while they may.
 */
export async function brake<T extends ManagedObject>(
  brakes: Brakes,
  action: Braked,
  work: Work<T>,
): Promise<Hold<string> | undefined> {
  const { object, accountRef, memory } = work;
  // What was let through for the one that vanished was not for another in its place.
  const vanished = action === 'Creation' ? (memory.progress.id ?? memory.lost?.id ?? object.status?.id) : undefined;
  const answer = await brakes.ask({ action, object, account: accountRef, vanished });
  if ('hold' in answer) return answer.hold;
  const { check } = work;
  work.check = () => {
    check();
    if (!answer.isGood()) throw new DecisionOutdatedError('what the brakes let through was let through long ago');
  };
  return undefined;
}
