import type { Clock } from '../clock.ts';
import { after } from './after.ts';
import { type Lane, lanes } from './lanes.ts';
import { createWaitingLine, type Place, type WaitingLine } from './waiting-line.ts';

/** Leave to send one request. `release` when its answer is read or it failed; more than once is harmless. */
export interface Permit {
  release(): void;
}

/** When requests may go. Times are monotonic milliseconds. */
export interface GateRule {
  /** The time from which a request of this lane may go; Infinity: only after another one is released. */
  openAt(lane: Lane, now: number): number;
  granted(now: number): void;
  released(now: number): void;
  /** How long the gate closes when the service throttles without saying for how long: doubled each time in a row. */
  readonly throttledSeconds: { readonly first: number; readonly longest: number };
  /** Every so many grants one goes to a lower lane, so that a long run of writes does not blind the polls; 0 for never. */
  readonly lowerLaneShare: number;
}

export interface Gate {
  acquire(lane: Lane, signal?: AbortSignal): Promise<Permit>;
  close(seconds?: number): void;
  /** Lets through whoever may go now; called when the rule changed. */
  pump(): void;
  waiting(): Record<Lane, number>;
}

interface Waiter {
  admit(): void;
}

/** How long after it opened again a gate forgets earlier throttling. */
const forgetMilliseconds = 60_000;

/** Lanes of waiters in front of a rule; within a lane first come, first served. */
export function createGate(clock: Clock, rule: GateRule): Gate {
  const lines = new Map<Lane, WaitingLine<Waiter>>(lanes.map((lane) => [lane, createWaitingLine()]));
  let grants = 0;
  let closedUntil = Number.NEGATIVE_INFINITY;
  let closings = 0;
  let alarm: { at: number; cancel: () => void } | undefined;

  const length = (lane: Lane) => lines.get(lane)?.length ?? 0;

  /** The lanes with waiters, in the order in which they are asked this time. */
  function order(): Lane[] {
    const busy = lanes.filter((lane) => length(lane) > 0);
    if (rule.lowerLaneShare > 0 && (grants + 1) % rule.lowerLaneShare === 0) {
      const [top, ...lower] = busy;
      if (top && lower.length > 0) return [...lower, top];
    }
    return busy;
  }

  function permit(): Permit {
    grants++;
    rule.granted(clock.monotonic());
    let released = false;
    return {
      release() {
        if (released) return;
        released = true;
        rule.released(clock.monotonic());
        pump();
      },
    };
  }

  function pump(): void {
    for (;;) {
      const busy = order();
      if (busy.length === 0) return silence();
      const now = clock.monotonic();
      if (now < closedUntil) return wakeAt(closedUntil);
      let earliest = Number.POSITIVE_INFINITY;
      const open = busy.find((lane) => {
        const at = rule.openAt(lane, now);
        earliest = Math.min(earliest, at);
        return at <= now;
      });
      if (open === undefined) return wakeAt(earliest);
      lines.get(open)?.shift()?.admit();
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
    alarm = { at, cancel: after(clock, Math.max(1, at - clock.monotonic()), wake) };
  }

  return {
    acquire(lane, signal) {
      if (signal?.aborted) return Promise.reject(signal.reason);
      const now = clock.monotonic();
      if (lanes.every((other) => length(other) === 0) && now >= closedUntil && rule.openAt(lane, now) <= now) {
        return Promise.resolve(permit());
      }
      return new Promise((resolve, reject) => {
        let place: Place<Waiter> | undefined;
        const abort = () => {
          place?.leave();
          reject(signal?.reason);
        };
        const waiter: Waiter = {
          admit() {
            signal?.removeEventListener('abort', abort);
            resolve(permit());
          },
        };
        place = lines.get(lane)?.join(waiter);
        signal?.addEventListener('abort', abort, { once: true });
        pump();
      });
    },
    close(seconds) {
      const now = clock.monotonic();
      // Answers to requests sent before the gate closed tell nothing new.
      if (now >= closedUntil) closings = now - closedUntil > forgetMilliseconds ? 0 : closings + 1;
      const { first, longest } = rule.throttledSeconds;
      const closed = Math.min(Math.max(1, seconds ?? Math.min(longest, first * 2 ** closings)), 3600);
      closedUntil = Math.max(closedUntil, now + closed * 1000);
      pump();
    },
    pump,
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
