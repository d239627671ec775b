import type { Clock } from '../clock.ts';
import type { Step } from './plan.ts';
import type { AccountSession } from './session.ts';

/** Another service has something else under the same ID: whoever runs it delays nothing here. */
type Service = Pick<AccountSession, 'service'>;

/**
 * Until when writes of what the service never shows may still arrive, by what they are of: whichever resource sent one, the
 * next would be replaced by it, and nobody would see that.
 */
export interface UnseenWrites {
  /** One to what has this ID there may arrive until then. Monotonic milliseconds. */
  note(at: Service, id: string, until: number): void;
  /** Until when; undefined: none may. */
  until(at: Service, id: string | undefined): number | undefined;
}

export function createUnseenWrites(clock: Pick<Clock, 'monotonic'>): UnseenWrites {
  const all = new Map<string, number>();
  const keyOf = ({ service }: Service, id: string) => `${service} ${id}`;
  return {
    note(at, id, until) {
      for (const [other, end] of all) if (end <= clock.monotonic()) all.delete(other);
      const key = keyOf(at, id);
      all.set(key, Math.max(until, all.get(key) ?? until));
    },
    until: (at, id) => (id === undefined ? undefined : all.get(keyOf(at, id))),
  };
}

/** Whether a step is about a field that the service never shows. Pure. */
export function isHidden(
  { hidden = [] }: { readonly hidden?: readonly string[] | undefined },
  { fields = [] }: Step,
): boolean {
  return fields.some((field) => hidden.includes(field));
}
