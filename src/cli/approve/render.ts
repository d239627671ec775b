import { harmless } from '../text/harmless.ts';
import { painted, type Screen } from '../text/screen.ts';
import { wrapHanging } from '../text/width.ts';
import type { WaitingPlan } from './waiting.ts';

/** Characters of a value in `status.plan`. */
const LONGEST_VALUE_CHARACTERS = 512;

/** A plan as lines for whoever approves it: all of it, field by field. Pure. */
export function planLines(title: string, { hash, calls, continues }: WaitingPlan, screen: Screen): string[] {
  const isCut = calls.some(({ fields }) => fields.some(({ before, after }) => isPart(before) || isPart(after)));
  return [
    `${painted(screen, 'bold', harmless(title))}  ${painted(screen, 'faint', harmless(hash))}`,
    ...calls.flatMap(({ step, fields }) => [
      `  ${painted(screen, 'yellow', harmless(step))}`,
      ...fields.flatMap(({ field, before, after }) => folded(`${field}: ${before} → ${after}`, screen)),
    ]),
    ...(isCut
      ? folded(
          'Some values are shown in part: look at the spec before you approve, which the hash is of as a whole.',
          screen,
        )
      : []),
    ...(continues ? ['  More is to be done after that, and will be asked for then.'] : []),
    '',
  ];
}

/** As the operator cuts values (`approval-shown.ts`): what comes after that, or is the same before it, nobody sees here. */
function isPart(value: string): boolean {
  return value.startsWith('…') || (value.length >= LONGEST_VALUE_CHARACTERS && value.endsWith('…'));
}

function folded(text: string, screen: Screen): string[] {
  return wrapHanging(harmless(text), 4, screen.columns);
}
