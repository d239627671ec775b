import { brief, briefChange } from '../../reconcile/brief-change.ts';
import type { Drift } from '../../reconcile/managed-object.ts';

const LONGEST = 1000;

/** One field that differs, its values as short text. */
export function driftOf(field: string, desired: unknown, observed: unknown): Drift {
  const { before, after } = briefChange({ before: whole(observed), after: whole(desired) }, LONGEST);
  return { field, desired: after, observed: before };
}

/** A value for people: `none` for what isn't there. */
export function show(value: unknown): string {
  return brief(whole(value), LONGEST);
}

function whole(value: unknown): string {
  return value === undefined || value === '' ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);
}
