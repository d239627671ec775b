import { createDoubt } from './doubt.ts';
import { forecastOfHour, forecastOfRate, riseOf } from './forecast.ts';
import type { GateRule } from './gate-rule.ts';
import { isRead, type Lane } from './lanes.ts';
import { isSafe, type Pace, rateAt, slowed } from './pace.ts';
import type { Reservation } from './reservation.ts';
import { createRollingWindow } from './rolling-window.ts';
import { createTally } from './tally.ts';

export interface Limits {
  /** Web acceleration requests in any rolling hour (`api.md`, Limits: 500). */
  readonly webAccelRequestsPerHour: number;
  /** Cloud requests a second, on average, at most; as many may go at once after a pause. */
  readonly cloudRequestsPerSecond: number;
  /** Cloud requests under way at a time; default 8. */
  readonly cloudConcurrency?: number;
  /** The part of the hour that only uploads, writes and verifying reads may use, and the last of it only uploads; default a tenth. */
  readonly webAccelReservedForWrites?: number;
  /** Several namespaces may use the account: a twentieth of the hour is kept for those that had less than the others; default no. */
  readonly isShared?: boolean;
  /** The least time between two web acceleration requests ("no intensive access"); default 200. */
  readonly webAccelSpacingMilliseconds?: number;
}

/** Cloud requests a second of an account that sets no limit. */
export const DEFAULT_REQUESTS_PER_SECOND = 10;

const HOUR_MILLISECONDS = 3_600_000;
/** In the time of so many requests, what a party had of them counts half. */
const WEB_ACCEL_TURNS = 10;
const CLOUD_TURNS = 100;
/** No hour has more than this; what counts beyond it would only take memory. */
const FULL = 1000;
/** Of an hour that several share, so much is kept for who had little of it: one that takes all it can leaves others something. */
const KEPT_FOR_OTHERS = 20;
/** So much of an hour is kept for certificates: changes without end leave those that are renewed their place. */
const KEPT_FOR_UPLOADS = 25;

/** For whom is what somebody may not have of an hour: `others`, parties that had less of it; `nobody`, there is none. */
export type RestOfHour = 'changes' | 'certificates' | 'others' | 'nobody';

export interface WebAccelRule extends GateRule {
  setLimits(limits: Limits): void;
  /** Sees to it that at least `used` requests count as sent at `at` or later; monotonic milliseconds. */
  restore(used: number, at: number): void;
  /** Counts requests that another process may send until then (monotonic milliseconds): as sent, and as late as they can be. */
  allot(requests: number, until: number, now: number): void;
  /** How many of those may not have been sent yet. */
  allotted(now: number): number;
  /** Requests that were granted, and are neither written nor given up yet. */
  unsent(): number;
  /** How many requests there may be before only changes may go. */
  readCap(): number;
  /** How many requests there may be before only certificates may go. */
  changeCap(): number;
  /** How many of the last are kept for parties that had less than is left: each may have one only if it had fewer. */
  kept(): number;
  /** How many a party had in the last hour. */
  had(party: string, now: number): number;
  /** How many requests of this lane there may be in the hour before this party waits, and for whom the rest is kept. */
  cap(lane: Lane, now: number, party: string | undefined): { readonly most: number; readonly rest: RestOfHour };
  /** What the last hour holds, requests under way included, and when (monotonic) the oldest leaves. */
  spent(now: number): { used: number; expiresAt: number | undefined };
}

/**
 * Never more than the limit in any rolling hour. A request is counted from the moment it is written and leaves an hour
 * after its end, because the service counts it at some moment between the two. Its connection may still have to be
 * opened when it is granted: until it is written, or given up, nobody else is granted anything, so that the spacing
 * holds on the wire. With a reservation, none goes that is not covered by what is on record.
 */
