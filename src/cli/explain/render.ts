import { markdownCell, markdownLine } from '../output.ts';
import { folded } from '../status/table.ts';
import { objectText, paintOf, sinceText, waitsText } from '../status/words.ts';
import { harmless } from '../text/harmless.ts';
import { painted, type Screen } from '../text/screen.ts';
import { type Cell, tableLines } from '../text/table.ts';
import { cutTo } from '../text/width.ts';
import { type ApprovalStory } from './approval.ts';
import { fieldShown } from './asked.ts';
import type { FieldComparison } from './compare.ts';
import type { Explanation } from './report.ts';
import { comparisonLines } from './stacked.ts';

/** Characters of a message or a value that a person is shown; `-o json` has all of them. */
const LONGEST_TEXT = 1000;
const LONGEST_VALUE = 120;
const INDENT = '  ';

export const differences: Readonly<Record<FieldComparison['difference'], string>> = {
  same: 'written',
  changed: 'to be changed',
  new: 'to be written',
  removed: 'to be unset',
  kept: 'left as it was found',
  held: 'held back by dataLimit',
  unchangeable: "can't be changed",
  observed: 'differs, only observed',
  unknown: 'cannot be compared',
};

/** One heading with what is below it, as a table or as sentences. */
interface Section {
  readonly title: string;
  readonly columns?: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** A sentence below each row. */
  readonly below?: readonly string[];
  readonly sentences: readonly string[];
  /** Each row compares two values. */
  readonly compares?: boolean;
}

/** The explanation as lines for a person. Pure. `now`: milliseconds since the epoch. */
export function explanationLines(explanation: Explanation, screen: Screen, now: number): string[] {
  const { standing, presence } = explanation;
  const where = standing.namespace === undefined ? '' : ` in namespace ${harmless(standing.namespace)}`;
  const since = standing.since === undefined ? '' : ` for ${sinceText(standing.since, now)}`;
  const waits = standing.waiting === undefined ? '' : `, ${waitsText(standing)}`;
  const head = `${objectText(standing)}${where}: `;
  return [
    ...presence.messages.flatMap((message) =>
      folded(`! ${message}`, '', screen).map((line) => painted(screen, 'yellow', line)),
    ),
    ...folded(`${head}${standing.state}${since}${waits}`, '', screen).map((line) =>
      // Names are in lower case, so that only the state is spelled so.
      line.replace(standing.state, (state) => painted(screen, paintOf[standing.state], state)),
    ),
    ...(standing.message === '' ? [] : folded(cutTo(harmless(standing.message), LONGEST_TEXT), INDENT, screen)),
    ...sectionsOf(explanation, now).flatMap((section) => sectionLines(section, screen)),
  ];
}

/** The same as Markdown. Pure. */
export function explanationMarkdown(explanation: Explanation, now: number): string[] {
  const { standing, presence } = explanation;
  const plain = (cell: Cell) => markdownCell(typeof cell === 'string' ? cell : cell.text);
  return [
    ...presence.messages.flatMap((message) => [`> ${markdownCell(message)}`, '']),
    `**${markdownCell(objectText(standing))}**${standing.namespace === undefined ? '' : ` in namespace ${markdownCell(standing.namespace)}`}: ${standing.state}`,
    '',
    ...(standing.message === '' ? [] : [markdownLine(standing.message), '']),
    ...sectionsOf(explanation, now).flatMap(({ title, columns, rows: bare, below, sentences }) => {
      const rows = bare.map((row, index) => [...row, ...(below ? [below[index] ?? ''] : [])]);
      return [
        `### ${title}`,
        '',
        ...(rows.length === 0
          ? []
          : [
              `| ${(columns ?? rows[0]?.map(() => '') ?? []).join(' | ')} |`,
              `|${(rows[0] ?? []).map(() => '---').join('|')}|`,
              ...rows.map((row) => `| ${row.map(plain).join(' | ')} |`),
              '',
            ]),
        ...sentences.flatMap((sentence) => [`- ${markdownCell(sentence)}`]),
        ...(sentences.length > 0 ? [''] : []),
      ];
    }),
  ];
}

