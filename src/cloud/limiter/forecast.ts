import { type Pace, rateAt } from './pace.ts';

/**
 * When the last of so many requests more, of this party, will have gone, at the earliest, with nobody else asking. Monotonic
 * milliseconds.
 */
export type Forecast = (requests: number, party?: string) => number;

const SECOND_MILLISECONDS = 1000;
/** By then each pace is back at any limit. Seconds. */
const LONGEST_SECONDS = 600;

/** What goes from `from` on while the rate rises by itself: `sums[n]` requests within n seconds, and `limit` a second beyond. */
interface Rise {
  readonly from: number;
  readonly sums: readonly number[];
  readonly limit: number;
}

/** What a pace lets go as long as nothing is refused. Pure, and best kept: it is as long as the way back to the limit. */
export function riseOf(pace: Pace | undefined, limit: number): Rise {
  const from = pace?.since ?? 0;
  const sums = [0];
  for (let second = 0; second < LONGEST_SECONDS; second++) {
    const rate = rateAt(pace, limit, from + second * SECOND_MILLISECONDS);
    if (rate >= limit) break;
    const next = rateAt(pace, limit, from + (second + 1) * SECOND_MILLISECONDS);
    sums.push((sums[second] ?? 0) + (rate + next) / 2);
  }
  return { from, sums, limit };
}

/** Where `tokens` may go at once at `from`, and the rest as it rises. Pure. */
export function forecastOfRate(rise: Rise, from: number, tokens: number): Forecast {
  const before = sumAt(rise, from);
  return (requests) => (requests <= tokens ? from : timeOf(rise, before + requests - tokens));
}

function sumAt({ from, sums, limit }: Rise, time: number): number {
  const seconds = Math.max(0, time - from) / SECOND_MILLISECONDS;
  const whole = Math.min(Math.floor(seconds), sums.length - 1);
  const sum = sums[whole] ?? 0;
  const rate = whole === sums.length - 1 ? limit : (sums[whole + 1] ?? 0) - sum;
  return sum + (seconds - whole) * rate;
}

function timeOf({ from, sums, limit }: Rise, wanted: number): number {
  let low = 0;
  let high = sums.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((sums[middle] ?? 0) <= wanted) low = middle;
    else high = middle - 1;
  }
  const sum = sums[low] ?? 0;
  const rate = low === sums.length - 1 ? limit : (sums[low + 1] ?? 0) - sum;
  return from + (low + (wanted - sum) / rate) * SECOND_MILLISECONDS;
}

/** A rolling hour as it is: times are monotonic milliseconds. */
interface Hour {
  readonly milliseconds: number;
  /** How many it may hold when one of this party goes after so many others; one at least, and never more than for one before. */
  readonly cap: (before: number, party: string | undefined) => number;
  /** When each that counts leaves it, the first first. */
  readonly expiries: readonly number[];
  /** Between any two requests. Milliseconds. */
  readonly spacing: number;
}

/** Where the hour has room from `from` on, and from then on for one more with each that leaves it. Pure. */
export function forecastOfHour({ milliseconds, cap, expiries, spacing }: Hour, from: number): Forecast {
  const timeOfFirst = (nth: number, party: string | undefined) => {
    const room = Math.max(0, cap(0, party) - expiries.length);
    // So many have to leave before it.
    const leaving = expiries.length + nth - cap(nth - 1, party);
    const expiry = leaving <= 0 ? from : (expiries[leaving - 1] ?? from);
    return Math.max(from, expiry) + Math.min(nth, room + 1) * spacing;
  };
  return (requests, party) => {
    // Of an hour that holds no more: each that goes after so many goes an hour after the one so many before it.
    const least = cap(Number.POSITIVE_INFINITY, party);
    const hours = Math.floor((Math.max(1, requests) - 1) / least);
    return timeOfFirst(Math.max(1, requests) - hours * least, party) + hours * milliseconds;
  };
}
