import { timestamp } from '../../kubernetes/objects.ts';
import { markdownCell, OUTPUT_VERSION, type Output, toJson, toYaml } from '../output.ts';
import { harmless } from '../text/harmless.ts';
import type { Screen } from '../text/screen.ts';
import { tableLines } from '../text/table.ts';
import { widthOf } from '../text/width.ts';

/** A value of an item: what the service did not tell is undefined. */
export type Value = string | number | boolean | readonly string[] | undefined;
export type Item = Readonly<Record<string, Value>>;

/** What the service answered, or what was done. */
export interface Answer {
  /** What was asked about, for a person: `SIM 113300000017`. */
  readonly of: string;
  readonly items: readonly Item[];
  /** What is said where there is nothing, as of a list that is empty. */
  readonly none?: string;
  /** It has a row for each item, however many there are; otherwise each member has a line. Default: what may be empty is a list. */
  readonly isList?: boolean;
}

/** An answer as it is printed. `account`: through which it was asked, `CloudAccount/default`. */
export async function printed(told: Answer, account: string, output: Output, screen: Screen): Promise<string> {
  const answer = { ...told, items: told.items.map(inUTC) };
  const data = { apiVersion: OUTPUT_VERSION, kind: 'ServiceAnswer', account, of: answer.of, items: answer.items };
  switch (output) {
    case 'json':
      return toJson(data);
    case 'yaml':
      return toYaml(data);
    case 'markdown':
      return `${markdownLines(answer).join('\n')}\n`;
    case 'table':
      return `${lines(answer, screen).join('\n')}\n`;
  }
}

/** Members that are times: the service writes them in several zones, and commands in one. */
const TIME = /^at$|[a-z]At$/;

function inUTC(item: Item): Item {
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => {
      const at = TIME.test(name) && typeof value === 'string' ? Date.parse(value) : Number.NaN;
      return [name, Number.isNaN(at) ? value : timestamp(at)];
    }),
  );
}

/** A list in rows; of anything else, and where rows are wider than the screen, each member on a line: nothing is cut off. */
function lines({ items, none, isList = none !== undefined }: Answer, screen: Screen): string[] {
  if (items.length === 0) return [none ?? 'There is nothing.'];
  const names = namesOf(items);
  const rows = items.map((item) => names.map((name) => cellOf(item[name])));
  const uncut: Screen = { ...screen, columns: undefined };
  if (isList) {
    const titles = names.map((name) => ({ title: titleOf(name).toUpperCase() }));
    const table = tableLines(titles, rows, { ...uncut, colours: false });
    if (table.every((line) => widthOf(line) <= (screen.columns ?? Number.POSITIVE_INFINITY)))
      return tableLines(titles, rows, uncut);
  }
  return rows.flatMap((row, index) => [
    ...(index === 0 ? [] : ['']),
    ...tableLines(
      [{ title: 'WHAT' }, { title: 'VALUE' }],
      row.map((cell, column) => [titleOf(names[column] ?? ''), cell]),
      uncut,
    ).slice(index === 0 ? 0 : 1),
  ]);
}

function markdownLines({ of, items, none }: Answer): string[] {
  const names = namesOf(items);
  if (names.length === 0) return [`**${markdownCell(of)}**: ${none ?? 'nothing'}`];
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    `**${markdownCell(of)}**`,
    '',
    row(names.map(titleOf)),
    row(names.map(() => '---')),
    ...items.map((item) => row(names.map((name) => markdownCell(textOf(item[name]))))),
  ];
}

function namesOf(items: readonly Item[]): string[] {
  const names = new Set(items.flatMap((item) => Object.keys(item)));
  return [...names].filter((name) => items.some((item) => item[name] !== undefined));
}

/** `sessionStatus` as `session status`. */
function titleOf(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])[A-Z]+/g, (word) => ` ${word.length === 1 ? word.toLowerCase() : word}`);
}

function cellOf(value: Value): string {
  return harmless(textOf(value)) || '-';
}

function textOf(value: Value): string {
  if (value === undefined) return '';
  return typeof value === 'object' ? value.join(' ') : String(value);
}
