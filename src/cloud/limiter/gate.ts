import { backoffDelay } from '../../backoff.ts';
import type { Clock } from '../../clock.ts';
import type { GateRule } from './gate-rule.ts';
import type { Lane, Turn } from './lanes.ts';
import { createShares } from './shares.ts';
import { createRanks, isShared, isWrite, nextTurn, OWN, orderOf, rankOf, served } from './turns.ts';

/**
 * Since this request was let go the service has asked for none, or what covered it is no longer on record. It was not sent: it
 * has to wait for its turn again.
 */
export class ClosedMeanwhileError extends Error {}

/** Leave to send one request. */
export interface Permit {
  /**
   * Call right before the request is written; more than once is harmless. Without it nothing counts as sent. `tells`: whether
   * what becomes of it says something of the service; absent: yes.
   * @throws ClosedMeanwhileError
   */
  sent(tells?: boolean): void;
  /**
   * Call when the answer is read or the request failed; more than once is harmless. `isAnswered`: what got no answer may still
   * arrive; absent: it was.
   */
  release(isAnswered?: boolean): void;
}

export interface Gate {
  /** `party`: whose it is; what has none is the account's own. */
  acquire(lane: Lane, signal?: AbortSignal, turn?: Turn, party?: string): Promise<Permit>;
  /** The same where nobody has to wait; else undefined. */
  acquireNow(lane: Lane, party?: string): Permit | undefined;
  close(seconds?: number): void;
  /** Until when nobody goes, in monotonic milliseconds; undefined when it is open. */
  closedUntil(): number | undefined;
  /** Lets through whoever may go now; called when the rule changed. */
  pump(): void;
  /** Whoever waits gets this error. */
  dismiss(error: unknown): void;
  waiting(): Record<Lane, number>;
  /** How many of each party wait in these lanes. */
  waitingOf(isOf: (lane: Lane) => boolean): ReadonlyMap<string, number>;
  /** How many requests of each lane were written so far. */
  sent(): Readonly<Record<Lane, number>>;
}

interface Waiter {
  /** Monotonic milliseconds. */
  readonly since: number;
  admit(): void;
  dismiss(error: unknown): void;
}

/** How long after it opened again a gate forgets earlier throttling. */
const FORGET_MILLISECONDS = 60_000;

/**
 * Waiters in front of a rule, in ranks; within a rank whose work began first, and then who came first. Parties that have had
 * more than an equal part of late come after those that have not, whatever they wait for: one that has thousands of changes
 * to make leaves the others theirs.
 */
