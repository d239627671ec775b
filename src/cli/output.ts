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

/** A text of the cluster as the cell of a Markdown table: no markup, no line break. */
export function markdownCell(text: string): string {
  return harmless(text).replaceAll(/[\\|`*_<>[\]&~#]/g, (character) => `\\${character}`);
}
