import type { Clock } from '../clock.ts';
import type { Step } from './plan.ts';

/**
 * Until when writes that nobody answered may still arrive, by what they are of: whichever resource sent one, the next would be
 * replaced by it.
 */
export interface UnansweredWrites {
  /** One to what has this ID may arrive until then. Monotonic milliseconds. */
  note(id: string, until: number): void;
  /** Until when; undefined: none may. */
  until(id: string): number | undefined;
}

export function createUnansweredWrites(clock: Pick<Clock, 'monotonic'>): UnansweredWrites {
  const all = new Map<string, number>();
  return {
    note(id, until) {
      for (const [other, at] of all) if (at <= clock.monotonic()) all.delete(other);
      all.set(id, Math.max(until, all.get(id) ?? until));
    },
    until: (id) => all.get(id),
  };
}

/** Whether a step is about a field that the service never shows. Pure. */
export function isHidden(
  { hidden = [] }: { readonly hidden?: readonly string[] | undefined },
  { fields = [] }: Step,
): boolean {
  return fields.some((field) => hidden.includes(field));
}