export function createGate(clock: Clock, rule: GateRule): Gate {
  const ranks = createRanks<Waiter>();
  const shares = createShares(
    () => clock.monotonic(),
    () => rule.shareMilliseconds(clock.monotonic()),
  );
  let grants = 0;
  let last: Lane | undefined;
  /** How many of each were sent since something else went in place of one. */
  let sentSince = { upload: 0, write: 0 };
  let closedUntil = Number.NEGATIVE_INFINITY;
  let closings = 0;
  let alarm: { at: number; cancel: () => void } | undefined;

  const length = (of: Lane) => ranks.reduce((sum, { lane, lines }) => sum + (lane === of ? lines.length : 0), 0);

  const written: Record<Lane, number> = { upload: 0, write: 0, verify: 0, list: 0, audit: 0, usage: 0 };

  function permit(lane: Lane, party: string): Permit {
    grants++;
    last = lane;
    if (isShared(lane, party)) shares.add(party);
    rule.granted(clock.monotonic());
    let sent = false;
    let released = false;
    return {
      sent(tells = true) {
        if (sent || released) return;
        if (clock.monotonic() < closedUntil) throw new ClosedMeanwhileError('closed while it was let go');
        if (!rule.isStillCovered()) throw new ClosedMeanwhileError('what covered it is not on record any more');
        sent = true;
        written[lane]++;
        if (isWrite(lane)) sentSince[lane]++;
        rule.sent(clock.monotonic(), { lane, tells, party: isShared(lane, party) ? party : undefined });
        pump();
      },
      release(isAnswered = true) {
        if (released) return;
        released = true;
        rule.released(clock.monotonic(), { wasSent: sent, isAnswered });
        pump();
      },
    };
  }

  const isIdle = () => ranks.every(({ lines }) => lines.length === 0);

  function acquireNow(lane: Lane, party = OWN): Permit | undefined {
    const now = clock.monotonic();
    const mayGo =
      isIdle() && now >= closedUntil && !rule.refusal(now)?.of(party, lane) && rule.openAt(lane, now) <= now;
    const isFree = mayGo && rule.isCovered(now);
    return isFree ? permit(lane, party) : undefined;
  }

  function pump(): void {
    for (;;) {
      if (isIdle()) return silence();
      const now = clock.monotonic();
      if (now < closedUntil) return wakeAt(closedUntil);
      let earliest = Number.POSITIVE_INFINITY;
      const refusal = rule.refusal(now);
      if (refusal) earliest = refusal.until;
      const isOpen = (lane: Lane) => {
        const at = rule.openAt(lane, now);
        if (at > now) earliest = Math.min(earliest, at);
        return at <= now;
      };
      const isCovered = () => rule.isCovered(now);
      const next = nextTurn(ranks, { rule, grants, last, sentSince, shares, refusal, isOpen, isCovered });
      if (next === undefined) return wakeAt(earliest);
      if (next.inPlaceOf) sentSince = { upload: 0, write: 0 };
      const waiter = next.rank.lines.shift(next.party);
      served(next.rank, next.party, now);
      waiter?.admit();
    }
  }

  function silence(): void {
    alarm?.cancel();
    alarm = undefined;
  }

  function wakeAt(at: number): void {
    if (alarm?.at === at) return;
    silence();
    if (at === Number.POSITIVE_INFINITY) return;
    const wake = () => {
      alarm = undefined;
      pump();
    };
    // At least a millisecond, for a timer that fires a little early would otherwise spin.
    alarm = { at, cancel: clock.after(Math.max(1, at - clock.monotonic()), wake) };
  }

  return {
    acquireNow,
    acquire(lane, signal, turn, party = OWN) {
      if (signal?.aborted) return Promise.reject(signal.reason);
      const granted = acquireNow(lane, party);
      if (granted) return Promise.resolve(granted);
      return new Promise((resolve, reject) => {
        let place: { leave(): void } | undefined;
        const abort = () => {
          place?.leave();
          reject(signal?.reason);
        };
        const waiter: Waiter = {
          since: clock.monotonic(),
          admit() {
            signal?.removeEventListener('abort', abort);
            resolve(permit(lane, party));
          },
          dismiss(error) {
            signal?.removeEventListener('abort', abort);
            reject(error);
          },
        };
        place = ranks[rankOf(lane, turn)]?.lines.join(party, waiter, orderOf(lane, turn));
        signal?.addEventListener('abort', abort, { once: true });
        pump();
      });
    },
    close(seconds) {
      const now = clock.monotonic();
      // Answers to requests sent before the gate closed tell nothing new.
      if (now >= closedUntil) closings = now - closedUntil > FORGET_MILLISECONDS ? 0 : closings + 1;
      const { first, longest, asked } = rule.throttledSeconds;
      // "At once" of a service that has just refused is no time to come back at.
      const closed = seconds ? Math.min(Math.max(1, seconds), asked) : backoffDelay(first, closings, longest);
      closedUntil = Math.max(closedUntil, now + closed * 1000);
      pump();
    },
    closedUntil: () => (closedUntil > clock.monotonic() ? closedUntil : undefined),
    pump,
    dismiss(error) {
      for (const { lines } of ranks) for (const waiter of lines.takeAll()) waiter.dismiss(error);
      silence();
    },
    sent: () => written,
    waitingOf(isOf) {
      const counts = new Map<string, number>();
      for (const { lane, lines } of ranks) {
        if (!isOf(lane)) continue;
        for (const [party, count] of lines.lengths()) counts.set(party, (counts.get(party) ?? 0) + count);
      }
      return counts;
    },
    waiting: () => ({
      upload: length('upload'),
      write: length('write'),
      verify: length('verify'),
      list: length('list'),
      audit: length('audit'),
      usage: length('usage'),
    }),
  };
}
