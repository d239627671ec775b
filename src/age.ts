/** An age as kubectl shows it: `42s`, `5m7s`, `3h`, `12d`. */
export function formatAge(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const minutes = Math.floor(whole / 60);
  const hours = Math.floor(whole / 3_600);
  if (minutes < 2) return `${whole}s`;
  if (minutes < 10) return whole % 60 === 0 ? `${minutes}m` : `${minutes}m${whole % 60}s`;
  if (hours < 3) return `${minutes}m`;
  if (hours < 48) return `${hours}h`;
  return `${Math.floor(hours / 24)}d`;
}
