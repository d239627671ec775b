/**
 * How many requests a second the service is thought to bear, below what the account's limits allow: halved each time it has
 * too much to do, then raised quickly to a little below where that was, and beyond it slowly at first and ever faster, in
 * parts of what was found and not of the limit. So nobody has to know the number, and what passes is forgotten within seven
 * minutes.
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
/** As long as the rate is a safe one, it rises from nothing to what was too much in so long. */
const QUICK_MILLISECONDS = 50_000;
/** Beyond a safe rate, it is twice that after so long, and 2 ** 8 times that after twice as long. */
const PROBING_MILLISECONDS = 150_000;

/** Requests a second at a time; `undefined` is a service that never had too much to do. Pure. */
export function rateAt(pace: Pace | undefined, limit: number, now: number): number {
  if (pace === undefined) return limit;
  const elapsed = Math.max(0, now - pace.since);
  const quick = quickMilliseconds(pace);
  if (elapsed < quick) return Math.min(limit, pace.rate + (pace.refused * elapsed) / QUICK_MILLISECONDS);
  const probed = 2 ** (((elapsed - quick) / PROBING_MILLISECONDS) ** 3);
  return Math.min(limit, Math.max(safeRate(pace), pace.rate) * probed);
}

/** Whether the rate is one that the service bore before it had too much to do. Pure. */
export function isSafe(pace: Pace | undefined, now: number): boolean {
  return pace !== undefined && now < pace.since + quickMilliseconds(pace);
}

function safeRate({ refused }: Pace): number {
  return refused * SAFE_SHARE;
}

function quickMilliseconds(pace: Pace): number {
  return (Math.max(0, safeRate(pace) - pace.rate) / pace.refused) * QUICK_MILLISECONDS;
}

/**
 * The pace after the service said that it has too much to do, where nothing goes before `from`. `share` is how much of what
 * is sent it refuses, as far as that is known: so much less is what it bears. It does not fall below `least`. Pure.
 */
export function slowed({
  pace,
  limit,
  now,
  from,
  share = 0,
  least = 0,
}: {
  readonly pace: Pace | undefined;
  readonly limit: number;
  readonly now: number;
  readonly from: number;
  readonly share?: number | undefined;
  readonly least?: number;
}): Pace {
  const refused = Math.max(least, rateAt(pace, limit, now) * (1 - share));
  return { rate: Math.max(LEAST_RATE, least, refused / 2), since: from, refused };
}
