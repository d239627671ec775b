import { markdownCell } from '../../cli/output.ts';
import type { PlannedCall } from '../call.ts';
import { byResource, remarksOf, summaryOf, unsettledLines } from '../report.ts';
import type { Plan } from '../result.ts';

/** A comment of a pull request takes no more than 65,536 characters, and what stands around it takes some. */
const LONGEST = 60_000;
/** Characters of each of the lists beside the calls, so that these have room whatever the manifests bring about. */
const LONGEST_LIST = 6000;
/** Characters of one value or message. */
const LONGEST_TEXT = 300;

/** The plan as Markdown that fits a comment of a pull request. Pure. */
export function planMarkdown(plan: Plan): string {
  const head = ['### Edgeline plan', '', markdownCell(summaryOf(plan)), ''];
  const notes = [
    ...list(
      'Refused',
      plan.refused.map(({ source, what, message }) => `${source}: ${what}: ${message}`),
    ),
    ...list('Sent only when a person has approved it', plan.unapproved),
    ...list('Sent only when edgeline.dev/paused is taken off', plan.paused),
    ...list(
      'Not in sync afterwards',
      unsettledLines(plan).map((line) => line.trimStart()),
    ),
    ...list('Not decided', plan.undecided),
    ...list('Not looked at', plan.notLookedAt),
  ];
  const rows = byResource(plan).flatMap(({ title, calls }) =>
    calls.map((call) => ({ text: rowOf(title, call), isDeletion: call.method === 'DELETE' })),
  );
  const table = rows.length === 0 ? [] : ['| resource | call | changes |', '|---|---|---|'];
  const around = [...head, ...table, ...notes].join('\n').length;
  const kept = within(rows, LONGEST - around);
  const more =
    kept.length < rows.length
      ? [
          '',
          `… and ${rows.length - kept.length} more calls${deletionsLeftOut(rows, kept)}: \`-o json\` has all of them.`,
        ]
      : [];
  return `${[...head, ...table, ...kept.map(({ text }) => text), ...more, ...(rows.length > 0 ? [''] : []), ...notes].join('\n').trimEnd()}\n`;
}

function rowOf(title: string, call: PlannedCall): string {
  const { method, path, fields } = call;
  const changes = fields.map(({ field, before, after }) => {
    const [was, is] = [before, after].map((text) => (text === undefined ? undefined : cell(text)));
    return `${cell(field)}: ${was === undefined ? is : `${was} → ${is ?? 'unset'}`}`;
  });
  return `| ${cell(title)} | ${method} ${cell(path)} | ${[...changes, ...remarksOf(call)].join('<br>')} |`;
}

function cell(text: string): string {
  return markdownCell(text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text);
}

function list(title: string, items: readonly string[]): string[] {
  if (items.length === 0) return [];
  const shown = within(
    items.slice(0, 50).map((item) => ({ text: `- ${cell(item)}`, isDeletion: false })),
    LONGEST_LIST,
  );
  const more = items.length > shown.length ? [`- … and ${items.length - shown.length} more`] : [];
  return [`**${title}**`, '', ...shown.map(({ text }) => text), ...more, ''];
}

interface Row {
  readonly text: string;
  readonly isDeletion: boolean;
}

/** As many rows as there is room for, in their order: what takes something away is not crowded out by what is harmless. */
function within(rows: readonly Row[], room: number): Row[] {
  let left = room;
  const kept = new Set<Row>();
  for (const row of rows.toSorted((one, other) => Number(other.isDeletion) - Number(one.isDeletion))) {
    const length = row.text.length + 1;
    // One that is too long keeps out no other.
    if (length > left) continue;
    left -= length;
    kept.add(row);
  }
  return rows.filter((row) => kept.has(row));
}

/** How many of those that are left out take something away, where any does. */
function deletionsLeftOut(rows: readonly Row[], kept: readonly Row[]): string {
  const deletions = (of: readonly Row[]) => of.filter(({ isDeletion }) => isDeletion).length;
  const count = deletions(rows) - deletions(kept);
  return count > 0 ? `, ${count} of them DELETE` : '';
}
