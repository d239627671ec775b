import { timestamp } from '../kubernetes/objects.ts';
import { FailureReason } from './failure.ts';
import { isPartOf } from './managed-object.ts';
import type { Hold } from './plan.ts';

/**
 * Fields that nobody wants any more, and of which a write that nobody answered may still arrive: it would stay there, and
 * nothing would be left to say that it is to be unset. Pure.
 */
export function unwantedOf(late: readonly string[], applied: Readonly<Record<string, unknown>>): string[] {
  const wanted = Object.keys(applied).filter((field) => applied[field] !== undefined);
  return late.filter((entry) => !wanted.some((field) => isPartOf(entry, field)));
}

/** Says so. `now`: milliseconds since the epoch. */
export function holdForLate(fields: readonly string[], left: number, now: number): Hold<FailureReason> {
  return {
    state: 'Waiting',
    reason: FailureReason.OutcomeUnknown,
    message: `A request that was sent before the spec was changed got no answer, and may still set ${fields.join(', ')}. It is looked for at ${timestamp(now + left)}, and put right then.`,
    isProgress: true,
    keepsReady: true,
    retryAfterSeconds: left / 1000,
  };
}
