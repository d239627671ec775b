/** What could move a cursor, change colours, reverse the direction of a line or hide: control, format and unassigned characters. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;
const WHITE = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

/**
 * A text of the cluster as one line that does nothing to a terminal: whoever may write a status or a name writes what is
 * shown here. Line breaks become a space; what is unsafe is shown as its code, as in `\u{1b}[31m`.
 */
export function harmless(text: string): string {
  return text.replaceAll(WHITE, ' ').replaceAll(UNSAFE, (character) => `\\u{${hex(character)}}`);
}

/** The same for a text of JSON or double-quoted YAML: each unsafe character as an escape, so that nothing is lost. */
export function escapeUnsafe(json: string): string {
  return json.replaceAll(UNSAFE, (character) =>
    character === '\n' ? character : Array.from({ length: character.length }, (_, at) => unit(character, at)).join(''),
  );
}

/** Whether a text has to be escaped. */
export function isUnsafe(text: string): boolean {
  return text.search(UNSAFE) >= 0;
}

function hex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16);
}

function unit(character: string, at: number): string {
  return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
}
