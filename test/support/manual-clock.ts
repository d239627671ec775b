import type { Clock } from '../../src/clock.ts';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/**
 * A clock that moves only when told: `advance` wakes sleepers in the order of their times, letting promises settle
 * between any two, so whole days pass in milliseconds.
 */
export class ManualClock implements Clock {
  #time: number;
  readonly #epoch: number;
  #sleepers: Sleeper[] = [];

  constructor(epoch = Date.UTC(2026, 0, 1)) {
    this.#epoch = epoch;
    this.#time = 0;
  }

  now(): number {
    return this.#epoch + this.#time;
  }

  monotonic(): number {
    return this.#time;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const sleeper: Sleeper = {
        at: this.#time + Math.max(0, milliseconds),
        wake: () => {
          signal?.removeEventListener('abort', abort);
          resolve();
        },
      };
      const abort = () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#sleepers.push(sleeper);
    });
  }

  after(milliseconds: number, action: () => void): () => void {
    const sleeper: Sleeper = { at: this.#time + Math.max(0, milliseconds), wake: action };
    this.#sleepers.push(sleeper);
    return () => {
      this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
    };
  }

  /** How many sleepers are waiting. */
  get sleeping(): number {
    return this.#sleepers.length;
  }

  /** Moves time on, waking whoever is due on the way. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#time + milliseconds;
    await settle();
    for (;;) {
      const next = this.#sleepers.filter((sleeper) => sleeper.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#sleepers = this.#sleepers.filter((sleeper) => sleeper !== next);
      this.#time = Math.max(this.#time, next.at);
      next.wake();
      await settle();
    }
    this.#time = end;
    await settle();
  }
}

/** Lets every promise that can settle do so. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}
