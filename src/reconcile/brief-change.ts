/**
 * Two values as texts of so many characters at most, cut so that what differs is seen: whoever writes a long list could
 * otherwise hide what is new behind what is not. What is left out, before or after it, is `…`. Pure.
 */
export function briefChange(
  { before, after }: { readonly before: string; readonly after: string },
  most: number,
): { before: string; after: string } {
  if (before.length <= most && after.length <= most) return { before, after };
  let same = 0;
  while (same < Math.min(before.length, after.length) && before[same] === after[same]) same++;
  const start = Math.max(0, same - Math.floor(most / 8));
  const cut = (text: string) => brief(start === 0 ? text : `…${text.slice(start)}`, most);
  return { before: cut(before), after: cut(after) };
}

/** The text, of so many characters at most. */
export function brief(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
