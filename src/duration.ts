const UNIT_MILLISECONDS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of days, hours, minutes and seconds, as `2h` or `1h30m`; undefined for any other text, and for none. */
export function durationMilliseconds(text: string): number | undefined {
  const parts = [...text.matchAll(/([0-9]{1,6})([smhd])/g)];
  const milliseconds = parts.reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (UNIT_MILLISECONDS[unit] ?? 0),
    0,
  );
  return milliseconds === 0 || parts.map(([part]) => part).join('') !== text ? undefined : milliseconds;
}
