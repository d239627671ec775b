import { forecastOfHour } from './forecast.ts';
import type { GateRule } from './gate-rule.ts';
import { isRead, type Lane } from './lanes.ts';
import { keptForWrites, type Limits, leastKept } from './limits.ts';
import type { Reservation } from './reservation.ts';
import { createRollingWindow } from './rolling-window.ts';
import { createTally } from './tally.ts';

const HOUR_MILLISECONDS = 3_600_000;
/** How exactly the ages of requests are put on record. Milliseconds. */
export const PART_MILLISECONDS = 300_000;
/** The latest of them has just begun, mostly. */
const PARTS = HOUR_MILLISECONDS / PART_MILLISECONDS + 1;
/** Times that were computed in two ways differ by less. Milliseconds. */
const ROUNDING_MILLISECONDS = 1;
/** What got no answer may be held back for so long on its way, as by a proxy, and count only then. Milliseconds. */
const LONGEST_ON_ITS_WAY_MILLISECONDS = 180_000;
/** In the time of so many requests, what a party had of them counts half. */
const TURNS = 10;
/** No hour has more than this; what counts beyond it would only take memory. */
const FULL = 1000;
/** Of an hour that several share, so much is kept for who had little of it: one that takes all it can leaves others something. */
const KEPT_FOR_OTHERS = 20;
/** So much of an hour is kept for certificates: changes without end leave those that are renewed their place. */
const KEPT_FOR_UPLOADS = 25;

/** For whom is what somebody may not have of an hour: `others`, parties that had less of it; `nobody`, there is none. */
export type RestOfHour = 'changes' | 'certificates' | 'others' | 'nobody';

export interface HourRule extends GateRule {
  setLimits(limits: Limits): void;
  /** Sees to it that at least `used` requests count as sent at `at` or later; monotonic milliseconds. */
  restore(used: number, at: number): void;
  /** Has a part of {@link PART_MILLISECONDS} begin then (monotonic milliseconds), as it does in the record that was restored. */
  beginPart(at: number): void;
  /**
   * How many the last hour holds by when they were sent: in the part of {@link PART_MILLISECONDS} that has just begun, so many
   * milliseconds ago, and in each before it.
   */
  byAge(now: number): { readonly counts: number[]; readonly latest: number };
  /** Counts requests that another process may send until then (monotonic milliseconds): as sent, and as late as they can be. */
  allot(requests: number, until: number, now: number): void;
  /** How many of those, and of what was restored, another process may not have sent yet. */
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
 * after its end, because the service counts it at some moment between the two; one without an answer later still. Its
 * connection may still have to be opened when it is granted: until it is written, or given up, nobody else is granted
 * anything, so that the spacing holds on the wire. With a reservation, none goes that is not covered by what is on record.
 */
export function hourRule(initial: Limits, start: number, reservation?: Reservation): HourRule {
  const window = createRollingWindow(HOUR_MILLISECONDS);
  /** Apart from the others: what a record says of those that this process sent must not count as covered by these. */
  const others = createRollingWindow(HOUR_MILLISECONDS);
  /** After a restart nobody is known to have had any, and each may have half of what is left once more: of less and less. */
  const tally = createTally(HOUR_MILLISECONDS);
  /** The same of what was sent in their lane: who changes much does not have its certificates wait for it. */
  const uploads = createTally(HOUR_MILLISECONDS);
  /**
   * When some part begins: after what it finds, and before what it sends. One process goes on with the parts of another: what
   * they say must not become later with each.
   */
  let begun = start - 2 * ROUNDING_MILLISECONDS;
  let allotments: { readonly requests: number; readonly until: number }[] = [];
  let lastAllotted = Number.NEGATIVE_INFINITY;
  let limits = initial;
  let unsent = 0;
  let underWay = 0;
  let lastSent = start - HOUR_MILLISECONDS;

  const reserved = () => limits.webAccelReservedForWrites ?? keptForWrites(limits.webAccelRequestsPerHour);
  const readCap = () => limits.webAccelRequestsPerHour - reserved();

  function changeCap(): number {
    const limit = limits.webAccelRequestsPerHour;
    return limit - Math.min(reserved(), Math.max(leastKept(limit), Math.floor(limit / KEPT_FOR_UPLOADS)));
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
    shareMilliseconds: () => (TURNS * HOUR_MILLISECONDS) / limits.webAccelRequestsPerHour,
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
    released(now, { wasSent, isAnswered }) {
      if (!wasSent) {
        unsent--;
        return;
      }
      underWay--;
      window.add(isAnswered ? now : now + LONGEST_ON_ITS_WAY_MILLISECONDS);
    },
    setLimits(changed) {
      limits = changed;
    },
    restore(used, at) {
      // What is under way is later than any record.
      window.raise(at, used - underWay);
    },
    beginPart(at) {
      begun = at;
    },
    byAge(now) {
      const latest = (((now - begun) % PART_MILLISECONDS) + PART_MILLISECONDS) % PART_MILLISECONDS;
      const counts = Array.from({ length: PARTS }, () => 0);
      const add = (age: number, count = 1) => {
        const part = 1 + Math.floor((age - latest + ROUNDING_MILLISECONDS) / PART_MILLISECONDS);
        // What may still be sent is as late as now.
        const place = Math.min(PARTS - 1, Math.max(0, part));
        counts[place] = (counts[place] ?? 0) + count;
      };
      add(0, underWay);
      for (const expiry of [...window.expiries(now), ...others.expiries(now)]) add(now - expiry + HOUR_MILLISECONDS);
      return { counts, latest };
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
      const restored = window.expiries(now).filter((expiry) => expiry - HOUR_MILLISECONDS > now).length;
      return allotments.reduce((sum, { requests }) => sum + requests, restored);
    },
    spent(now) {
      // First: what has left the windows by now is forgotten when it is counted.
      const used = counted(now);
      return { used, expiresAt: nextExpiry() };
    },
  };
}
