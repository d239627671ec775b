const DEEPEST_LEVELS = 64;
const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [34, 92, 91, 93, 123, 125];

/** What a text says in JSON, or what is wrong with it. */
export type ReadJSON = { readonly value: unknown } | { readonly problem: string };

/**
 * Reads JSON of at most 64 levels: more than any operation takes, and few enough for whatever walks through them later.
 */
export function readJSON(text: string): ReadJSON {
  if (isDeep(text)) return { problem: `write JSON of at most ${DEEPEST_LEVELS} levels` };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { problem: 'write JSON' };
  }
}

function isDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index);
    if (inString) {
      if (character === backslash) index++;
      else if (character === quote) inString = false;
    } else if (character === quote) inString = true;
    else if (character === openBracket || character === openBrace) {
      if (++depth > DEEPEST_LEVELS) return true;
    } else if (character === closeBracket || character === closeBrace) depth--;
  }
  return false;
}
