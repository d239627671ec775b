import { NO_LONGER_WANTED } from '../clock.ts';
import { EdgelineError } from '../errors.ts';
import type { Engine } from './engine.ts';
import type { ManagedKind } from './kind.ts';
import type { ManagedObject } from './managed-object.ts';
import type { Plan, Step } from './plan.ts';
import { passOf, type Work } from './work.ts';
import type { PassOutcome } from './write-outcome.ts';

/** What a plan that failed half way has left behind is looked for this long. Milliseconds. */
const LONGEST_LOOK_MILLISECONDS = 10_000;

/**
 * Looks how a resource is now, without doing anything. Gives what a status is made of, with what is left to do; undefined
 * where that can't be seen soon.
 */
export function createLook<T extends ManagedObject, F, S extends Step>(kind: ManagedKind<T, F, S>, engine: Engine) {
  return async function look(work: Work<T>, plan: (facts: F) => Plan<S>): Promise<PassOutcome<F, S> | undefined> {
    const { accountRef, signal, slot } = work;
    const found = new AbortController();
    const late = new AbortController();
    engine.clock.sleep(LONGEST_LOOK_MILLISECONDS, found.signal).then(
      () => late.abort(NO_LONGER_WANTED),
      () => undefined,
    );
    const enough = AbortSignal.any([signal, late.signal]);
    const over = slot.wait();
    try {
      while (!enough.aborted) {
        const gathered = await kind.gather(passOf({ ...work, signal: enough }, engine));
        if ('hold' in gathered) return undefined;
        if ('facts' in gathered) return { accountRef, facts: gathered.facts, plan: plan(gathered.facts) };
        await gathered.until;
      }
    } catch (error) {
      if (signal.aborted || !(error instanceof EdgelineError || enough.aborted)) throw error;
    } finally {
      found.abort(NO_LONGER_WANTED);
      over();
    }
    return undefined;
  };
}
