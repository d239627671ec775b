import { Document, visit } from 'yaml';
import { escapeUnsafe, isUnsafe } from './text/harmless.ts';

/** YAML of a value of JSON; what could do something to a terminal is escaped, and nothing is lost. */
export function yamlOf(value: object): string {
  const document = new Document(JSON.parse(JSON.stringify(value)));
  visit(document, {
    Scalar(_key, node) {
      // Only there can a character be written as its code.
      if (typeof node.value === 'string' && isUnsafe(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  const shape = { lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER };
  return escapeUnsafe(document.toString(shape));
}
