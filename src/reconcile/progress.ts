import { isDeepStrictEqual } from 'node:util';
import type { StepOutcome } from './carry-out.ts';
import { isPartOf, isPending, type ManagedObject, type Marks, type Progress, wasApplied } from './managed-object.ts';
import { isUndecided, type Plan, type Step } from './plan.ts';
import { isInterrupted, isStatusOfAnother } from './restored.ts';

/** The mark all kinds have: the value of edgeline.dev/reconcile-at acted on last. */
export const RECONCILE_MARK = 'lastHandledReconcileAt';

/** The mark of what the operator created: when the service had answered the request, RFC 3339. */
export const CREATED_MARK = 'creationAnsweredAt';

/**
 * The mark of what a brake holds: since when, RFC 3339. Conditions tell it, too, but give way to whatever is the matter
 * next, as a pause.
 */
export const HELD_MARK = 'heldSince';

/** The mark of what a brake holds: with how many, at most. That it is fewer by now lets none of them go. */
export const AMONG_MARK = 'heldAmong';

/** The mark of what vanished from the service, until there is something else in its place: its ID. */
export const VANISHED_MARK = 'vanishedID';

/**
 * The mark of what is missing together with much else: since when, RFC 3339. Others of that may be let go of, and what is the
 * matter next takes the condition's place; by this mark it is known to be one of many until it is shown or given up.
 */
export const MISSING_MARK = 'missingSince';

/** Since when it is missing together with much else, RFC 3339; undefined: it is not. */
export function missingSince({ marks }: Progress): string | undefined {
  const since = marks[MISSING_MARK];
  return typeof since === 'string' ? since : undefined;
}

/** The marks all kinds have. */
export const COMMON_MARKS = [RECONCILE_MARK, CREATED_MARK, HELD_MARK, AMONG_MARK, VANISHED_MARK, MISSING_MARK] as const;

/**
 * The progress a resource's status records. A resource with the finalizer `create` but no ID in its status was being
 * created when the process died: every one of the kind's `fields` may have been written. Of a status that was written for
 * another object only the ID counts, and what it names is not this resource's own work.
 */
export function progressOf(object: ManagedObject, fields: readonly string[], marks: readonly string[]): Progress {
  const id = object.status?.id;
  const isRestored = isStatusOfAnother(object);
  const status = isRestored ? undefined : object.status;
  const stored: Readonly<Record<string, unknown>> = { ...status };
  const interrupted = isInterrupted(object);
  return {
    id,
    ownership: isRestored && id ? 'Adopted' : status?.ownership,
    applied: status?.applied ?? {},
    found: status?.found ?? [],
    ...(isRestored && id !== undefined && { restoredFrom: object.status?.uid ?? 'unknown' }),
    pending: interrupted ? fields : (status?.pending ?? []),
    ...(!interrupted && status?.intended && { intended: status.intended }),
    ...(status?.approval && { approval: status.approval }),
    marks: definedMarks(Object.fromEntries([...marks, ...COMMON_MARKS].map((mark) => [mark, stored[mark]]))),
  };
}

/** Marks without those that are undefined. */
export function definedMarks(marks: Marks): Marks {
  return Object.fromEntries(Object.entries(marks).filter(([, value]) => value !== undefined));
}

/** The same without these marks. */
export function without(marks: readonly string[], progress: Progress): Progress {
  const undefinedMarks = Object.fromEntries(marks.map((mark) => [mark, undefined]));
  return { ...progress, marks: definedMarks({ ...progress.marks, ...undefinedMarks }) };
}

/**
 * The same once somebody else may have what it is about: what fields are that the service never shows is not known any more.
 */
export function withoutHidden(progress: Progress, hidden: readonly string[] = []): Progress {
  const isKnown = (field: string) => progress.applied[field] !== undefined || isPending(progress.pending, field);
  if (!hidden.some(isKnown)) return progress;
  const isShown = (field: string) => !hidden.includes(field);
  const applied = Object.fromEntries(Object.entries(progress.applied).filter(([field]) => isShown(field)));
  return { ...progress, applied, pending: progress.pending.filter(isShown) };
}

