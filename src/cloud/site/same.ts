import { isDeepStrictEqual } from 'node:util';
import type { Site } from './types.ts';

/** Whether two observations of a site are the same to a reconciler: all but what visitors fetched, which moves all the time. */
export function sameSite(a: Site, b: Site): boolean {
  return isDeepStrictEqual({ ...a, sentLastWeekGiB: undefined }, { ...b, sentLastWeekGiB: undefined });
}
