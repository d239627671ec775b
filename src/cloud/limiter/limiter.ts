import type { Clock } from '../../clock.ts';
import { createGate, type Gate, type Permit } from './gate.ts';
import { hourRule, PART_MILLISECONDS, type RestOfHour } from './hour-rule.ts';
import { type Api, isRead, type Lane, type Turn } from './lanes.ts';
import type { Limits } from './limits.ts';
import { rateRule } from './rate-rule.ts';
import { createReservation, RESERVATION_VALID_MILLISECONDS, type Reservation, SPARE_REQUESTS } from './reservation.ts';

export type { Limits };

/** How likely it is that the service has too much to do. */
export type Likelihood = 'surely' | 'perhaps' | 'hardly';

export interface Limiter {
  /**
   * Resolves when one request may be sent; call `sent` when it is written and `release` when it is over. Rejects with
   * the signal's reason when aborted first.
   */
  acquire(api: Api, lane: Lane, signal?: AbortSignal, turn?: Turn, party?: string): Promise<Permit>;
  /** The same where nobody has to wait; else undefined. */
  acquireNow(api: Api, lane: Lane, party?: string): Permit | undefined;
  /**
   * The service asked for fewer requests, or said when to come back: closes the API for so long, a minute (cloud) or an hour
   * (web acceleration) at most; by default a second (cloud), or longer each time (web acceleration).
   */
  throttled(api: Api, retryAfterSeconds?: number): void;
  /**
   * The service had too much to do when a request came that was sent at `sentAt`, in monotonic milliseconds: fewer cloud
   * requests a second go until it bears more. `perhaps`: the answer may also come from something that is broken, and one
   * alone changes nothing. `hardly`: it does, and what was slowed down for answers like it goes as fast as before. The hour of
   * web acceleration is exact, and goes on.
   */
  overloaded(api: Api, sentAt: number, is: Likelihood): void;
  /**
   * Cloud requests a second that go now, at most: the limit, or less while the service has too much to do; none while it
   * wants none.
   */
  rate(): number;
  /**
   * The rolling hour of web acceleration. Keep `used` with the time of the record to restore it after a restart; from
   * `reads` used requests on only changes may go, and from `changes` on only certificates; the last `kept` of each part are for
   * parties that had fewer than are left (absent: none). Epoch milliseconds: `resetsAt` is when the oldest counted request
   * leaves the window, and `closedUntil` until when the service wants no requests.
   */
  budget(): {
    used: number;
    limit: number;
    reads: number;
    changes: number;
    kept?: number;
    resetsAt?: number;
    closedUntil?: number;
  };
  /** What the hour has for a request of a lane and a party. */
  hourFor(lane: Lane, party: string | undefined): HourFor;
  /**
   * The budget to put on record, with the requests that may follow it. Where a record is wanted these are new ones; they
   * may go once `confirm` was called, which is when it is stored.
   */
  record(): BudgetRecord & ReturnType<Limiter['budget']> & { readonly wanted: boolean; confirm(): void };
  /** Counts what another process recorded, as far as more, or later, than is known of here. */
  restore(record: RestoredBudget): void;
  /** Counts requests that another process may send until then; epoch milliseconds, in the future for an hour at most. */
  allot(requests: number, until: number): void;
  /** What is on record is gone, and covers no more requests. */
  forgetRecord(): void;
  /** Nobody's requests go from now on: whoever waits, or asks later, gets this error. */
  end(error: unknown): void;
  /** Requests go again. */
  resume(): void;
  setLimits(limits: Limits): void;
  /** Those that hold now. */
  limits(): Limits;
  /** Until when the service wants none of an API; epoch milliseconds. */
  closedUntil(api: Api): number | undefined;
  /** Web acceleration was found to be closed until then, at the latest: epoch milliseconds. */
  restoreClosing(until: number): void;
  /** How many web acceleration requests a party had in the last hour, as far as this process knows. */
  had(party: string): number;
  /** What who waits for requests of a lane has to expect. */
  outlook(api: Api, lane: Lane): Outlook;
  /** How many requests wait, by API and lane. */
  waiting(): Record<Api, Record<Lane, number>>;
  /** How many requests this process has sent, by API and lane. */
  sent(): Record<Api, Readonly<Record<Lane, number>>>;
}

