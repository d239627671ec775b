import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { markdownCell, markdownLine } from '../../../src/cli/output.ts';

it.each([
  ['a mention', 'ask @org/team, or me@example.com', 'ask @&#8203;org/team, or me@&#8203;example.com'],
  ['an issue', 'fixes #17 and o/r#18', 'fixes \\#&#8203;17 and o/r\\#&#8203;18'],
  ['an issue, in words', 'GH-17 gh-18 !19', 'GH-&#8203;17 gh-&#8203;18 !&#8203;19'],
  ['an address', 'https://evil.example www.evil.example', 'https\\://evil.example www\\.evil.example'],
  ['a link', '[x](https://a)', '\\[x\\](https\\://a)'],
  ['a picture', '![x](//a)<img src=x>', '!\\[x\\](//a)\\<img src=x\\>'],
  ['a formula', '$\\text{x}$', '&#36;\\\\text{x}&#36;'],
  ['a code fence', '```\nx', '\\`\\`\\` x'],
  ['a row', 'a | b |\n|---|', 'a \\| b \\| \\|---\\|'],
  ['an entity', '&#64;me', '\\&\\#&#8203;64;me'],
  ['a path', 'PUT /site/113300000301/acl at 12:30', 'PUT /site/113300000301/acl at 12:30'],
])('%s is no markup in a cell', (_, text, shown) => {
  expect(markdownCell(text)).toBe(shown);
});

it('a long text leaves room for others, and no text breaks out of its cell', () => {
  expect(markdownCell('x'.repeat(1_000_000))).toHaveLength(2001);
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('\\', '|', '@', 'a', '#', '$', '\n', '&', '`') }), (text) => {
      const cell = markdownCell(text)
        .replaceAll(/\\[\\|#&`]/g, '')
        .replaceAll(/&#(8203|36);/g, '');
      expect(cell).not.toMatch(/[\\|#&`$\n]/);
    }),
  );
});

it.each(['/close', ' /approve now'])('no line begins with a command for a bot: %s', (text) => {
  expect(markdownLine(text)).toMatch(/^\\\//);
});
