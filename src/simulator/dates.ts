const HOUR_MILLISECONDS = 3_600_000;
const earliest = Date.UTC(1970, 0, 2);
const latest = Date.UTC(9000, 0, 1);

/** For messages: between which moments the simulated time may be. */
export const momentRange = 'from 1970-01-02 to 9000-01-01';

/** Whether it is a moment that can be written with four digits of the year, whatever the offset and however long the clock runs on. */
export function isMoment(milliseconds: number): boolean {
  return milliseconds >= earliest && milliseconds <= latest;
}

/** `2026-01-01T09:00:00+09:00`, as the cloud's resources write it. */
export function cloudDate(milliseconds: number): string {
  return `${secondText(milliseconds + 9 * HOUR_MILLISECONDS)}+09:00`;
}

/** `2026-01-01T00:00:00+00:00`, as SIM status and session logs write it. */
export function simDate(milliseconds: number): string {
  return `${secondText(milliseconds)}+00:00`;
}

const DAY_SECONDS = 86_400;
const MOST_DAYS = 10_000;
const dayTexts = new Map<number, string>();
const twoDigits = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));

/** `2026-01-01T00:00:00`. A list has thousands of them, of few days: `toISOString` took a third of its time. */
function secondText(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const day = Math.floor(seconds / DAY_SECONDS);
  const second = seconds - day * DAY_SECONDS;
  const [hours, minutes] = [Math.floor(second / 3600), Math.floor(second / 60) % 60];
  return `${dayText(day)}T${twoDigits[hours] ?? ''}:${twoDigits[minutes] ?? ''}:${twoDigits[second % 60] ?? ''}`;
}

function dayText(day: number): string {
  const known = dayTexts.get(day);
  if (known !== undefined) return known;
  if (dayTexts.size >= MOST_DAYS) dayTexts.clear();
  const text = new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, 10);
  dayTexts.set(day, text);
  return text;
}

/** The first moment of the calendar month, in the service's own time zone (+09:00), that `now` lies in. */
export function monthStart(now: number): number {
  const local = new Date(now + 9 * HOUR_MILLISECONDS);
  return Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), 1) - 9 * HOUR_MILLISECONDS;
}

/** Year and month, 1 to 12, in the service's own time zone. */
export function yearAndMonth(now: number): { year: number; month: number } {
  const local = new Date(now + 9 * HOUR_MILLISECONDS);
  return { year: local.getUTCFullYear(), month: local.getUTCMonth() + 1 };
}

/** The span of a month in milliseconds since the epoch: from its first moment to that of the next. */
export function monthSpan(year: number, month: number): { start: number; end: number } {
  return {
    start: Date.UTC(year, month - 1, 1) - 9 * HOUR_MILLISECONDS,
    end: Date.UTC(year, month, 1) - 9 * HOUR_MILLISECONDS,
  };
}
