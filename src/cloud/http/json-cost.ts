/** What a JSON text costs to parse, as far as its structure tells. */
export interface JSONCost {
  /** About how many values it holds. */
  readonly values: number;
  /** How many arrays and objects stand inside one another. */
  readonly depth: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Looks at each byte once, and takes no memory; the text need not be well-formed. */
export function jsonCost(text: Uint8Array): JSONCost {
  let values = 1;
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const byte = text[index] ?? 0;
    if (inString) {
      if (byte === BACKSLASH) index++;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === COMMA) values++;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      values++;
      deepest = Math.max(deepest, ++depth);
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--;
  }
  return { values, depth: deepest };
}
