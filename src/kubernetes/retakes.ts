import { backoffDelay } from '../backoff.ts';
import type { Clock } from '../clock.ts';

/** What is lost a second time is had again after this long, twice as long each time. Milliseconds. */
const FIRST_MILLISECONDS = 1000;
/** But not after longer than this. Milliseconds. */
const LONGEST_MILLISECONDS = 5 * 60_000;
/** What was not lost for so long is as if it never was. Milliseconds. */
const CALM_MILLISECONDS = 15 * 60_000;

/** When what was lost may be taken back: whoever takes it away again and again must not have us begin anew each time. */
export function createRetakes(clock: Pick<Clock, 'monotonic'>) {
  /** What was lost last is last. */
  const losses = new Map<string, { readonly times: number; readonly at: number }>();
  return {
    lost(what: string): void {
      const at = clock.monotonic();
      for (const [other, loss] of losses) {
        if (at - loss.at <= CALM_MILLISECONDS) break;
        losses.delete(other);
      }
      const times = (losses.get(what)?.times ?? 0) + 1;
      losses.delete(what);
      losses.set(what, { times, at });
    },
    /** Monotonic milliseconds; the first time it is at once. */
    mayFrom(what: string): number {
      const { times, at } = losses.get(what) ?? { times: 0, at: Number.NEGATIVE_INFINITY };
      return times < 2 ? at : at + backoffDelay(FIRST_MILLISECONDS, times - 2, LONGEST_MILLISECONDS);
    },
  };
}
