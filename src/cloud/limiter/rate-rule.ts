import { createDoubt } from './doubt.ts';
import { forecastOfRate, riseOf } from './forecast.ts';
import type { GateRule } from './gate-rule.ts';
import { DEFAULT_REQUESTS_PER_SECOND, type Limits } from './limits.ts';
import { isSafe, type Pace, rateAt, slowed } from './pace.ts';

/** In the time of so many requests, what a party had of them counts half. */
const TURNS = 100;
/** What may be broken and not overloaded leaves an account this part of its limit, or of the one it would have by default. */
const LEAST_PART = 10;
/** How long after it slowed down an account still feels what went before. */
const SETTLING_MILLISECONDS = 2000;

export interface RateRule extends GateRule {
  setLimits(limits: Limits, now: number): void;
  /**
   * The service had too much to do when a request came that was sent at `sentAt`, and nothing goes before `from`: monotonic
   * milliseconds. Without `isSure` it may be something that is broken, too, and takes more than one answer to be believed.
   */
  slowDown(sentAt: number, from: number, now: number, isSure: boolean): void;
  /** What it slowed down for without being sure was something that is broken. */
  absolve(now: number): void;
  /** Requests a second that may go now, on average. */
  rate(now: number): number;
}

/** A token bucket that holds one second's worth of requests, and a cap on requests under way. */
export function rateRule(initial: Limits, start: number): RateRule {
  let limits = initial;
  let pace: Pace | undefined;
  let slowedAt = Number.NEGATIVE_INFINITY;
  const rate = (now: number) => rateAt(pace, limits.cloudRequestsPerSecond, now);
  const capacity = (now: number) => Math.max(1, rate(now));
  let tokens = capacity(start);
  let filledAt = start;
  let underWay = 0;
  /** As it was reckoned last. */
  let rise: (ReturnType<typeof riseOf> & { readonly pace: Pace | undefined }) | undefined;
  const doubt = createDoubt();
  /** The pace from before it slowed down without being sure. */
  let doubted: { readonly before: Pace | undefined } | undefined;
  const isSafeAt = (at: number) => at >= slowedAt + SETTLING_MILLISECONDS && isSafe(pace, at);

  function fill(now: number): void {
    // The rate of when it was filled last: who was told when the next may go comes neither too early nor in vain.
    tokens = Math.min(capacity(now), tokens + (Math.max(0, now - filledAt) * rate(filledAt)) / 1000);
    filledAt = Math.max(filledAt, now);
  }

  return {
    // What is refused again and again is slowed down again and again: it need not be closed for longer, too. Whoever says
    // "in an hour" is asked after a minute by a few: all that the account does waits meanwhile, and nobody can call it off.
    throttledSeconds: { first: 1, longest: 1, asked: 60 },
    lowerLaneShare: 10,
    shareMilliseconds: (now) => Math.max(10, TURNS / rate(now)) * 1000,
    confirmShare: 4,
    rate,
    refusal: () => undefined,
    isCovered: () => true,
    isStillCovered: () => true,
    openAt(_lane, now) {
      if (underWay >= (limits.cloudConcurrency ?? 8)) return Number.POSITIVE_INFINITY;
      fill(now);
      // A hair below one: the sum of many small additions is not exact.
      if (tokens >= 1 - 1e-9) return now;
      return Math.max(now, filledAt) + ((1 - tokens) * 1000) / rate(now);
    },
    forecast(_lane, from) {
      const limit = limits.cloudRequestsPerSecond;
      if (rise?.pace !== pace || rise?.limit !== limit) rise = { ...riseOf(pace, limit), pace };
      const missed = Math.max(0, filledAt - from);
      const earned = (Math.max(0, from - filledAt) * rate(filledAt)) / 1000;
      return forecastOfRate(rise, from + missed, Math.min(capacity(from), tokens + earned));
    },
    granted(now) {
      fill(now);
      tokens -= 1;
      underWay++;
    },
    sent(now, { tells }) {
      if (tells) doubt.sent(isSafeAt(now));
    },
    released() {
      underWay--;
    },
    setLimits(changed, now) {
      fill(now);
      limits = changed;
      tokens = Math.min(tokens, capacity(now));
    },
    slowDown(sentAt, from, now, isSure) {
      // What was sent before it slowed down, or at once after, says nothing of the slower pace.
      if (pace !== undefined && sentAt < slowedAt + SETTLING_MILLISECONDS) {
        if (isSure) doubted = undefined;
        pace = { ...pace, since: Math.max(pace.since, from) };
      } else {
        const share = doubt.refused(isSafeAt(sentAt), rate(now));
        if (share === undefined && !isSure) return;
        doubted = isSure ? undefined : (doubted ?? { before: pace });
        const limit = limits.cloudRequestsPerSecond;
        pace = slowed({
          pace,
          limit,
          now,
          from,
          share,
          least: isSure ? 0 : Math.min(limit, DEFAULT_REQUESTS_PER_SECOND) / LEAST_PART,
        });
        slowedAt = now;
        doubt.begin();
      }
      // Neither the rate nor what may go at once grows while nothing goes.
      tokens = Math.min(tokens, 0);
      filledAt = Math.max(filledAt, from);
    },
    absolve(now) {
      if (!doubted) return;
      fill(now);
      pace = doubted.before;
      doubted = undefined;
      doubt.begin();
    },
  };
}
