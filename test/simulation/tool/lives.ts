import { drawScript } from '../life/draw/script.ts';
import { runLife } from '../life/run.ts';
import type { Script } from '../life/script.ts';
import type { Outcome, Violation } from './outcome.ts';

/** What a worker is to do. */
export interface Order {
  readonly seeds: readonly number[];
}

/** How one life went; `done`: all that was ordered is lived. */
export type Report = { readonly outcome: Outcome } | 'done';

/** What nobody listened to while a life was lived is a mistake of the operator, too. */
const unheard: unknown[] = [];
process.on('unhandledRejection', (reason) => void unheard.push(reason));

/** Lives the life of a seed, or a script that was made of it. */
export async function livedOf(
  of: number | Script,
  options: { readonly trace: boolean },
): Promise<{ readonly outcome: Outcome; readonly trace: readonly string[] }> {
  unheard.length = 0;
  const { violations, trace, ...rest } = await livedOrThrown(of, options);
  const rejected: Violation[] = unheard.map((reason) => ({
    invariant: 'no promise is rejected unheard',
    message: reason instanceof Error ? (reason.stack ?? reason.message) : String(reason),
    at: rest.virtualMilliseconds,
  }));
  return {
    outcome: { ...rest, seed: typeof of === 'number' ? of : of.seed, violations: [...violations, ...rejected] },
    trace,
  };
}

async function livedOrThrown(of: number | Script, options: { readonly trace: boolean }): ReturnType<typeof runLife> {
  try {
    return await runLife(typeof of === 'number' ? drawScript(of) : of, options);
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const violations = [{ invariant: 'the life can be lived', message, at: 0 }];
    return { violations, trace: [], coverage: {}, messages: 0, virtualMilliseconds: 0, isSettled: false };
  }
}
