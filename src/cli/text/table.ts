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

/** A table as lines, the titles first: columns as wide as they need to be, no line wider than the screen. */
export function tableLines(columns: readonly Column[], rows: readonly (readonly Cell[])[], screen: Screen): string[] {
  const widths = fit(columns, rows, screen.columns);
  const line = (cells: readonly Cell[]) => {
    let left = screen.columns ?? Number.POSITIVE_INFINITY;
    const parts: string[] = [];
    for (const [index, cell] of cells.entries()) {
      if (left <= 0) break;
      const { text, paint } = typeof cell === 'string' ? { text: cell, paint: undefined } : cell;
      const shown = cutTo(text, Math.min(widths[index] ?? 0, left));
      const isLast = index === cells.length - 1;
      parts.push(
        painted(screen, paint, shown) + (isLast ? '' : padTo('', Math.min(left, widths[index] ?? 0) - widthOf(shown))),
      );
      left -= (widths[index] ?? 0) + GAP;
    }
    return parts.join(' '.repeat(GAP)).trimEnd();
  };
  return [line(columns.map(({ title }) => ({ text: title, paint: 'faint' as const }))), ...rows.map(line)];
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
