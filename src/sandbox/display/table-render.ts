import { formatAge } from '../../age.ts';

/** One resource as the table shows it. */
export interface TableRow {
  readonly kind: string;
  /** Empty for what belongs to no namespace. */
  readonly namespace: string;
  readonly name: string;
  /** The status of its Ready condition; `Unknown` while there is none. */
  readonly ready: 'True' | 'False' | 'Unknown';
  /** The reason of its Ready condition; empty while there is none. */
  readonly reason: string;
  /** Seconds since it was created. */
  readonly age: number;
}

const headings = ['KIND', 'NAMESPACE', 'NAME', 'READY', 'REASON', 'AGE'] as const;
type Cells = Record<(typeof headings)[number], string>;

const GAP_CHARACTERS = 2;
/** What stands for the columns for which there is no room. */
const more = '…';
/** A column that is cut to less says nothing. */
const LEAST_SHOWN_CHARACTERS = 4;
/** Which columns give way in a narrow terminal, in this order, and how narrow each may become. */
const shrinkable: readonly (readonly [keyof Cells, number])[] = [
  ['REASON', 12],
  ['NAME', 12],
  ['NAMESPACE', 9],
  ['REASON', 6],
  ['NAME', 6],
  ['KIND', 6],
];

/**
 * The table as lines, the headings first: columns as wide as they need to be, none of the lines longer than `width`.
 * Colour codes, when wanted, take no width. Rows keep the order they are given in.
 */
export function render(
  rows: readonly TableRow[],
  width: number,
  options: { readonly colours?: boolean } = {},
): string[] {
  const cells = rows.map(cellsOf);
  const widths = fit(cells, width);
  const line = (values: Cells, paint: (heading: keyof Cells, text: string) => string) => {
    let left = width;
    const parts: string[] = [];
    for (const heading of headings) {
      const last = heading === headings.at(-1);
      // Behind each but the last there is room for the sign that more columns follow.
      const room = last ? left : left - GAP_CHARACTERS - more.length;
      if (room < Math.min(widths[heading], LEAST_SHOWN_CHARACTERS)) {
        parts.push(cut(more, left));
        break;
      }
      const text = cut(cut(values[heading], widths[heading]).padEnd(last ? 0 : widths[heading]), room);
      parts.push(paint(heading, text));
      left -= text.length + GAP_CHARACTERS;
    }
    return parts.join(' '.repeat(GAP_CHARACTERS)).trimEnd();
  };
  const titles: Cells = {
    KIND: 'KIND',
    NAMESPACE: 'NAMESPACE',
    NAME: 'NAME',
    READY: 'READY',
    REASON: 'REASON',
    AGE: 'AGE',
  };
  const painted = (row: TableRow) => (heading: keyof Cells, text: string) =>
    options.colours && heading === 'READY' ? `${colourOf[row.ready]}${text}${plain}` : text;
  return [
    line(titles, (_heading, text) => (options.colours ? `${faint}${text}${plain}` : text)),
    ...rows.map((row, index) => line(cells[index] ?? titles, painted(row))),
  ];
}

const faint = '\u001b[2m';
const plain = '\u001b[0m';
const colourOf = { True: '\u001b[32m', False: '\u001b[31m', Unknown: '\u001b[33m' } as const;

function cellsOf(row: TableRow): Cells {
  return {
    KIND: row.kind,
    NAMESPACE: row.namespace,
    NAME: row.name,
    READY: row.ready,
    REASON: row.reason,
    AGE: formatAge(row.age),
  };
}

function fit(rows: readonly Cells[], width: number): Record<keyof Cells, number> {
  const natural = (heading: keyof Cells) => Math.max(heading.length, ...rows.map((row) => row[heading].length));
  const widths = {
    KIND: natural('KIND'),
    NAMESPACE: natural('NAMESPACE'),
    NAME: natural('NAME'),
    READY: natural('READY'),
    REASON: natural('REASON'),
    AGE: natural('AGE'),
  };
  const total = () => headings.reduce((sum, heading) => sum + widths[heading], GAP_CHARACTERS * (headings.length - 1));
  for (const [heading, least] of shrinkable) {
    const excess = total() - width;
    if (excess <= 0) break;
    widths[heading] = Math.max(Math.min(least, widths[heading]), widths[heading] - excess);
  }
  return widths;
}

function cut(text: string, width: number): string {
  if (text.length <= width) return text;
  return width <= 1 ? text.slice(0, width) : `${text.slice(0, width - 1)}…`;
}
