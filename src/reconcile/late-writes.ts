import { isPartOf } from './managed-object.ts';
import type { Plan, Step } from './plan.ts';

/**
 * Writes that nobody answered, which may arrive as long as the service may hold a request: by field, what it was to become, as
 * changes tell it; undefined where that is not known.
 */
export type LateWrites = ReadonlyMap<string, string | undefined>;

/** The same with those of a step that nobody answered. What is unset late is as it is wanted. Pure. */
export function withStep(late: LateWrites, step: Step, applied: Readonly<Record<string, unknown>>): LateWrites {
  const set = (step.fields ?? []).filter((field) => applied[field] !== undefined);
  const after = (field: string) => step.changes.find((change) => change.field === field)?.after;
  return new Map([...late, ...set.map((field) => [field, after(field)] as const)]);
}

/** Those of which what is to be unset is not what was sent: somebody else has set it meanwhile. Pure. */
export function setByOthers(late: LateWrites, { steps, applied }: Plan<Step>): string[] {
  return steps
    .flatMap(({ changes }) => changes)
    .filter(({ field }) => late.get(field) !== undefined && applied[field] === undefined)
    .filter(({ field, before }) => before !== late.get(field))
    .map(({ field }) => field);
}

/**
 * Fields that nobody wants any more, and of which a write that nobody answered may still arrive: it would stay there, and
 * nothing would be left to say that it is to be unset. Pure.
 */
export function unwantedOf(late: LateWrites, applied: Readonly<Record<string, unknown>>): string[] {
  const wanted = Object.keys(applied).filter((field) => applied[field] !== undefined);
  return [...late.keys()].filter((entry) => !wanted.some((field) => isPartOf(entry, field)));
}