/**
 * The progress after a step was answered: its fields are now as the plan has them. Where a later step is about the same
 * field, as when an address is cleared before another is set, it has no value between the two, and is about to be written.
 */
export function afterStep<S extends Step>(progress: Progress, plan: Plan<S>, step: S, result: StepOutcome): Progress {
  const applied: Record<string, unknown> = { ...progress.applied };
  const later = new Set(plan.steps.slice(plan.steps.indexOf(step) + 1).flatMap(({ fields = [] }) => fields));
  const isSettled = (field: string) => !later.has(field);
  for (const field of step.fields ?? []) {
    if (isSettled(field) && plan.applied[field] !== undefined) applied[field] = plan.applied[field];
    else delete applied[field];
  }
  const settled = (step.fields ?? []).filter(isSettled);
  const between = (step.fields ?? []).filter((field) => !isSettled(field) && !progress.pending.includes(field));
  return {
    id: result.id ?? progress.id,
    ownership: result.ownership ?? progress.ownership,
    applied,
    found: (progress.found ?? []).filter((field) => !step.fields?.includes(field)),
    pending: [...progress.pending, ...between].filter((entry) => !settled.some((field) => isPartOf(entry, field))),
    ...((progress.intended || between.length > 0) && {
      intended: {
        ...progress.intended,
        ...Object.fromEntries(between.map((field) => [field, plan.applied[field]])),
      },
    }),
    ...unwrittenOf(progress, (entry) => !settled.some((field) => isPartOf(entry, field))),
    marks: definedMarks({ ...progress.marks, ...result.marks }),
    ...(progress.approval && { approval: progress.approval }),
  };
}

/** Those of `unwritten` that stay so. */
function unwrittenOf(
  { unwritten, refused }: Progress,
  isStill: (entry: string) => boolean,
): Pick<Progress, 'unwritten' | 'refused'> {
  return { unwritten: unwritten?.filter(isStill), refused: refused?.filter(isStill) };
}

/** How a plan ended that was not carried out to its end. */
export interface PlanFailure<S extends Step> {
  readonly plan: Plan<S>;
  /** The steps that were, or may have been, carried out. */
  readonly reached: readonly S[];
  /** What was pending before the plan, and may have been written before it. */
  readonly before: readonly string[];
  /** It is not tried again as it is: then nothing of it need stay on record. */
  readonly isFinal: boolean;
}

/**
 * The progress when a plan failed: what it was about to write, and neither did nor may have done, is not this resource's. A
 * person who takes it out of the spec again must not have that unset which others have set.
 */
export function afterFailure<S extends Step>(progress: Progress, failure: PlanFailure<S>): Progress {
  const { plan, reached, before, isFinal } = failure;
  const isAbout = (steps: readonly S[], entry: string) =>
    steps
      .flatMap(({ fields = [], pending = [] }) => [...fields, ...pending])
      .some((field) => isPartOf(entry, field) || isPartOf(field, entry));
  const isUnwritten = (entry: string) =>
    isAbout(plan.steps, entry) && !isAbout(reached, entry) && !before.includes(entry);
  const unwritten = progress.pending.filter(isUnwritten);
  if (unwritten.length === 0) return progress;
  return {
    ...progress,
    pending: progress.pending.filter((entry) => !unwritten.includes(entry)),
    unwritten: [...(progress.unwritten ?? []), ...unwritten],
    ...(isFinal && { refused: [...(progress.refused ?? []), ...unwritten] }),
  };
}

/** What the status says is pending, in the order in which it did before. */
export function pendingToTell(progress: Progress, told: readonly string[] = []): string[] {
  const { pending, unwritten = [], refused = [] } = progress;
  const all = [...pending, ...unwritten.filter((entry) => !refused.includes(entry))];
  const before = told.filter((entry) => all.includes(entry));
  return [...before, ...all.filter((entry) => !before.includes(entry))];
}

/** What the status says of the values of what is pending. */
export function intendedToTell(progress: Progress): Readonly<Record<string, unknown>> {
  const { intended } = progress;
  if (!intended) return {};
  const pending = pendingToTell(progress);
  const isToTell = ([field, value]: [string, unknown]) => value !== undefined && isPending(pending, field);
  return Object.fromEntries(Object.entries(intended).filter(isToTell));
}