export function webAccelRule(initial: Limits, start: number, reservation?: Reservation): WebAccelRule {
  const window = createRollingWindow(HOUR_MILLISECONDS);
  /** Apart from the others: what a record says of those that this process sent must not count as covered by these. */
  const others = createRollingWindow(HOUR_MILLISECONDS);
  /** After a restart nobody is known to have had any, and each may have half of what is left once more: of less and less. */
  const tally = createTally(HOUR_MILLISECONDS);
  /** The same of what was sent in their lane: who changes much does not have its certificates wait for it. */
  const uploads = createTally(HOUR_MILLISECONDS);
  let allotments: { readonly requests: number; readonly until: number }[] = [];
  let lastAllotted = Number.NEGATIVE_INFINITY;
  let limits = initial;
  let unsent = 0;
  let underWay = 0;
  let lastSent = start - HOUR_MILLISECONDS;

  const reserved = () => limits.webAccelReservedForWrites ?? Math.floor(limits.webAccelRequestsPerHour / 10);
  const readCap = () => limits.webAccelRequestsPerHour - reserved();

  function changeCap(): number {
    const limit = limits.webAccelRequestsPerHour;
    return limit - Math.min(reserved(), Math.floor(limit / KEPT_FOR_UPLOADS));
  }

  const kept = () => (limits.isShared ? Math.floor(limits.webAccelRequestsPerHour / KEPT_FOR_OTHERS) : 0);

  const restFor = (lane: Lane): RestOfHour =>
    isRead(lane) ? 'changes' : lane === 'upload' ? 'nobody' : 'certificates';
  const changesOf = (lane: Lane) => (lane === 'upload' ? limits.webAccelRequestsPerHour : changeCap());
  const capOf = (lane: Lane) => (isRead(lane) ? readCap() : changesOf(lane));

  /**
   * From so many on what is left of the part that the lane may use is for others; `more`: as if the party had had so many more.
   * What has no party has had enough.
   */
  function shareOf(lane: Lane, party: string | undefined, now: number, more = 0): number {
    const had = party ? (lane === 'upload' ? uploads : tally).of(party, now) + more : Number.POSITIVE_INFINITY;
    return changesOf(lane) - Math.min(kept(), had);
  }

  const spacing = () => limits.webAccelSpacingMilliseconds ?? 200;
  const counted = (now: number) => window.count(now) + others.count(now) + underWay;

  function nextExpiry(): number | undefined {
    const expiries = [window.nextExpiry(), others.nextExpiry()].filter((expiry) => expiry !== undefined);
    return expiries.length > 0 ? Math.min(...expiries) : undefined;
  }

  function roomAt(): number {
    const expiry = nextExpiry();
    // Just after the expiry: the last instant of the hour still belongs to it.
    return expiry === undefined ? Number.POSITIVE_INFINITY : Math.floor(expiry) + 1;
  }

  return {
    unsent: () => unsent,
    readCap,
    changeCap,
    kept,
    had: tally.of,
    cap(lane, now, party) {
      const share = shareOf(lane, party, now);
      return share < capOf(lane) ? { most: share, rest: 'others' } : { most: capOf(lane), rest: restFor(lane) };
    },
    throttledSeconds: { first: 60, longest: 3600, asked: 3600 },
    lowerLaneShare: 20,
    shareMilliseconds: () => (WEB_ACCEL_TURNS * HOUR_MILLISECONDS) / limits.webAccelRequestsPerHour,
    confirmShare: 0,
    refusal(now) {
      const used = counted(now);
      if (kept() === 0 || used < changeCap() - kept()) return undefined;
      return { of: (party, lane) => used >= shareOf(lane, party, now), until: roomAt() };
    },
    openAt(lane, now) {
      if (unsent > 0) return Number.POSITIVE_INFINITY;
      if (counted(now) >= capOf(lane)) return roomAt();
      return lastSent + spacing();
    },
    isCovered(now) {
      if (!reservation || reservation.isOpen(now)) return true;
      reservation.missed();
      return false;
    },
    isStillCovered: () => !reservation || reservation.hasLeft(),
    forecast(lane, from, now) {
      const current = Array.from({ length: underWay + unsent }, () => from + HOUR_MILLISECONDS);
      const expiries = [...window.expiries(from), ...others.expiries(from), ...current].toSorted((a, b) => a - b);
      return forecastOfHour(
        {
          milliseconds: HOUR_MILLISECONDS,
          cap: (before, party) => Math.max(1, Math.min(capOf(lane), shareOf(lane, party, now, before))),
          expiries,
          spacing: spacing(),
        },
        from,
      );
    },
    granted() {
      unsent++;
    },
    sent(now, { lane, party }) {
      unsent--;
      underWay++;
      if (party) tally.add(party, now);
      if (party && lane === 'upload') uploads.add(party, now);
      lastSent = now;
      reservation?.taken();
    },
    released(now, wasSent) {
      if (!wasSent) {
        unsent--;
        return;
      }
      underWay--;
      window.add(now);
    },
    setLimits(changed) {
      limits = changed;
    },
    restore(used, at) {
      // What is under way is later than any record.
      window.raise(at, used - underWay);
    },
    allot(requests, until, now) {
      lastAllotted = Math.max(lastAllotted, until);
      // Whoever asks for more than any hour has gets no more of it; only until when it is gone may change.
      const left = FULL - others.count(now);
      if (requests > left) others.raise(lastAllotted, FULL);
      else others.add(lastAllotted, requests);
      const known = allotments.reduce((sum, one) => sum + one.requests, 0);
      if (known + requests > FULL) allotments = [{ requests: FULL, until: lastAllotted }];
      else allotments.push({ requests, until: lastAllotted });
    },
    allotted(now) {
      allotments = allotments.filter(({ until }) => until > now);
      return allotments.reduce((sum, { requests }) => sum + requests, 0);
    },
    spent(now) {
      // First: what has left the windows by now is forgotten when it is counted.
      const used = counted(now);
      return { used, expiresAt: nextExpiry() };
    },
  };
}

/** What may be broken and not overloaded leaves an account this part of its limit, or of the one it would have by default. */
const LEAST_PART = 10;
/** How long after it slowed down an account still feels what went before. */
const SETTLING_MILLISECONDS = 2000;

export interface CloudRule extends GateRule {
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
export function cloudRule(initial: Limits, start: number): CloudRule {
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
    shareMilliseconds: (now) => Math.max(10, CLOUD_TURNS / rate(now)) * 1000,
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
