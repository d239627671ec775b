import type { Clock } from '../clock.ts';

/** The clock the simulated service lives by: the given clock, moved by an offset. */
export interface SimulatedClock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Moves by so many milliseconds; back too. */
  advance(milliseconds: number): void;
  /** The offset to the given clock, in milliseconds. */
  offset(): number;
  setOffset(milliseconds: number): void;
}

export function createSimulatedClock(base: Pick<Clock, 'now'>): SimulatedClock {
  let offset = 0;
  return {
    now: () => base.now() + offset,
    advance(milliseconds) {
      offset += milliseconds;
    },
    offset: () => offset,
    setOffset(milliseconds) {
      offset = milliseconds;
    },
  };
}
