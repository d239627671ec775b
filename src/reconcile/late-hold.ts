import { timestamp } from '../kubernetes/objects.ts';
import { FailureReason } from './failure.ts';
import type { Hold } from './plan.ts';

/** Says that writes nobody answered may still set these fields for so many milliseconds. `now`: milliseconds since the epoch. */
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