/**
 * The values of what is about to be written, and what was before: of that no other value may have been sent. What is unset
 * leaves no value.
 */
function intendedWith<S extends Step>(
  progress: Progress,
  plan: Plan<S>,
  pending: readonly string[],
): Record<string, unknown> {
  const intended: Record<string, unknown> = { ...progress.intended };
  for (const field of new Set(plan.steps.flatMap(({ fields = [] }) => fields))) {
    const value = plan.applied[field];
    if (value === undefined || !isPending(pending, field)) continue;
    if (!isPending(progress.pending, field)) intended[field] = value;
    else if (!isDeepStrictEqual(intended[field], value)) delete intended[field];
  }
  return intended;
}

/**
 * The progress when nothing is left to do: what the plan says is applied, or was so when it was taken over. What may have
 * been written stays on record where the plan cannot tell whether it was.
 */
export function afterPlan<S extends Step>({ approval, ...progress }: Progress, plan: Plan<S>): Progress {
  const isFound = (field: string) => plan.applied[field] !== undefined && !wasApplied(progress, field);
  const found = progress.ownership === 'Adopted' ? Object.keys(plan.applied).filter(isFound) : [];
  // What was approved is done, though its answer may be lost; while something is under way, more of it may come.
  const open = plan.hold?.isProgress && approval ? { approval } : {};
  const pending = progress.pending.filter((entry) => isUndecided(plan, entry));
  const intended = pending.length > 0 ? progress.intended : undefined;
  const none = { unwritten: undefined, refused: undefined };
  return { ...progress, ...open, applied: plan.applied, found, pending, intended, ...none };
}

/**
 * The progress right before the first call of a plan: with the marks its steps want, and what it is about to write.
 * `isAlwaysTold`: what the step writes is on record also where it was applied before. So it is of what was approved, as who
 * is asked before anything changes has to be asked also where nobody knows whether that was carried out; and of what takes
 * the resource out of service.
 */
export function aheadOf<S extends Step>(
  progress: Progress,
  plan: Plan<S>,
  isAlwaysTold: (step: S) => boolean = () => false,
): Progress {
  const marks = definedMarks({ ...progress.marks, ...Object.assign({}, ...plan.steps.map((step) => step.marks)) });
  const news = newlyWritten(progress, plan, isAlwaysTold);
  const still = unwrittenOf(progress, (entry) => !news.includes(entry));
  const pending = [...progress.pending, ...news];
  return { ...progress, ...still, marks, pending, intended: intendedWith(progress, plan, pending) };
}

/**
 * Whether the status has to know of what lies ahead before the first call is made. What a resource creates needs no word
 * of the fields: everything on it is its own, and that it was being created is told by the finalizer.
 */
export function mustBeStored(before: Progress, ahead: Progress, creating: boolean): boolean {
  const known = pendingToTell(before);
  const isNews = (entry: string) => !known.includes(entry);
  if (!isDeepStrictEqual(ahead.marks, before.marks)) return true;
  return !creating && (ahead.pending.some(isNews) || !isDeepStrictEqual(intendedToTell(ahead), intendedToTell(before)));
}

/**
 * What a plan is about to write that the status doesn't tell of yet: fields not recorded as applied with just that value, all of
 * steps that are always told, and what steps name themselves. It goes into `status.pending`, so that neither a crash nor an
 * unclear answer can make the operator forget that a field is its own, or which value of it may still arrive, and leave it set
 * after the user removed it.
 */
function newlyWritten<S extends Step>(progress: Progress, plan: Plan<S>, isAlwaysTold: (step: S) => boolean): string[] {
  const isAsBefore = (field: string) =>
    wasApplied(progress, field) && isDeepStrictEqual(plan.applied[field], progress.applied[field]);
  const isNew = (field: string) => plan.applied[field] !== undefined && !isAsBefore(field);
  const entries = plan.steps.flatMap(
    (step) => step.pending ?? (step.fields ?? []).filter((field) => isAlwaysTold(step) || isNew(field)),
  );
  return [...new Set(entries)].filter((entry) => !progress.pending.includes(entry));
}
