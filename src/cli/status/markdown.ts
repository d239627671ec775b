import { markdownCell } from '../output.ts';
import { type StatusReport, shownOf } from './report.ts';
import { objectText, sinceText, waitingText, warningText } from './words.ts';

/** The report as Markdown, for an issue or a chat. Pure. `now`: milliseconds since the epoch. */
export function statusMarkdown(report: StatusReport, showAll: boolean, now: number): string[] {
  const shown = shownOf(report, showAll);
  const notes = [
    ...report.presence.messages,
    ...report.notShown.map(({ kind, why }) => `${kind}: ${why}; not shown.`),
  ].flatMap((note) => [`> ${markdownCell(note)}`, '']);
  const rows = shown.map((one) =>
    [
      one.namespace ?? '',
      objectText(one),
      one.state,
      one.reason,
      sinceText(one.since, now),
      waitingText(one),
      [one.state === 'Ready' ? undefined : one.message, warningText(one)].filter(Boolean).join(' '),
      one.state === 'Ready' ? '' : (one.advice ?? ''),
    ]
      .map(markdownCell)
      .join(' | '),
  );
  const table =
    rows.length === 0
      ? []
      : [
          '| namespace | object | state | reason | since | waits for | message | what to do |',
          '|---|---|---|---|---|---|---|---|',
          ...rows.map((row) => `| ${row} |`),
          '',
        ];
  const counts = report.counts.map(
    ({ kind, ready, total, warnings }) => `| ${kind} | ${ready} | ${total} | ${warnings} |`,
  );
  return [...notes, ...table, '| kind | ready | total | warnings |', '|---|---|---|---|', ...counts];
}
