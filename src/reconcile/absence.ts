import type { Snapshot } from '../cloud/list/snapshot.ts';
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

/** What changes while a list is read has gone from it by then. Lists. */
const INCOMPLETE_LISTS = 3;

/** Whether a list does not add up, and did not before, so that the next one will hardly do. */
export function staysIncomplete({
  complete,
  incompletes = 0,
}: Pick<Snapshot<unknown>, 'complete' | 'incompletes'>): boolean {
  return !complete && incompletes >= INCOMPLETE_LISTS;
}

/** Says that a list (`gateways in zone is1a`) would have to add up. */
export function holdIncomplete(what: string): Hold<FailureReason> {
  return {
    state: 'Waiting',
    reason: FailureReason.UnexpectedResponse,
    message: `The service's list of ${what} does not add up: it shows other than as many as it says there are. What it does not show may be there all the same, so nothing is made, and nothing counts as gone. It is read again; if this lasts, ask the service's operator.`,
    keepsReady: true,
    retryAfterSeconds: LOOK_INTERVAL_SECONDS * 3,
  };
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
