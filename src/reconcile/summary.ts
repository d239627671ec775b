import { EventReason } from './events.ts';
import type { Drift } from './managed-object.ts';
import type { Plan, Step } from './plan.ts';
import { correctsDrift } from './status.ts';

/** Characters of a value that an event shows. */
const LONGEST_VALUE_CHARACTERS = 80;

/** What there is to say of steps that were carried out. */
export interface Summary {
  readonly reason: string;
  readonly message: string;
  /** The fields that were put right, where a step did; it may have none by name. */
  readonly drifted: readonly string[] | undefined;
}

/** Sums up what was done of a plan; undefined when nothing is to be said. `before`: what was applied before. Pure. */
export function summaryOf<S extends Step>(
  all: readonly S[],
  before: Readonly<Record<string, unknown>>,
  plan: Plan<S>,
  describe: (step: S) => string,
): Summary | undefined {
  const done = all.filter((step) => !step.repeats);
  if (done.length === 0) return undefined;
  // Steps that only follow from others, as putting settings into effect, say nothing of why.
  const primary = done.filter((step) => !step.follows);
  const corrections = primary.filter((step) => correctsDrift(step.fields, before, plan.applied));
  const isAllDrift = corrections.length > 0 && corrections.length === primary.length;
  const reason = done.some((step) => step.do === 'create')
    ? EventReason.Created
    : isAllDrift
      ? EventReason.DriftCorrected
      : EventReason.Updated;
  const found = reason === EventReason.DriftCorrected ? foundSentence(plan.drift) : '';
  const drifted = corrections.length === 0 ? undefined : corrections.flatMap((step) => step.fields ?? []);
  return { reason, message: `${found}${sentenceOf(done, describe)}`, drifted };
}

/** Steps in the past tense, as one sentence. */
export function sentenceOf<S extends Step>(steps: readonly S[], describe: (step: S) => string): string {
  const sentence = steps.map(describe).join('; ');
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

/** What was found in place of what is wanted, as a sentence with a space after it; empty where nothing differs. */
export function foundSentence(drift: readonly Drift[]): string {
  if (drift.length === 0) return '';
  const shown = drift.map(({ field, desired, observed }) => `${field} ${brief(observed)} instead of ${brief(desired)}`);
  return `Found ${shown.join('; ')}. `;
}

/** Long values are in `status.drift`, and would leave no room for what was done. */
function brief(text: string): string {
  return text.length > LONGEST_VALUE_CHARACTERS ? `${text.slice(0, LONGEST_VALUE_CHARACTERS)}…` : text;
}
