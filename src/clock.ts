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
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', abort);
        resolve();
      }, milliseconds);
      timer.unref();
      signal?.addEventListener('abort', abort, { once: true });
    });
  },
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/**
 * The reason to abort with what is no longer wanted, and whose end nobody looks at. An abort without a reason makes an
 * exception with a stack each time, which for every timer of every request is a part of the whole.
 */
export const NO_LONGER_WANTED = new Error('no longer wanted');
