import type { Clock } from '../../clock.ts';

/** Answers for a while, and no more of them than fit. */
export interface Cache<T> {
  get(key: string): T | undefined;
  set(key: string, value: T, milliseconds: number): void;
}

/** The oldest goes first when there are more than `most`. */
export function createCache<T>(most: number, clock: Pick<Clock, 'monotonic'>): Cache<T> {
  const entries = new Map<string, { readonly value: T; readonly until: number }>();
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry && entry.until > clock.monotonic()) return entry.value;
      entries.delete(key);
      return undefined;
    },
    set(key, value, milliseconds) {
      entries.delete(key);
      entries.set(key, { value, until: clock.monotonic() + milliseconds });
      const [oldest] = entries.keys();
      if (entries.size > most && oldest !== undefined) entries.delete(oldest);
    },
  };
}
