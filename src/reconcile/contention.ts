import { backoffDelay } from '../backoff.ts';
import { timestamp } from '../kubernetes/objects.ts';
import type { Moment } from './kind.ts';
import type { Hold, Plan, Step } from './plan.ts';
import { correctsDrift } from './status.ts';
import { CommonReason } from './verdict.ts';

/** So often drift is put right at once. */
const FREE_CORRECTIONS = 5;
/** What was put right longer ago counts no more. Milliseconds. */
const WINDOW_MILLISECONDS = 3_600_000;
/** The first wait, doubled with each further correction. Milliseconds. */
const FIRST_WAIT_MILLISECONDS = 60_000;

/** When drift was put right, for one generation of the spec. */
export interface Corrections {
  readonly generation: number;
  /** Monotonic milliseconds, the oldest first. */
  readonly times: readonly number[];
}

export const noCorrections: Corrections = { generation: 0, times: [] };

/** What the corrections follow from. Times are monotonic milliseconds. */
export type CorrectionsEvent =
  /** A plan for this generation is about to be judged; `isAnew`: a person asked for another try. */
  | { readonly type: 'planned'; readonly generation: number; readonly isAnew: boolean; readonly at: number }
  | { readonly type: 'corrected'; readonly at: number };

/** The next state: what was put right before a new spec, or a person's word, counts no more. Pure. */
export function nextCorrections(corrections: Corrections, event: CorrectionsEvent): Corrections {
  switch (event.type) {
    case 'planned': {
      const isSame = !event.isAnew && corrections.generation === event.generation;
      return { generation: event.generation, times: isSame ? lately(corrections.times, event.at) : [] };
    }
    case 'corrected':
      return { ...corrections, times: [...corrections.times, event.at] };
  }
}

/** The corrections that still count. Times are monotonic milliseconds, the oldest first. */
function lately(corrections: readonly number[], now: number): number[] {
  return corrections.filter((at) => now - at < WINDOW_MILLISECONDS);
}

/**
 * How long to wait before drift is put right once more: who changes it each time, as another installation does, will go
 * on doing so, and each round costs both. Pure; milliseconds.
 */
export function waitBeforeCorrection(corrections: readonly number[], now: number): number {
  const counted = lately(corrections, now);
  const last = counted.at(-1);
  if (last === undefined || counted.length < FREE_CORRECTIONS) return 0;
  return Math.max(
    0,
    last + backoffDelay(FIRST_WAIT_MILLISECONDS, counted.length - FREE_CORRECTIONS, WINDOW_MILLISECONDS) - now,
  );
}

/** Why drift is not put right just now. `now` is milliseconds since the epoch. */
export function holdContested(fields: readonly string[], times: number, wait: number, now: number): Hold<CommonReason> {
  const [what, verb] = [fields.join(', '), fields.length === 1 ? 'it was' : 'they were'];
  return {
    state: 'Waiting',
    reason: CommonReason.Contested,
    message: `Something else keeps changing ${what}: ${verb} corrected ${times} times within an hour. The next time is at ${timestamp(now + wait)}. Find out who else writes there, such as another installation or a script, or take it out of the spec.`,
    retryAfterSeconds: wait / 1000,
  };
}

/** Why drift that somebody causes again and again is not put right just now; undefined when it is. Pure. */
export function contentionOf<S extends Step>(
  { times }: Corrections,
  applied: Readonly<Record<string, unknown>>,
  plan: Plan<S>,
  now: Moment,
): Hold<CommonReason> | undefined {
  if (plan.steps.every((step) => step.repeats)) return undefined;
  // Steps that only follow from others, as putting settings into effect, have no fields of their own.
  const steps = plan.steps.filter((step) => !step.follows && !step.repeats);
  if (!steps.every((step) => correctsDrift(step.fields, applied, plan.applied))) return undefined;
  const wait = waitBeforeCorrection(times, now.monotonic);
  const fields = [...new Set(plan.steps.flatMap((step) => step.fields ?? []))];
  return wait > 0 ? holdContested(fields, times.length, wait, now.wall) : undefined;
}
