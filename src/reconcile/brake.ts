import { timestamp } from '../kubernetes/objects.ts';
import type { Braked } from './brakes.ts';
import type { Engine } from './engine.ts';
import { DecisionOutdatedError } from './guard.ts';
import type { ManagedObject } from './managed-object.ts';
import type { Hold } from './plan.ts';
import { AMONG_MARK, HELD_MARK, VANISHED_MARK, without } from './progress.ts';
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
  const { marks } = memory.progress;
  // What was let through for the one that vanished was not for another in its place.
  const vanished = action === 'Creation' ? textOf(marks[VANISHED_MARK]) : undefined;
  const among = numberOf(marks[AMONG_MARK]);
  const answer = await brakes.ask({ action, object, account: accountRef, vanished, heldAmong: among });
  if ('hold' in answer) {
    const since = marks[HELD_MARK] ?? timestamp(clock.now());
    const held = { [HELD_MARK]: since, [AMONG_MARK]: Math.max(among ?? 0, answer.among) };
    memory.progress = { ...memory.progress, marks: { ...marks, ...held } };
    return answer.hold;
  }
  memory.progress = without([HELD_MARK, AMONG_MARK], memory.progress);
  const { check } = work;
  work.check = () => {
    check();
    if (!answer.isGood()) throw new DecisionOutdatedError('what the brakes let through was let through long ago');
  };
  return undefined;
}

function textOf(mark: unknown): string | undefined {
  return typeof mark === 'string' ? mark : undefined;
}

function numberOf(mark: unknown): number | undefined {
  return typeof mark === 'number' ? mark : undefined;
}
