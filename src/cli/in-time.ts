/**
 * Compares two RFC 3339 times, the older first, to the microsecond that `Date` does not keep: an Event of one millisecond
 * may follow another. What is no time stays where it is. Pure.
 */
export function inTime(one: string | undefined, other: string | undefined): number {
  const apart = Date.parse(one ?? '') - Date.parse(other ?? '');
  return apart === 0 ? microsecondsOf(one) - microsecondsOf(other) : apart || 0;
}

/** Of the millisecond that it is in. */
function microsecondsOf(time: string | undefined): number {
  return Number(/\.\d{3}(\d{1,3})/.exec(time ?? '')?.[1]?.padEnd(3, '0') ?? 0);
}
