import { UNSAFE } from '../../unsafe.ts';

const WHITE = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

/**
 * A text of the cluster as one line that does nothing to a terminal: whoever may write a status or a name writes what is
 * shown here. Line breaks become a space; what is unsafe is shown as its code, as in `\u{1b}[31m`.
 */
export function harmless(text: string): string {
  return text.replaceAll(WHITE, ' ').replaceAll(UNSAFE, (character) => `\\u{${hex(character)}}`);
}

function hex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16);
}