/** When requests go, as far as that is known. */
export interface Outlook {
  /** Until when the service wants none; epoch milliseconds. */
  readonly closedUntil: number | undefined;
  /** Fewer go than the limits allow, because the service had too much to do. */
  readonly isSlowed: boolean;
  /** Whether what is left of the hour is kept for parties that had less of it than this one. */
  isKept(party: string): boolean;
  /** Seconds until so many requests more of this party will have gone, at the earliest, with nobody else asking. */
  secondsFor(requests: number, party?: string): number;
}

/** The rolling hour of web acceleration, as it is for requests of one lane and party. */
export interface HourFor {
  readonly used: number;
  readonly limit: number;
  /** From so many used ones on none of these goes. */
  readonly most: number;
  /** The same of reads. */
  readonly reads: number;
  /** For whom the rest is kept. */
  readonly rest: RestOfHour;
  /** When the next may go, where none may now, with nobody else asking; epoch milliseconds. */
  readonly opensAt?: number;
  /** Until when the service wants none; epoch milliseconds. */
  readonly closedUntil?: number;
}

/** Requests sent in the last hour, and how many more may be sent before there is another record. */
interface BudgetRecord {
  readonly used: number;
  readonly reserved: number;
  readonly sent: SentByAge;
}

/** When requests were sent, to five minutes. */
export interface SentByAge {
  /** How many in the five minutes that have just begun, and in each five minutes before them, the last first. */
  readonly counts: readonly number[];
  /** When those have begun: so many milliseconds before. */
  readonly latest: number;
}

/** A record as found after a restart. */
export interface RestoredBudget {
  readonly used: number;
  readonly reserved?: number;
  /** When those used were sent; absent: all count as sent when it was made. */
  readonly sent?: SentByAge;
  /** When it was made, at the latest: epoch milliseconds. */
  readonly at: number;
}

const HOUR_MILLISECONDS = 3_600_000;
/** A closing that is shorter is no news. */
export const MOMENT_MILLISECONDS = 5000;

/** A request that was granted is written, or given up, within so long; a little more than a request's time. Milliseconds. */
export const LONGEST_UNSENT_MILLISECONDS = 60_000;

/**
 * One per account (base URL and access token). `restored` is a budget recorded by an earlier process: all it had sent
 * counts as sent as late as the record allows, and all it might have sent as late as it could have, so a crash loop cannot
 * burn the hour. With `onRecordWanted`, web acceleration requests go only as far as a stored record covers them.
 */
