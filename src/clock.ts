import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Time as an argument. Everything that waits or compares times takes a clock, so tests move it by hand.
 */
export interface Clock {
  /** Wall-clock time, milliseconds since the Unix epoch. */
  now(): number;
  /** Monotonic time in milliseconds; only differences mean anything. */
  monotonic(): number;
  /** Resolves after `milliseconds`; rejects with the signal's reason when aborted first. Never keeps the process alive. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  async sleep(milliseconds, signal) {
    if (signal?.aborted) throw signal.reason;
    try {
      await sleep(milliseconds, undefined, signal ? { signal, ref: false } : { ref: false });
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    }
  },
};
