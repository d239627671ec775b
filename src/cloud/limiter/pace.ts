/**
 * How many requests a second the service is thought to bear, below what the account's limits allow: halved each time it has
 * too much to do, then raised quickly to a little below where that was, and beyond it slowly at first and ever faster. So
 * nobody has to know the number, and what passes is forgotten within seven minutes.
 */
export interface Pace {
  /** Requests a second until `since`; from then on it rises. */
  readonly rate: number;
  /** Monotonic milliseconds. */
  readonly since: number;
  /** The rate at which the service had too much to do. */
  readonly refused: number;
}

/** It does not fall below one request a minute: what waits would wait for good. */
const LEAST_RATE = 1 / 60;
/** Raised at once as far as this part of the rate that was too much. */
const SAFE_SHARE = 0.9;
/** From nothing to the limit, as long as the rate is a safe one. */
const QUICK_MILLISECONDS = 100_000;
/** From a safe rate to the limit, at the latest. */
const PROBING_MILLISECONDS = 300_000;

/** Requests a second at a time; `undefined` is a service that never had too much to do. Pure. */
export function rateAt(pace: Pace | undefined, limit: number, now: number): number {
  if (pace === undefined) return limit;
  const elapsed = Math.max(0, now - pace.since);
  const safe = Math.min(limit, pace.refused * SAFE_SHARE);
  const quick = (Math.max(0, safe - pace.rate) / limit) * QUICK_MILLISECONDS;
  if (elapsed < quick) return Math.min(limit, pace.rate + (limit * elapsed) / QUICK_MILLISECONDS);
  const probed = limit * ((elapsed - quick) / PROBING_MILLISECONDS) ** 2;
  return Math.min(limit, Math.max(safe, pace.rate) + probed);
}

/** The pace after the service said that it has too much to do, where nothing goes before `from`. Pure. */
export function slowed(pace: Pace | undefined, limit: number, now: number, from: number): Pace {
  const refused = rateAt(pace, limit, now);
  return { rate: Math.max(LEAST_RATE, refused / 2), since: from, refused };
}
