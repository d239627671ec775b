import { expect, it } from 'vitest';
import { planLines } from '../../../../src/cli/approve/render.ts';

const screen = { columns: undefined, colours: false } as const;
const rules = (count: number) => Array.from({ length: count }, (_, index) => `allow 192.0.2.${index}`).join(', ');
const shown = (after: string) =>
  planLines(
    'WebAccelSite web/www',
    {
      hash: '3f0c9a1b7d52e846',
      calls: [{ step: 'setACL', fields: [{ field: 'accessControl', before: 'none', after }] }],
      continues: false,
    },
    screen,
  );

it('whoever approves is told where a value is shown in part, for what comes after it is approved, too', () => {
  const note =
    '    Some values are shown in part: look at the spec before you approve, which the hash is of as a whole.';
  expect(shown(`${rules(60).slice(0, 511)}…`)).toContain(note);
  expect(shown(rules(5))).toEqual([
    'WebAccelSite web/www  3f0c9a1b7d52e846',
    '  setACL',
    `    accessControl: none → ${rules(5)}`,
    '',
  ]);
});
