import { harmless } from '../text/harmless.ts';
import { painted, type Screen } from '../text/screen.ts';
import { wrap } from '../text/width.ts';
import type { WaitingPlan } from './waiting.ts';

/** A plan as lines for whoever approves it: all of it, field by field. Pure. */
export function planLines(title: string, { hash, calls, continues }: WaitingPlan, screen: Screen): string[] {
  return [
    `${painted(screen, 'bold', harmless(title))}  ${painted(screen, 'faint', harmless(hash))}`,
    ...calls.flatMap(({ step, fields }) => [
      `  ${painted(screen, 'yellow', harmless(step))}`,
      ...fields.flatMap(({ field, before, after }) => folded(`${field}: ${before} → ${after}`, screen)),
    ]),
    ...(continues ? ['  More is to be done after that, and will be asked for then.'] : []),
    '',
  ];
}

function folded(text: string, screen: Screen): string[] {
  const indent = '    ';
  const shown = harmless(text);
  if (screen.columns === undefined) return [indent + shown];
  return wrap(shown, Math.max(1, screen.columns - indent.length)).map((line) => indent + line);
}
