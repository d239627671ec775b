import { A_MINUTE, AT_ONCE } from '../../kubernetes/event-allowance.ts';
import { causeFacts } from '../facts.ts';
import { markdownCell, OUTPUT_VERSION } from '../output.ts';
import { folded } from '../status/table.ts';
import { objectText } from '../status/words.ts';
import { harmless } from '../text/harmless.ts';
import { painted, type Screen } from '../text/screen.ts';
import { type Cell, tableLines } from '../text/table.ts';
import { cutTo } from '../text/width.ts';
import type { Change } from './told.ts';

/** What is said of where the rest is. */
export const WHERE_THE_REST_IS = `This is told from Events, which a cluster keeps for an hour unless its --event-ttl says otherwise. When many resources are created, changed or deleted at once, it lacks most of them: of each kind in a namespace, ${AT_ONCE} are told of, and then ${A_MINUTE} a minute. Refused and unclear requests are not among them, and whoever may write Events in a namespace can write what looks like one. Every request is in the log of the operator: its lines with "component":"change" (docs/reference/changes.md).`;

const LONGEST_TEXT = 600;
const INDENT = '  ';

/** What was found, and what was asked for. */
export interface ChangesReport {
  readonly changes: readonly Change[];
  /** How far back, as it was typed. */
  readonly since: string;
  /** The namespace looked at; undefined: all. */
  readonly namespace: string | undefined;
  /** What was asked for, as it was typed; empty: all. */
  readonly of: string;
}

/** The changes as lines for a person, newest last. Pure. */
export function changesLines({ changes, since, namespace, of }: ChangesReport, screen: Screen): string[] {
  const note = folded(WHERE_THE_REST_IS, '', screen).map((line) => painted(screen, 'faint', line));
  if (changes.length === 0) {
    const where = namespace === undefined ? 'in any namespace' : `in namespace ${harmless(namespace)}`;
    const what = of === '' ? '' : ` of ${harmless(of)}`;
    return [...folded(`No change${what} is told of within the last ${harmless(since)} ${where}.`, '', screen), ...note];
  }
  const columns = [
    { title: 'TIME' },
    ...(namespace === undefined ? [{ title: 'NAMESPACE', least: 9 }] : []),
    { title: 'OBJECT', least: 12 },
    { title: 'WHAT', least: 8 },
    { title: 'BECAUSE', least: 10 },
  ];
  const cells = changes.map((change): Cell[] => [
    timeOf(change),
    ...(namespace === undefined ? [harmless(change.namespace)] : []),
    objectText(change),
    { text: whatOf(change), paint: change.reason === 'DriftCorrected' ? 'yellow' : undefined },
    becauseOf(change),
  ]);
  const [titles = '', ...rows] = tableLines(columns, cells, screen);
  return [
    titles,
    ...rows.flatMap((row, index) => [row, ...(changes[index] ? detailLines(changes[index], screen) : [])]),
    '',
    ...note,
  ];
}

/** The same as Markdown. Pure. */
export function changesMarkdown({ changes }: ChangesReport): string[] {
  const rows = changes.map((change) =>
    [
      timeOf(change),
      change.namespace,
      objectText(change),
      whatOf(change),
      becauseOf(change),
      change.fields.length > 0 ? fieldTexts(change).join('; ') : change.message,
    ]
      .map(markdownCell)
      .join(' | '),
  );
  return [
    ...(rows.length === 0
      ? ['No change is told of.', '']
      : [
          '| time | namespace | object | what | because | change |',
          '|---|---|---|---|---|---|',
          ...rows.map((row) => `| ${row} |`),
          '',
        ]),
    `> ${markdownCell(WHERE_THE_REST_IS)}`,
  ];
}

/** The shape of `-o json`; docs/reference/cli.md describes it. */
export function changesJson({ changes, since }: ChangesReport): object {
  return {
    apiVersion: OUTPUT_VERSION,
    kind: 'Changes',
    since,
    note: WHERE_THE_REST_IS,
    changes: changes.map(changeJson),
  };
}

/** The shape of one change in it. */
export function changeJson({ cause, generation, id, approval, ...rest }: Change): object {
  return {
    ...rest,
    cause: cause ?? null,
    generation: generation ?? null,
    id: id ?? null,
    approval: approval ?? null,
  };
}

/** What was changed; of what has no fields, the sentence of the Event. */
function detailLines(change: Change, screen: Screen): string[] {
  const texts = change.fields.length > 0 ? fieldTexts(change) : [harmless(change.message)];
  return texts.filter(Boolean).flatMap((text) => folded(cutTo(text, LONGEST_TEXT), INDENT, screen));
}

function fieldTexts({ fields, more }: Change): string[] {
  const shown = fields.map(({ field, before, after }) => harmless(`${field}: ${before} → ${after}`));
  return more > 0 ? [...shown, `and ${more} more`] : shown;
}

const timeOf = ({ at }: Change) => `${new Date(Date.parse(at)).toISOString().slice(0, 19)}Z`;

function whatOf({ steps, reason, count }: Change): string {
  const what = steps.length > 0 ? steps.join(', ') : reason;
  return harmless(what) + (count > 1 ? ` (${count} times)` : '');
}

function becauseOf({ cause, generation, approval }: Change): string {
  if (cause === undefined) return '-';
  const because = Object.hasOwn(causeFacts, cause) ? (causeFacts[cause] ?? cause) : cause;
  const why = cause === 'SpecChanged' && generation !== undefined ? `${because} (generation ${generation})` : because;
  return harmless(approval === undefined ? why : `${why}, approved by ${approval}`);
}
