import { folded } from '../status/table.ts';
import { painted, type Screen } from '../text/screen.ts';
import { type Cell, tableLines } from '../text/table.ts';
import { widthOf } from '../text/width.ts';

/**
 * Values side by side, a row for each name; where they are wider than the screen, below each other and whole: two that differ
 * at their ends only would look the same if they were cut. Values that are the same stand once. What follows the two values is
 * a word of comparison. Pure.
 */
export function comparisonLines(
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  screen: Screen,
): string[] {
  const titles = columns.map((title) => ({ title }));
  const uncut = tableLines(titles, rows, { columns: undefined, colours: false });
  if (uncut.every((line) => widthOf(line) <= (screen.columns ?? Number.POSITIVE_INFINITY)))
    return tableLines(titles, rows, screen);
  const [, first = '', second = ''] = columns.map((title) => title.toLowerCase());
  const width = Math.max(first.length, second.length);
  return rows.flatMap(([name = '', one = '', other = '', word = '']) => {
    const value = (title: string, cell: Cell) => folded(`${title.padEnd(width)}  ${textOf(cell)}`, '  ', screen);
    const heading = `${textOf(name)}${textOf(word) === '' ? '' : `: ${paintedCell(word, screen)}`}`;
    return [heading, ...value(first, one), ...(textOf(one) === textOf(other) ? [] : value(second, other))];
  });
}

function textOf(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.text;
}

function paintedCell(cell: Cell, screen: Screen): string {
  return typeof cell === 'string' ? cell : painted(screen, cell.paint, cell.text);
}
