const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const PLAIN = /^[\x20-\x7e]*$/;
/** What takes two columns: East Asian scripts and full-width forms (Unicode TR 11), and what is drawn as an emoji. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}\p{Emoji_Presentation}]|\ufe0f/u;
const NO_WIDTH = /^\p{M}/u;

/** Columns that a harmless text takes in a terminal. */
export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += widthOfGrapheme(segment);
  return width;
}

function widthOfGrapheme(grapheme: string): number {
  if (NO_WIDTH.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}

/** The text in at most so many columns, with `…` where something was left out. */
export function cutTo(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  if (columns <= 0) return '';
  const [start] = splitAt(text, columns - 1);
  return widthOf(start) < columns ? `${start}…` : '…';
}

/** The text, with spaces after it up to so many columns. */
export function padTo(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)));
}

/** The text as lines of at most so many columns, broken between words, and within those that are longer than a line. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer) <= columns) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (widthOf(line) > columns) {
      const [start, rest] = splitAt(line, columns);
      lines.push(start);
      line = rest;
    }
  }
  return [...lines, line];
}

/**
 * The same after so many spaces, and what does not fit into the first line two columns further in: no value can be written
 * so that its end looks like a line of its own. `columns` undefined: one line.
 */
export function wrapHanging(text: string, indent: number, columns: number | undefined): string[] {
  const spaces = ' '.repeat(indent);
  if (columns === undefined) return [spaces + text];
  const [first = '', ...rest] = wrap(text, Math.max(1, columns - indent - 2));
  return [spaces + first, ...rest.map((line) => `${spaces}  ${line}`)];
}

/** Splits before the grapheme that no longer fits; at least one is taken, so that splitting comes to an end. */
function splitAt(text: string, columns: number): [string, string] {
  let width = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    width += widthOfGrapheme(segment);
    if (width > columns && index > 0) return [text.slice(0, index), text.slice(index)];
  }
  return [text, ''];
}
