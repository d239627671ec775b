import type { Forecast } from './forecast.ts';
import type { Lane } from './lanes.ts';

/** What is left is kept for parties that had less than others. */
export interface Refusal {
  /** Whether this one has none of it for a request of this lane. */
  of(party: string, lane: Lane): boolean;
  /** When that may be otherwise, at the earliest, if nothing is sent meanwhile; monotonic milliseconds. */
  readonly until: number;
}

/** When requests may go. Times are monotonic milliseconds. */
export interface GateRule {
  /** The time from which a request of this lane may go; Infinity: only after another one is sent or released. */
  openAt(lane: Lane, now: number): number;
  /** Whether what is on record covers one more, where that has to be; else a record is asked for, and the gate is told. */
  isCovered(now: number): boolean;
  /** Whether one that was let go may be sent: what covered it may have become too old since, but not have gone. */
  isStillCovered(): boolean;
  /** Whom none of what is left is for; undefined: it is for all. */
  refusal(now: number): Refusal | undefined;
  /** When requests of a lane will have gone that may go from `from` on, which is now or later. */
  forecast(lane: Lane, from: number, now: number): Forecast;
  granted(now: number): void;
  /** `party`: who had it, if it counts for what that party had; `tells`: what becomes of it says something of the service. */
  sent(now: number, what: { readonly lane: Lane; readonly tells: boolean; readonly party: string | undefined }): void;
  /** `isAnswered`: what was sent, and got no answer, may still arrive. */
  released(now: number, what: { readonly wasSent: boolean; readonly isAnswered: boolean }): void;
  /**
   * How long the gate closes when the service throttles without saying for how long: doubled each time in a row. `asked`: at
   * most so long if it says.
   */
  readonly throttledSeconds: { readonly first: number; readonly longest: number; readonly asked: number };
  /**
   * Every so many grants one goes to the lane that has waited longest of those that are not first, so that neither a
   * run of writes blinds the polls nor a stream of changes keeps creations from being made: each second time of whoever had no
   * more than others, if there is one, and else of whoever waits.
   */
  readonly lowerLaneShare: number;
  /** Every so many grants one goes to what confirms writes, so that what was made is seen to be; 0 for never. */
  readonly confirmShare: number;
  /** What a party had so long ago counts half, where parties take turns: a time in which several requests go. */
  shareMilliseconds(now: number): number;
}
