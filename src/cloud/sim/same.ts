import type { SimItem } from './types.ts';

/**
 * Whether two observations of a SIM are the same to a reconciler: all but traffic, which moves all the time and is
 * looked at by the clock instead.
 */
export function sameSim(a: SimItem, b: SimItem): boolean {
  const { traffic: _a, ...statusA } = a.status ?? {};
  const { traffic: _b, ...statusB } = b.status ?? {};
  return JSON.stringify([a, statusA], withoutStatus) === JSON.stringify([b, statusB], withoutStatus);
}

function withoutStatus(key: string, value: unknown): unknown {
  return key === 'status' ? undefined : value;
}
