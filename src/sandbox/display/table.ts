import { stripVTControlCharacters } from 'node:util';
import { render, type TableRow } from './table-render.ts';

/** What of a terminal the table uses; `process.stdout` is one. */
export interface TableStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

/** A table that stays in its place while its rows change. */
export interface LiveTable {
  /** Shows these rows, all there are. */
  update(rows: readonly TableRow[]): void;
  /** Writes lines above the table, for good. */
  print(...lines: string[]): void;
  /** Leaves the table as it is, for good: what comes next is written below it, and may be another table. */
  finish(): void;
}

/** The width assumed when nothing says how wide the output is. */
const DEFAULT_COLUMNS = 80;
const erase = { line: '\u001b[K', below: '\u001b[J' };
/** Terminals that know these two show all between them at once; others ignore them. */
const synchronized = { begin: '\u001b[?2026h', end: '\u001b[?2026l' };

/**
 * On a terminal the table is redrawn in place, in one write, with colours unless NO_COLOR is set. Anywhere else, a
 * file or CI's log, only rows that changed are written, a line each; an age alone is no change.
 */
export function createLiveTable(options: { readonly stream: TableStream; readonly env: NodeJS.ProcessEnv }): LiveTable {
  return options.stream.isTTY ? terminalTable(options.stream, !options.env['NO_COLOR']) : changesOnly(options.stream);
}

function terminalTable(stream: TableStream, colours: boolean): LiveTable {
  let rows: readonly TableRow[] = [];
  let drawn: readonly string[] = [];

  function draw(above: readonly string[]): void {
    // The last column stays free: some terminals wrap as soon as it is written to.
    const width = Math.max(1, (stream.columns ?? DEFAULT_COLUMNS) - 1);
    const next = rows.length === 0 ? [] : fitHeight(rows, width, stream.rows, colours);
    // The terminal may have become narrower since, and wrapped what was there.
    const height = drawn.reduce(
      (sum, line) => sum + Math.max(1, Math.ceil(stripVTControlCharacters(line).length / (width + 1))),
      0,
    );
    const up = height === 0 ? '' : `\u001b[${height}A\r`;
    const body = [...above, ...next].map((line) => `${line}${erase.line}\n`).join('');
    stream.write(`${synchronized.begin}${up}${body}${erase.below}${synchronized.end}`);
    drawn = next;
  }

  return {
    update(next) {
      rows = next;
      draw([]);
    },
    print: (...lines) => draw(lines),
    finish() {
      rows = [];
      drawn = [];
    },
  };
}

/** As many rows as the terminal has room for; those that aren't ready are shown first when there are more. */
function fitHeight(rows: readonly TableRow[], width: number, height: number | undefined, colours: boolean): string[] {
  const room = Math.max(1, (height ?? Number.POSITIVE_INFINITY) - 3);
  if (rows.length <= room) return render(rows, width, { colours });
  const byUrgency = rows.toSorted((a, b) => Number(a.ready === 'True') - Number(b.ready === 'True'));
  const ready = rows.filter((row) => row.ready === 'True').length;
  const more = `… and ${rows.length - room} more; ${ready} of ${rows.length} ready`;
  return [...render(byUrgency.slice(0, room), width, { colours }), more.slice(0, width)];
}

function changesOnly(stream: TableStream): LiveTable {
  const shown = new Map<string, string>();
  return {
    update(rows) {
      const present = new Set<string>();
      for (const row of rows) {
        const what = [row.kind, row.namespace, row.name].filter((part) => part !== '').join(' ');
        const state = [`Ready=${row.ready}`, row.reason].filter((part) => part !== '').join(' ');
        present.add(what);
        if (shown.get(what) === state) continue;
        shown.set(what, state);
        stream.write(`${what} ${state}\n`);
      }
      for (const what of shown.keys()) {
        if (present.has(what)) continue;
        shown.delete(what);
        stream.write(`${what} gone\n`);
      }
    },
    print(...lines) {
      for (const line of lines) stream.write(`${line}\n`);
    },
    finish() {},
  };
}
