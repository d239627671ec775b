import { type Paint, painted, type Screen } from './screen.ts';
import { cutTo, padTo, widthOf } from './width.ts';

export interface Column {
  readonly title: string;
  /** How narrow it may become where the terminal is; without it, it keeps its width. */
  readonly least?: number;
}

/** A cell, harmless already. */
export type Cell = string | { readonly text: string; readonly paint: Paint | undefined };

const GAP = 2;
/** Columns of a cell that others stand beside: each row is as wide, so that a long one is paid for in all of them. */
const WIDEST = 300;

/** What stands for the columns for which there is no room. */
const MORE = '…';
/** A column that is cut to less says nothing. */
const LEAST_SHOWN = 4;

/**
 * A table as lines, the titles first: columns as wide as they need to be, no line wider than the screen. Where not even the
 * least widths fit, the columns that are left out have `…` in their place.
 */
export function tableLines(columns: readonly Column[], rows: readonly (readonly Cell[])[], screen: Screen): string[] {
  const widths = shownWidths(fit(columns, rows, screen.columns), screen.columns);
  const isWhole = widths.length === columns.length;
  const line = (cells: readonly Cell[]) => {
    const parts = widths.map((width, index) => {
      const cell = cells[index] ?? '';
      const { text, paint } = typeof cell === 'string' ? { text: cell, paint: undefined } : cell;
      const shown = cutTo(text, width);
      const isLast = isWhole && index === widths.length - 1;
      return painted(screen, paint, shown) + (isLast ? '' : padTo('', width - widthOf(shown)));
    });
    return [...parts, ...(isWhole ? [] : [MORE])].join(' '.repeat(GAP)).trimEnd();
  };
  return [line(columns.map(({ title }) => ({ text: title, paint: 'faint' as const }))), ...rows.map(line)];
}

/** The widths of the columns that fit, with room behind them for {@link MORE} where some do not. */
function shownWidths(widths: readonly number[], room: number | undefined): readonly number[] {
  if (room === undefined) return widths;
  const shown: number[] = [];
  let left = room;
  for (const [index, width] of widths.entries()) {
    const own = index === widths.length - 1 ? left : left - GAP - MORE.length;
    if (own < Math.min(width, LEAST_SHOWN)) break;
    shown.push(Math.min(width, own));
    left -= width + GAP;
  }
  return shown;
}

/** The widths: where there is too little room, the widest column that may gives way first. */
function fit(columns: readonly Column[], rows: readonly (readonly Cell[])[], room: number | undefined): number[] {
  const widths = columns.map(({ title }, index) => {
    const most = Math.min(
      room ?? Number.POSITIVE_INFINITY,
      index === columns.length - 1 ? Number.POSITIVE_INFINITY : WIDEST,
    );
    return Math.min(
      most,
      rows.reduce((widest, row) => Math.max(widest, widthOf(textOf(row[index]))), widthOf(title)),
    );
  });
  if (room === undefined) return widths;
  let excess = widths.reduce((sum, width) => sum + width, GAP * (columns.length - 1)) - room;
  while (excess > 0) {
    const slack = columns.map(({ least }, index) => (widths[index] ?? 0) - (least ?? widths[index] ?? 0));
    const widest = columns
      .map((_, index) => index)
      .filter((index) => (slack[index] ?? 0) > 0)
      .sort((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0))[0];
    if (widest === undefined) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess--;
  }
  return widths;
}

function textOf(cell: Cell | undefined): string {
  return typeof cell === 'object' ? cell.text : (cell ?? '');
}
