/**
 * What could move a cursor, change colours, reverse the direction of a line or hide: control, format and unassigned characters,
 * and letters and marks that nothing is drawn of, by which two texts look the same. What makes an emoji of a sign stays.
 */
export const UNSAFE =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|(?!(?<=\p{Extended_Pictographic})\ufe0f)\p{Default_Ignorable_Code_Point}/gu;

/** A text of JSON or double-quoted YAML with each unsafe character but line breaks as an escape, so that nothing is lost. */
export function escapeUnsafe(json: string): string {
  return json.replaceAll(UNSAFE, (character) =>
    character === '\n' ? character : Array.from({ length: character.length }, (_, at) => unit(character, at)).join(''),
  );
}

/** Whether a text has to be escaped. */
export function isUnsafe(text: string): boolean {
  return text.search(UNSAFE) >= 0;
}

function unit(character: string, at: number): string {
  return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
}
