const JST_OFFSET_MILLISECONDS = 9 * 3_600_000;

/** The calendar month that a moment lies in, as `2026-11`, in the service's time (UTC+9). Milliseconds since the epoch. */
export function monthOf(moment: number): string {
  return new Date(moment + JST_OFFSET_MILLISECONDS).toISOString().slice(0, 7);
}