export function createLimiter(options: {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly restored?: RestoredBudget;
  readonly onRecordWanted?: () => void;
  /** Told when the service wants none of an API for longer than a moment. */
  readonly onClosed?: () => void;
}): Limiter {
  const { clock, restored, onRecordWanted, onClosed } = options;
  let { limits } = options;
  const reservation = onRecordWanted && createReservation(onRecordWanted);
  const webAccel = hourRule(limits, clock.monotonic(), reservation);
  const cloud = rateRule(limits, clock.monotonic());
  if (restored) restore(restored);
  let ended: { readonly error: unknown } | undefined;
  const rules = { cloud, webaccel: webAccel };
  const gates: Record<Api, Gate> = { cloud: createGate(clock, cloud), webaccel: createGate(clock, webAccel) };

  function restore({
    used,
    reserved = 0,
    sent: { counts, latest } = { counts: [used], latest: 0 },
    at,
  }: RestoredBudget): void {
    // A record from the future means the wall clock went back: the spending is then as recent as it can be.
    const age = Math.max(0, clock.now() - at);
    const now = clock.monotonic();
    // In the future, where that may be: some of them another process may still send.
    webAccel.restore(reserved, now - age + RESERVATION_VALID_MILLISECONDS + LONGEST_UNSENT_MILLISECONDS);
    // What no part has, as where the sum is more than counts, is as late as can be.
    let sent = reserved + Math.max(0, Math.ceil(used) - counts.reduce((sum, count) => sum + count, 0));
    const begun = now - age - latest;
    for (const [part, count] of counts.entries()) {
      sent += count;
      webAccel.restore(sent, part === 0 ? now - age : begun - (part - 1) * PART_MILLISECONDS);
    }
    if (counts.length > 1) webAccel.beginPart(begun);
  }

  const wall = (monotonic: number) => Math.ceil(clock.now() + monotonic - clock.monotonic());

  /** Until when each API was closed, as it was told last. */
  const closings: Partial<Record<Api, number>> = {};

  function closedUntilOf(api: Api): number | undefined {
    const until = gates[api].closedUntil();
    if (until === undefined) return undefined;
    // Two clocks differ by a little each time they are read, and what is told of it shall not.
    const told = closings[api];
    const isSame = told !== undefined && Math.abs(told - wall(until)) < 1000;
    closings[api] = isSame ? told : wall(until);
    return closings[api];
  }

  function close(api: Api, seconds: number | undefined): void {
    gates[api].close(seconds);
    if ((gates[api].closedUntil() ?? 0) - clock.monotonic() >= MOMENT_MILLISECONDS) onClosed?.();
  }

  function budget(): ReturnType<Limiter['budget']> {
    const { used, expiresAt } = webAccel.spent(clock.monotonic());
    const closedUntil = closedUntilOf('webaccel');
    const kept = webAccel.kept();
    return {
      used,
      limit: limits.webAccelRequestsPerHour,
      reads: webAccel.readCap(),
      changes: webAccel.changeCap(),
      ...(kept > 0 && { kept }),
      ...(expiresAt !== undefined && { resetsAt: wall(expiresAt) }),
      ...(closedUntil !== undefined && { closedUntil }),
    };
  }

  /** How many of those that wait the hour has room for: what nobody may have who waits need not be on record. */
  function waitingWithRoom(used: number, now: number): number {
    const roomFor = (of: Lane, isOf: (lane: Lane) => boolean) =>
      [...gates.webaccel.waitingOf(isOf)].reduce(
        (sum, [party, waiting]) => sum + Math.max(0, Math.min(waiting, webAccel.cap(of, now, party).most - used)),
        0,
      );
    const isUpload = (lane: Lane) => lane === 'upload';
    // All reads together have no more room than what is left of their part, and neither have they with the changes.
    const reads = Math.min(roomFor('list', isRead), Math.max(0, webAccel.readCap() - used));
    const changes = reads + roomFor('write', (lane) => !isRead(lane) && !isUpload(lane));
    return Math.min(changes, Math.max(0, webAccel.changeCap() - used)) + roomFor('upload', isUpload);
  }

  /**
   * What is wanted on record. A process that is killed leaves it counted as sent: so nothing is asked for in advance of what is
   * kept for changes, and little at a time of what is kept for certificates.
   */
  function wantedOf(hour: ReturnType<Limiter['budget']>, now: number): Parameters<Reservation['offer']>[1] {
    const { used, limit, reads, changes } = hour;
    const waiting = waitingWithRoom(used, now);
    const spare = Math.max(0, Math.min(SPARE_REQUESTS, reads - used - waiting));
    return { waiting, spare, room: used < changes ? changes - used : Math.min(SPARE_REQUESTS, limit - used) };
  }

  return {
    restore,
    allot(requests, until) {
      const now = clock.monotonic();
      webAccel.allot(requests, Math.min(now + until - clock.now(), now + HOUR_MILLISECONDS), now);
    },
    forgetRecord: () => reservation?.forget(),
    record() {
      const now = clock.monotonic();
      const wanted = reservation?.isShort() ?? false;
      const hour = budget();
      const offer = wanted ? reservation?.offer(now, wantedOf(hour, now)) : undefined;
      // After a crash they count as late as they may be sent, as those do that may follow.
      const allotted = webAccel.allotted(now);
      const {
        counts: [last = 0, ...earlier],
        latest,
      } = webAccel.byAge(now);
      return {
        ...hour,
        used: hour.used - allotted,
        sent: { counts: [last - allotted, ...earlier], latest },
        // One that was granted goes even if its record has become too old meanwhile.
        reserved: allotted + Math.max(offer?.reserved ?? reservation?.remaining(now) ?? 0, webAccel.unsent()),
        wanted,
        confirm() {
          offer?.confirm();
          gates.webaccel.pump();
        },
      };
    },
    acquire: (api, lane, signal, turn, party) =>
      ended ? Promise.reject(ended.error) : gates[api].acquire(lane, signal, turn, party),
    acquireNow: (api, lane, party) => (ended ? undefined : gates[api].acquireNow(lane, party)),
    end(error) {
      ended = { error };
      for (const gate of Object.values(gates)) gate.dismiss(error);
    },
    resume() {
      ended = undefined;
    },
    throttled: (api, retryAfterSeconds) => close(api, retryAfterSeconds),
    closedUntil: closedUntilOf,
    restoreClosing(until) {
      const seconds = (until - clock.now()) / 1000;
      if (seconds > 0) close('webaccel', seconds);
    },
    overloaded(api, sentAt, is) {
      if (api !== 'cloud') return;
      const now = clock.monotonic();
      if (is !== 'hardly') return cloud.slowDown(sentAt, gates.cloud.closedUntil() ?? now, now, is === 'surely');
      cloud.absolve(now);
      gates.cloud.pump();
    },
    rate: () => (gates.cloud.closedUntil() === undefined ? cloud.rate(clock.monotonic()) : 0),
    budget,
    limits: () => limits,
    hourFor(lane, party) {
      const now = clock.monotonic();
      const { used, limit, reads, closedUntil } = budget();
      const { most, rest } = webAccel.cap(lane, now, party);
      const opensAt = () => wall(webAccel.forecast(lane, gates.webaccel.closedUntil() ?? now, now)(1, party));
      return {
        used,
        limit,
        most,
        reads,
        rest,
        ...(used >= most && { opensAt: opensAt() }),
        ...(closedUntil !== undefined && { closedUntil }),
      };
    },
    had: (party) => webAccel.had(party, clock.monotonic()),
    outlook(api, lane) {
      const now = clock.monotonic();
      const forecast = rules[api].forecast(lane, gates[api].closedUntil() ?? now, now);
      return {
        closedUntil: closedUntilOf(api),
        isSlowed: api === 'cloud' && cloud.rate(now) < limits.cloudRequestsPerSecond,
        isKept(party) {
          const { used } = webAccel.spent(now);
          const isLeft = api === 'webaccel' && used < limits.webAccelRequestsPerHour;
          const { most, rest } = webAccel.cap(lane, now, party);
          return isLeft && rest === 'others' && used >= most;
        },
        secondsFor: (requests, party) => (forecast(requests, party) - now) / 1000,
      };
    },
    setLimits(changed) {
      limits = changed;
      webAccel.setLimits(changed);
      cloud.setLimits(changed, clock.monotonic());
      for (const gate of Object.values(gates)) gate.pump();
    },
    sent: () => ({ cloud: gates.cloud.sent(), webaccel: gates.webaccel.sent() }),
    waiting: () => ({ cloud: gates.cloud.waiting(), webaccel: gates.webaccel.waiting() }),
  };
}
