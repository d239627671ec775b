import type { Drift } from '../../reconcile/managed-object.ts';

const LONGEST = 1000;

/** One field that differs, its values as short text. */
export function driftOf(field: string, desired: unknown, observed: unknown): Drift {
  return { field, desired: show(desired), observed: show(observed) };
}

/** A value for people: `none` for what isn't there. */
export function show(value: unknown): string {
  const text = value === undefined || value === '' ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
