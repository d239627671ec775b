import { timestamp } from '../kubernetes/objects.ts';
import { FailureReason } from './failure-reason.ts';
import type { Moment, Pass } from './kind.ts';
import type { Hold } from './plan.ts';

/** How often what a creation may have made is looked for. Seconds. */
export const LOOK_INTERVAL_SECONDS = 5;

/**
 * Whether it is too early to say that a creation of unknown outcome made nothing: the service may show late what it made,
 * and asking for it again would make two.
 *
 * @param now Monotonic milliseconds.
 */
export function mayStillShow({ shownFrom }: { readonly shownFrom: Moment | undefined }, now: number): boolean {
  return shownFrom !== undefined && now <= shownFrom.monotonic;
}

/** Says what is looked for (`the gateway "depot"`), and until when. */
export function holdUnclear(
  what: string,
  pass: Pick<Pass<never>, 'deleting' | 'shownFrom' | 'now'>,
): Hold<FailureReason> {
  const until = pass.shownFrom?.wall ?? pass.now;
  const time = timestamp(until);
  const then = pass.deleting ? 'this resource goes' : 'another is asked for';
  return {
    state: 'Waiting',
    reason: FailureReason.OutcomeUnknown,
    message: `It is not known whether a creation of ${what} was carried out, and the service may show late what was made. It is looked for until ${time} before ${then}.`,
    isProgress: true,
    retryAfterSeconds: Math.min(LOOK_INTERVAL_SECONDS, Math.max(1, Math.ceil((until - pass.now) / 1000))),
  };
}
