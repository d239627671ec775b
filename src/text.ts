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

export const BEGIN_CERTIFICATE = '-----BEGIN CERTIFICATE-----';
export const END_CERTIFICATE = '-----END CERTIFICATE-----';

/** The certificates of a PEM text, in order, each with its BEGIN and END lines; the last one may be cut off. */
export function certificatesIn(pem: string): string[] {
  return blocksOf(pem, BEGIN_CERTIFICATE, END_CERTIFICATE);
}

/** The text without the characters at its end that `isTrailing` holds for. */
export function trimEndOf(text: string, isTrailing: (character: string) => boolean): string {
  let length = text.length;
  while (length > 0 && isTrailing(text.charAt(length - 1))) length--;
  return text.slice(0, length);
}

/** Orders by code units: the order of a language costs ten times as much. For names and times, which are ASCII. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** How many letters have to be changed, added or removed to make one word of the other. For short words. */
export function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a.charAt(i) === b.charAt(j - 1) ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** Of the words the one that is most likely meant; the first of several. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  const short = word.toLowerCase().slice(0, 64);
  return words.toSorted((a, b) => distance(short, a) - distance(short, b))[0];
}

/** Nothing longer is compared. */
const LONGEST_WORD_CHARACTERS = 64;

/**
 * Of the words the one that is meant; undefined where none has half of its letters right: anything further off is no typing
 * error, and a guess could do harm.
 */
export function meantOf(word: string, words: readonly string[]): string | undefined {
  const meant = nearest(word, words);
  if (meant === undefined) return undefined;
  const length = Math.max(word.length, meant.length);
  const isLike = length <= LONGEST_WORD_CHARACTERS && distance(word.toLowerCase(), meant.toLowerCase()) * 2 <= length;
  return isLike ? meant : undefined;
}

const SERIALS = /\(serial [^()]{0,80}\)/g;

/** A message without the numbers that the service gives its complaints: each has another, whatever it says. */
export function withoutSerials(message: string): string {
  return message.replaceAll(SERIALS, '');
}
