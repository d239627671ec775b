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
  /** Calls `action` after `milliseconds`, unless the returned function is called before. Never keeps the process alive. */
  after(milliseconds: number, action: () => void): () => void;
}

/** Timers count in 31 bits: one that is longer ends at once. Milliseconds. */
const MOST_MILLISECONDS = 2 ** 31 - 1;

/** Like `setTimeout`, but that a time too long for a timer, after 25 days, ends then. Never keeps the process alive. */
function startTimer(action: () => void, milliseconds: number): NodeJS.Timeout {
  return setTimeout(action, Math.min(milliseconds, MOST_MILLISECONDS)).unref();
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep(milliseconds, signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = startTimer(() => {
        signal?.removeEventListener('abort', abort);
        resolve();
      }, milliseconds);
      signal?.addEventListener('abort', abort, { once: true });
    });
  },
  after(milliseconds, action) {
    const timer = startTimer(action, milliseconds);
    return () => clearTimeout(timer);
  },
};

/**
 * The reason to abort with what is no longer wanted, and whose end nobody looks at. An abort without a reason makes an
 * exception with a stack each time, which for every timer of every request is a part of the whole.
 */
export const NO_LONGER_WANTED = new Error('no longer wanted');
