import { kindOf } from '../kinds.ts';
import type { Standing } from '../standing.ts';
import { harmless } from '../text/harmless.ts';
import { painted, type Screen } from '../text/screen.ts';
import { type Cell, tableLines } from '../text/table.ts';
import { cutTo, wrap } from '../text/width.ts';
import { type StatusReport, shownOf } from './report.ts';
import { objectText, paintOf, sinceText, waitingText, warningText } from './words.ts';

/** Characters of a message that the table shows; `-o json` has all of it. */
const LONGEST_MESSAGE = 1000;
const INDENT = '  ';
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g;

export interface TableOptions {
  readonly showAll: boolean;
  /** The only namespace that was looked at; undefined: all, and it is shown which an object is in. */
  readonly namespace: string | undefined;
  readonly selector?: string | undefined;
  readonly screen: Screen;
  /** Wall clock, milliseconds since the epoch. */
  readonly now: number;
}

/** The report as lines for a person. Pure. */
export function statusTable(report: StatusReport, options: TableOptions): string[] {
  const { screen } = options;
  const shown = shownOf(report, options.showAll);
  const above = [
    ...report.presence.messages.map((message) => ['yellow', message] as const),
    ...report.notShown.map(({ kind, why }) => ['yellow', `${kind}: ${why}; not shown.`] as const),
  ].flatMap(([paint, message]) => folded(`! ${message}`, '', screen).map((line) => painted(screen, paint, line)));
  const body = shown.length === 0 ? [] : rowsOf(shown, options);
  return [...above, ...body, ...(body.length === 0 ? [] : ['']), ...summaryLines(report, options)];
}

function rowsOf(shown: readonly Standing[], { namespace, screen, now }: TableOptions): string[] {
  const columns = [
    ...(namespace === undefined ? [{ title: 'NAMESPACE', least: 9 }] : []),
    { title: 'OBJECT', least: 12 },
    { title: 'STATE' },
    { title: 'REASON', least: 8 },
    { title: 'SINCE' },
    { title: 'WAITS FOR', least: 9 },
  ];
  const cells = shown.map((one): Cell[] => [
    ...(namespace === undefined ? [harmless(one.namespace ?? '-')] : []),
    objectText(one),
    { text: one.state, paint: paintOf[one.state] },
    harmless(one.reason) || '-',
    sinceText(one.since, now),
    waitingText(one),
  ]);
  const [titles = '', ...rows] = tableLines(columns, cells, screen);
  const lines = rows.flatMap((row, index) => {
    const one = shown[index];
    const [before, next] = [shown[index - 1], shown[index + 1]];
    // What several objects in a row say alike is said once, below them.
    if (!one || (next && isAlike(one, next))) return [row];
    const isOfSeveral = before !== undefined && isAlike(before, one);
    return [row, ...detailLines(isOfSeveral ? { ...one, message: shared(one) } : one, screen)];
  });
  return [titles, ...lines];
}

/** Two that say the same but for their own names, as in a command, and their places in a queue, which their rows have. */
function isAlike(one: Standing, other: Standing): boolean {
  return (
    one.reason === other.reason &&
    one.advice === other.advice &&
    one.warning === other.warning &&
    shared(one) === shared(other)
  );
}

/** The message with NAME for the object's own name where a command has it, as in `kubectl patch sim truck-17`, and N and TIME for its place in a line. */
function shared({ message, kind, name, waiting }: Standing): string {
  const { singular } = kindOf(kind);
  const nameless = message.replaceAll(` ${singular} ${name} `, ` ${singular} NAME `);
  if (waiting?.others === undefined) return nameless;
  return nameless.replace(String(waiting.others), 'N').replaceAll(TIME, 'TIME');
}

/** Why, what it warns of, and what to do; what is Ready needs no more than its warning. */
export function detailLines(standing: Standing, screen: Screen): string[] {
  const { state, message, advice } = standing;
  const warning = warningText(standing);
  const warned =
    warning === undefined
      ? []
      : folded(cutTo(harmless(warning), LONGEST_MESSAGE), INDENT, screen).map((line) =>
          painted(screen, 'yellow', line),
        );
  if (state === 'Ready') return warned;
  return [
    ...(message === '' ? [] : folded(cutTo(harmless(message), LONGEST_MESSAGE), INDENT, screen)),
    ...warned,
    ...(advice === undefined ? [] : folded(`Do: ${advice}`, INDENT, screen)).map((line) =>
      painted(screen, 'bold', line),
    ),
  ];
}

/** A sentence as lines of a terminal's width, each indented; a file gets it whole. */
export function folded(text: string, indent: string, screen: Screen): string[] {
  if (screen.columns === undefined) return [indent + text];
  return wrap(text, Math.max(1, screen.columns - indent.length)).map((line) => indent + line);
}

/** How many of each kind are ready, and have a warning; kinds of which there are none are left out. */
function summaryLines({ counts }: StatusReport, options: TableOptions): string[] {
  const { screen } = options;
  const present = counts.filter(({ total }) => total > 0);
  if (present.length === 0) return nothingLines(counts, options).flatMap((line) => folded(line, '', screen));
  const width = Math.max(...present.map(({ kind }) => kind.length));
  return present.map(
    ({ kind, ready, total, warnings }) =>
      `${kind.padEnd(width)}  ${painted(screen, ready === total ? 'green' : 'red', `${ready}/${total} ready`)}${warnings === 0 ? '' : `, ${painted(screen, 'yellow', warnings === 1 ? '1 warning' : `${warnings} warnings`)}`}`,
  );
}

/** Where nothing was found: most often, somebody looked in the wrong namespace. */
function nothingLines(counts: StatusReport['counts'], { namespace, selector }: TableOptions): string[] {
  const isIn = counts.some(({ kind }) => kindOf(kind).namespaced);
  const where = !isIn ? '' : namespace === undefined ? ' in any namespace' : ` in namespace ${harmless(namespace)}`;
  const labels = selector === undefined ? '' : ` with the labels ${harmless(selector)}`;
  return [
    `There is nothing${labels}${where}: no ${counts.map(({ kind }) => kind).join(', ')}.`,
    ...(isIn && namespace !== undefined ? ['Name another namespace with -n, or look into all of them with -A.'] : []),
  ];
}
