import { harmless } from '../cli/text/harmless.ts';

/** A piece of HTML that is safe to send: made by {@link html} alone. */
export class Html {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }

  /** For {@link html} and constants of the program: nothing is escaped. */
  static readonly trusted = (text: string): Html => new Html(text);
}

/** What may stand in a template: `false` and undefined are nothing. */
export type Content = Html | string | number | false | undefined | readonly Content[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/**
 * A text as HTML has it, between tags and in quoted attributes. Whoever may write a name, a status or a message writes
 * what is shown: no mark-up comes of it, and nothing that reverses a line, hides or breaks it.
 */
export function escaped(text: string): string {
  return harmless(text).replaceAll(/[&<>"'`]/g, (character) => ENTITIES[character] ?? '');
}

/** HTML of a template, whose values are escaped unless they are HTML themselves. Attributes with values have to be quoted. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  let text = parts[0] ?? '';
  for (const [index, value] of values.entries()) text += textOf(value) + (parts[index + 1] ?? '');
  return Html.trusted(text);
}

function textOf(value: Content): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.map(textOf).join('');
  return escaped(String(value));
}

/** The text, cut after so many characters; what is cut off is said. */
export function shortened(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const last = text.charCodeAt(characters - 1);
  const end = last >= 0xd800 && last < 0xdc00 ? characters - 1 : characters;
  return `${text.slice(0, end)}…`;
}
