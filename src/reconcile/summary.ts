import { type ChangeCause, changeCauses, isRoutine } from './change.ts';
import { netChanges } from './change-event.ts';
import { EventReason } from './events.ts';
import type { Drift } from './managed-object.ts';
import type { Plan, Step } from './plan.ts';

/** Characters of a value that an event shows. */
const LONGEST_VALUE_CHARACTERS = 80;

/** What there is to say of steps that were carried out. */
export interface Summary {
  readonly reason: string;
  readonly message: string;
  /** What stands for the causes of all steps. */
  readonly cause: ChangeCause;
  /** The fields that were put right, where a step did; it may have none by name. */
  readonly drifted: readonly string[] | undefined;
  /** It is what a spec asked for, and nothing else: whoever wrote the spec expects it, and the log of changes has it. */
  readonly isRoutine: boolean;
}

/** Sums up what was done of a plan; undefined when nothing is to be said. Pure. */
export function summaryOf<S extends Step>(
  all: readonly S[],
  plan: Plan<S>,
  { describe, causeOf }: { readonly describe: (step: S) => string; readonly causeOf: (step: S) => ChangeCause },
): Summary | undefined {
  const done = all.filter((step) => !step.repeats);
  const [first] = done;
  if (!first) return undefined;
  // Steps that only follow from others, as putting settings into effect, say nothing of why.
  const primary = done.filter((step) => !step.follows);
  const corrections = primary.filter((step) => causeOf(step) === 'DriftRepaired');
  const isAllDrift = corrections.length > 0 && corrections.length === primary.length;
  const reason = done.some((step) => step.do === 'create')
    ? EventReason.Created
    : isAllDrift
      ? EventReason.DriftCorrected
      : EventReason.Updated;
  // Of what was not done some may be no drift, but wanted by the spec since.
  const changed = done.flatMap(({ changes }) => changes.map(({ field }) => field));
  const isChanged = (field: string) => changed.some((one) => one === field || one.startsWith(`${field}.`));
  const mended = plan.drift.filter(({ field }) => isChanged(field));
  const found = reason === EventReason.DriftCorrected ? foundSentence(mended.length > 0 ? mended : plan.drift) : '';
  const drifted = corrections.length === 0 ? undefined : corrections.flatMap((step) => step.fields ?? []);
  const causes = (primary.length > 0 ? primary : [first]).map(causeOf);
  const cause = causes.find((one) => one !== 'DriftRepaired') ?? causes[0] ?? 'Resumed';
  const why = reason === EventReason.Updated && cause !== 'Creation' ? ` ${whySentence(cause, done)}` : '';
  const message = `${found}${sentenceOf(done, describe)}${why}`;
  return { reason, message, cause, drifted, isRoutine: causes.every(isRoutine) };
}

/** Why it was done, with the fields that were changed. */
function whySentence(cause: ChangeCause, done: readonly Step[]): string {
  const fields = netChanges(done.flatMap(({ changes }) => changes)).map(({ field }) => field);
  return `Because ${changeCauses[cause].because}${fields.length > 0 ? `: ${fields.join(', ')}` : ''}.`;
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
