import { harmless } from '../../cli/text/harmless.ts';
import { type Paint, painted, type Screen } from '../../cli/text/screen.ts';
import { cutTo, wrapHanging } from '../../cli/text/width.ts';
import type { FieldChange, PlannedCall } from '../call.ts';
import { byResource, remarksOf, summaryOf, unsettledLines } from '../report.ts';
import type { Plan } from '../result.ts';

/** Characters of a value or a message that a person is shown; `-o json` has all of them. */
const LONGEST = 1000;
const paints: Readonly<Record<string, Paint>> = { POST: 'green', DELETE: 'red', PUT: 'yellow' };

/** The plan as lines for a person. Pure. */
export function planTable(plan: Plan, screen: Screen): string[] {
  const groups = byResource(plan).flatMap(({ title, calls }) => [
    painted(screen, 'bold', harmless(title)),
    ...calls.flatMap((call) => callLines(call, screen)),
    '',
  ]);
  return [
    ...section(
      'Refused:',
      plan.refused.map(({ source, what, message }) => `${source}: ${what}: ${message}`),
      'red',
      screen,
    ),
    ...groups,
    ...section('Sent only when a person has approved it:', plan.unapproved, 'yellow', screen),
    ...section('Sent only when edgeline.dev/paused is taken off:', plan.paused, 'yellow', screen),
    ...section('Not in sync afterwards:', unsettledLines(plan), 'yellow', screen),
    ...section('Not decided:', plan.undecided, 'yellow', screen),
    ...section('Not looked at:', plan.notLookedAt, 'yellow', screen),
    ...folded(summaryOf(plan), '', screen),
  ];
}

function callLines(call: PlannedCall, screen: Screen): string[] {
  const { method, path, fields } = call;
  const maybe = remarksOf(call).map((remark) => `  (${remark})`);
  return [
    `  ${painted(screen, paints[method], method.padEnd(6))} ${harmless(path)}${maybe.join('')}`,
    ...fields.flatMap((field) => folded(`${field.field}: ${valuesText(field)}`, '         ', screen)),
  ];
}

function valuesText({ before, after }: FieldChange): string {
  const [was, is] = [before, after].map((text) => (text === undefined ? undefined : cutTo(harmless(text), LONGEST)));
  if (was === undefined) return is ?? '';
  return `${was} → ${is ?? 'unset'}`;
}

function section(title: string, lines: readonly string[], paint: Paint, screen: Screen): string[] {
  if (lines.length === 0) return [];
  return [
    painted(screen, paint, title),
    ...lines.flatMap((line) => folded(cutTo(harmless(line), LONGEST), '  ', screen)),
    '',
  ];
}

function folded(text: string, indent: string, screen: Screen): string[] {
  return wrapHanging(text, indent.length, screen.columns);
}
