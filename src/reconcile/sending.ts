import { CloudError } from '../cloud/errors.ts';
import type { WriteReport } from '../cloud/write-report.ts';
import type { Engine } from './engine.ts';
import { mayBeDone, wasRefused } from './failure.ts';
import type { Pass } from './kind.ts';
import type { ManagedObject } from './managed-object.ts';
import type { StepReporter } from './report-changes.ts';

/** When a request left first, at the earliest, by the cluster’s clock; undefined when none did. */
export interface Sending {
  at: number | undefined;
  /** How often: a call that may be sent twice is tried again by itself. */
  times: number;
  /** The last one left: none waits for its turn, as the next does after a challenge or a failure. */
  isOnItsWay: boolean;
  /** What became of the last that left. */
  outcome: WriteReport['outcome'] | undefined;
  /** One of them got no answer, and may arrive later than those after it. */
  isLate: boolean;
}

/** Nothing has left yet. */
export const unsent = (): Sending => ({
  at: undefined,
  times: 0,
  isOnItsWay: false,
  outcome: undefined,
  isLate: false,
});

/** Whether a step that failed may have been carried out. An error that says that nothing was done may be of a try that never left. */
export function isMaybeDone(error: unknown, { times, outcome }: Sending): boolean {
  const isOfAnotherTry = outcome === 'unclear' && (wasRefused(error) || !(error instanceof CloudError));
  return isOfAnotherTry || mayBeDone(error, times);
}

/** A pass that notes when a request of its calls waits for its turn, when it leaves, and what becomes of it. */
export function watched<T extends ManagedObject>(
  pass: Pass<T>,
  sending: Sending,
  { onWrite }: StepReporter,
  time: Engine['time'],
): Pass<T> {
  const onQueued = () => {
    sending.isOnItsWay = false;
  };
  const onSent = () => {
    sending.at ??= time.earliest();
    sending.times++;
    sending.isOnItsWay = true;
  };
  const onReport = (report: WriteReport) => {
    sending.outcome = report.outcome;
    sending.isLate ||= report.outcome === 'unclear';
    onWrite(report);
  };
  return { ...pass, call: (lane) => ({ ...pass.call(lane), onQueued, onSent, onWrite: onReport }) };
}
