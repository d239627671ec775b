/** A JSON text of an object with a list, cut at the items of the list. */
export interface CutText {
  /** The text with nothing in the list. */
  readonly frame: string;
  /** Where the first item begins and where it ends, where the second begins, and so on; bytes. */
  readonly bounds: readonly number[];
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const SPACE = 0x20;
/** Space, tab, line feed and carriage return (RFC 8259, section 2). */
const WHITE: ReadonlySet<number> = new Set([SPACE, 0x09, 0x0a, 0x0d]);

/**
 * Cuts a text at the items of the list that is the value of `member`. The text need not be well-formed: if it is not, its
 * frame or one of its items is not, either. Undefined where `member` is not there exactly once, as a list, or where a name
 * is spelled with escapes and could be the same: then it has to be parsed whole. In what is cut, no other value counts.
 */
export function cutAtItems(text: Buffer, member: string): CutText | undefined {
  const name = Buffer.from(JSON.stringify(member));
  let depth = 0;
  /** Where the last name of the outermost object begins, as long as nothing but white space and its colon came after it. */
  let named = -1;
  let namedUntil = 0;
  let isAfterColon = false;
  let isMember = false;
  let isFound = false;
  let listed: { readonly from: number; readonly until: number } | undefined;
  let from = -1;
  let begin = 0;
  const bounds: number[] = [];
  for (let index = 0; index < text.length; index++) {
    const byte = text[index] ?? 0;
    if (byte <= SPACE) continue;
    if (byte === QUOTE) {
      const opened = index;
      index = endOfString(text, index);
      if (depth === 1) [named, namedUntil, isAfterColon] = [opened, index + 1, false];
      continue;
    }
    if (byte === COLON && depth === 1 && named >= 0 && !isAfterColon) {
      isAfterColon = true;
      const spelled = text.subarray(named, namedUntil);
      isMember = name.equals(spelled);
      if (spelled.includes(BACKSLASH) || (isMember && isFound)) return undefined;
      isFound ||= isMember;
      continue;
    }
    if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      if (byte === OPEN_BRACKET && depth === 1 && named >= 0 && isAfterColon && isMember) {
        from = index + 1;
        begin = from;
      }
      depth++;
    } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) {
      depth--;
      if (depth === 1 && from >= 0) {
        if (bounds.length > 0 || !isBlank(text, begin, index)) bounds.push(begin, index);
        listed = { from, until: index };
        from = -1;
      }
    } else if (byte === COMMA && depth === 2 && from >= 0) {
      bounds.push(begin, index);
      begin = index + 1;
    }
    named = -1;
  }
  if (listed === undefined) return undefined;
  return { frame: text.toString('utf8', 0, listed.from) + text.toString('utf8', listed.until), bounds };
}

/** Where the string that begins there ends. */
function endOfString(text: Buffer, begin: number): number {
  for (let index = begin + 1; index < text.length; index++) {
    const byte = text[index];
    if (byte === BACKSLASH) index++;
    else if (byte === QUOTE) return index;
  }
  return text.length;
}

function isBlank(text: Buffer, from: number, until: number): boolean {
  for (let index = from; index < until; index++) if (!WHITE.has(text[index] ?? 0)) return false;
  return true;
}
