import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { askYesNo } from '../../../src/commands/ask.ts';

it.each([
  ['y', 'y\r', true],
  ['Yes', ' Yes \r', true],
  ['no', 'n\r', false],
  ['something else', 'yeah\r', false],
  ['nothing', '\r', false],
  ['Ctrl-C', '\u0003', false],
  ['Ctrl-C after a y', 'y\u0003', false],
  ['Ctrl-D', '\u0004', false],
])('a person who answers %s', async (_, keys, expected) => {
  const input = new PassThrough();
  const output = Object.assign(new PassThrough(), { isTTY: true });
  const answer = askYesNo('Approve this plan? [y/N] ', { input, output });
  input.write(keys);
  expect(await answer).toBe(expected);
  expect(String(output.read())).toMatch(/^.*Approve this plan\? \[y\/N\] [^]*\r?\n$/);
});

it('a terminal that is gone has not said yes', async () => {
  const input = new PassThrough();
  const answer = askYesNo('Approve this plan? [y/N] ', { input, output: new PassThrough() });
  input.end();
  expect(await answer).toBe(false);
});
