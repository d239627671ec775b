import { isDeepStrictEqual } from 'node:util';
import type { SimItem } from './types.ts';

/**
 * Whether two observations of a SIM are the same to a reconciler: all but traffic, which moves all the time and is
 * looked at by the clock instead.
 */
export function sameSim(a: SimItem, b: SimItem): boolean {
  return isDeepStrictEqual(withoutTraffic(a), withoutTraffic(b));
}

function withoutTraffic({ status, ...item }: SimItem): [item: object, status: object] {
  const { traffic: _, ...rest } = status ?? {};
  return [item, rest];
}
