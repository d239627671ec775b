/*
 * What regular expressions do in quadratic time, in linear time: these texts come from Secrets, the service and messages,
 * and one of a megabyte must not hold up the process.
 */

/** The parts of a text from `begin` to `end`, both included, in order; the last one may lack its end. */
export function blocksOf(text: string, begin: string, end: string): string[] {
  const blocks: string[] = [];
  for (let start = text.indexOf(begin); start >= 0; ) {
    const close = text.indexOf(end, start);
    const stop = close < 0 ? text.length : close + end.length;
    blocks.push(text.slice(start, stop));
    start = text.indexOf(begin, stop);
  }
  return blocks;
}

/** The text without the characters at its end that `isTrailing` holds for. */
export function trimEndOf(text: string, isTrailing: (character: string) => boolean): string {
  let length = text.length;
  while (length > 0 && isTrailing(text.charAt(length - 1))) length--;
  return text.slice(0, length);
}
