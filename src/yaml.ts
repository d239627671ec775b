import { Document, visit } from 'yaml';
import { escapeUnsafe, isUnsafe } from './unsafe.ts';

/**
 * YAML of a value of JSON; what could do something to a terminal is escaped, and nothing is lost. No line is folded: what is
 * looked for in it is found as it is. `compat`: readers of which version take texts for texts, too.
 */
export function yamlOf(value: object, compat?: 'yaml-1.1'): string {
  const document = new Document(JSON.parse(JSON.stringify(value)), { ...(compat && { compat }) });
  visit(document, {
    Scalar(_key, node) {
      // Only there can a character be written as its code. The lines of a block are what they are elsewhere.
      if (typeof node.value === 'string' && isUnsafe(node.value.replaceAll('\n', ''))) node.type = 'QUOTE_DOUBLE';
    },
  });
  const shape = { lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER };
  return escapeUnsafe(document.toString(shape));
}
