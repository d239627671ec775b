import { escapeUnsafe } from '../unsafe.ts';
import { harmless } from './text/harmless.ts';

/** How data is printed; the table is for people, and its look may change. */
export const outputs = ['table', 'json', 'yaml', 'markdown'] as const;
export type Output = (typeof outputs)[number];

/** The version of the shape of what `-o json` and `-o yaml` print. Fields are added to it; none changes its meaning or goes. */
export const OUTPUT_VERSION = 'cli.edgeline.dev/v1';

/** JSON, on several lines or on one; what could do something to a terminal is escaped. */
export function toJson(value: object, lines: 'many' | 'one' = 'many'): string {
  return `${escapeUnsafe(JSON.stringify(value, null, lines === 'many' ? 2 : undefined))}\n`;
}

/** YAML of the same shape. */
export async function toYaml(value: object): Promise<string> {
  // Loaded only by whoever asks for it.
  const { yamlOf } = await import('../yaml.ts');
  return yamlOf(value);
}

/** Characters of a text in Markdown: a comment of a pull request has room for 65,536. */
const LONGEST_CELL = 2000;
/** Nothing that is seen, so that what stands before it and what follows are not one word. */
const APART = '&#8203;';
const MARKUP = /[\\|`*_<>[\]&~#$]|@(?=\w)|\bGH-(?=\d)|!(?=\d)|:(?=\/\/)|(?<=\bwww)\./gi;

/**
 * A text of the cluster as the cell of a Markdown table: no markup, no line break; and where a bot posts it, nobody is
 * mentioned (`@team`), nothing is referred to (`#17`, `GH-17`, `!17`), and no address becomes a link.
 */
export function markdownCell(text: string): string {
  const shown = text.length > LONGEST_CELL ? `${text.slice(0, LONGEST_CELL)}…` : text;
  return harmless(shown).replaceAll(MARKUP, (found) => {
    switch (found) {
      case '#':
        return `\\#${APART}`;
      // Formulas are found before escapes are read.
      case '$':
        return '&#36;';
      default:
        return found === '@' || found.length > 1 || found === '!' ? found + APART : `\\${found}`;
    }
  });
}

/** The same where a line begins with it: some hosts take a comment's line for a command (`/close`, `/approve`). */
export function markdownLine(text: string): string {
  return markdownCell(text).replace(/^ *\//, '\\/');
}