function sectionsOf(explanation: Explanation, now: number): Section[] {
  const { conditions, facts, fields, drift, approval, events, eventsNote, next, standing } = explanation;
  const value = (text: string | undefined) => (text === undefined ? '-' : cutTo(harmless(text), LONGEST_VALUE));
  const sections: Section[] = [
    { title: 'What it is', rows: facts.map(([name, text]) => [name, harmless(text)]), sentences: [] },
    {
      title: 'Conditions',
      columns: ['TYPE', 'STATUS', 'REASON', 'SINCE', 'GENERATION'],
      rows: conditions.map(({ type, status, reason, since, generation }) => [
        harmless(type),
        { text: harmless(status), paint: status === 'True' && type !== 'Stalled' ? 'green' : 'yellow' },
        harmless(reason),
        sinceText(since, now),
        generation === undefined ? '-' : String(generation),
      ]),
      // That of the one that holds it stands above.
      sentences: [...new Set(conditions.map(({ message }) => message))]
        .filter((message) => message !== '' && message !== standing.message)
        .map((message) => cutTo(harmless(message), LONGEST_TEXT)),
    },
    {
      title: 'What the spec asks, and what was written last',
      compares: true,
      columns: ['FIELD', 'SPEC', 'WRITTEN', 'STATE'],
      rows: fields.map((field) => [
        fieldShown(field),
        value(field.spec),
        value(field.applied),
        {
          text: differences[field.difference],
          paint: field.difference === 'same' || field.difference === 'kept' ? 'faint' : 'yellow',
        },
      ]),
      sentences: [
        ...new Set(fields.flatMap((field) => (field.note === undefined ? [] : `${fieldShown(field)}: ${field.note}.`))),
      ].map(harmless),
    },
    {
      title: 'What the service has instead',
      compares: true,
      columns: ['FIELD', 'WANTED', 'FOUND'],
      rows: drift.map(({ field, desired, observed }) => [harmless(field), value(desired), value(observed)]),
      sentences: [],
    },
    ...(approval ? [approvalSection(approval, now)] : []),
    {
      title: 'Recent events',
      rows: (events ?? []).map(({ at, type, reason, count }) => [
        sinceText(at, now),
        { text: harmless(type), paint: type === 'Warning' ? 'yellow' : 'faint' },
        harmless(reason) + (count > 1 ? ` (${count} times)` : ''),
      ]),
      below: (events ?? []).map(({ message }) => cutTo(harmless(message), LONGEST_TEXT)),
      sentences: eventsNote === undefined ? [] : [harmless(eventsNote)],
    },
    { title: 'What to do', rows: [], sentences: next },
  ];
  return sections.filter(({ rows, sentences }) => rows.length > 0 || sentences.length > 0);
}

function approvalSection({ waits, annotation, underWay, last }: ApprovalStory, now: number): Section {
  const calls = (count: number) => `${count} ${count === 1 ? 'call' : 'calls'}`;
  const by = annotation?.manager === undefined ? '' : `, written by ${annotation.manager}`;
  const rows: [string, string | undefined][] = [
    [
      'Waits',
      waits &&
        `${waits.hash}: ${calls(waits.calls.length)}${waits.since === undefined ? '' : `, for ${sinceText(waits.since, now)}`}`,
    ],
    ['Being carried out', underWay && `${underWay.hash}: ${calls(underWay.callsLeft)} left`],
    [
      'Annotation',
      annotation && `${annotation.value}${by}${annotation.at ? `, ${sinceText(annotation.at, now)} ago` : ''}`,
    ],
    ['Carried out last', last && `${last.hash}, ${sinceText(last.at, now)} ago`],
  ];
  const fields = (waits?.calls ?? []).flatMap(({ step, fields: changed }) =>
    changed.length === 0
      ? [step]
      : changed.map(({ field, before, after }) => `${step}: ${field}: ${before} → ${after}`),
  );
  return {
    title: 'Approval',
    rows: rows.flatMap(([name, text]) => (text === undefined ? [] : [[name, cutTo(harmless(text), LONGEST_VALUE)]])),
    sentences: [
      ...fields.map((text) => cutTo(harmless(text), LONGEST_TEXT)),
      ...(waits?.continues ? ['More is to be done after that, and will be asked for then.'] : []),
      ...(waits?.outdated ? ['The spec has changed since: another plan is about to be asked for.'] : []),
      ...(annotation && waits && annotation.value !== waits.hash
        ? ['The annotation is not the hash of the plan that waits.']
        : []),
      ...(annotation ? ['Which person wrote the annotation, only the audit log of the cluster can tell.'] : []),
    ],
  };
}

function sectionLines({ title, columns, rows, below, sentences, compares }: Section, screen: Screen): string[] {
  const inner: Screen = {
    ...screen,
    columns: screen.columns === undefined ? undefined : screen.columns - INDENT.length,
  };
  const shape = (columns ?? rows[0]?.map(() => '') ?? []).map((name) => ({ title: name, least: 8 }));
  const table = compares ? comparisonLines(columns ?? [], rows, inner) : tableLines(shape, rows, inner);
  const lines = rows.length === 0 ? [] : table.slice(columns ? 0 : 1);
  return [
    '',
    ...folded(title, '', screen).map((line) => painted(screen, 'bold', line)),
    ...lines.flatMap((line, index) => {
      const sentence = below?.[columns ? index - 1 : index];
      return [INDENT + line, ...(sentence === undefined ? [] : folded(sentence, INDENT + INDENT, screen))];
    }),
    ...sentences.flatMap((sentence) => folded(sentence, INDENT, screen)),
  ];
}
