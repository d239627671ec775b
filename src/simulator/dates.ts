const hour = 3_600_000;
const earliest = Date.UTC(1970, 0, 2);
const latest = Date.UTC(9000, 0, 1);

/** For messages: between which moments the simulated time may be. */
export const momentRange = 'from 1970-01-02 to 9000-01-01';

/** Is it a moment that can be written with four digits of the year, whatever the offset and however long the clock runs on? */
export function isMoment(milliseconds: number): boolean {
  return milliseconds >= earliest && milliseconds <= latest;
}

/** `2026-01-01T09:00:00+09:00`, as the cloud's resources write it. */
export function cloudDate(milliseconds: number): string {
  return `${new Date(milliseconds + 9 * hour).toISOString().slice(0, 19)}+09:00`;
}

/** `2026-01-01T00:00:00+00:00`, as SIM status and session logs write it. */
export function simDate(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}+00:00`;
}

/** The first moment of the calendar month, in the service's own time zone (+09:00), that `now` lies in. */
export function monthStart(now: number): number {
  const local = new Date(now + 9 * hour);
  return Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), 1) - 9 * hour;
}

/** Year and month, 1 to 12, in the service's own time zone. */
export function yearAndMonth(now: number): { year: number; month: number } {
  const local = new Date(now + 9 * hour);
  return { year: local.getUTCFullYear(), month: local.getUTCMonth() + 1 };
}

/** The span of a month in milliseconds since the epoch: from its first moment to that of the next. */
export function monthSpan(year: number, month: number): { start: number; end: number } {
  return { start: Date.UTC(year, month - 1, 1) - 9 * hour, end: Date.UTC(year, month, 1) - 9 * hour };
}
