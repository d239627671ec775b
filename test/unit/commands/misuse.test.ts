import { Command, CommanderError } from 'commander';
import { expect, it } from 'vitest';
import { accountCommand } from '../../../src/commands/account.ts';
import { hintFor, unknownTopic } from '../../../src/commands/misuse.ts';
import { planCommand } from '../../../src/commands/plan.ts';

/** The hint of a command line that is not understood. */
async function hintOf(line: string): Promise<string> {
  const program = new Command('kubectl edgeline');
  for (const command of [planCommand(), accountCommand()]) program.addCommand(command);
  for (const one of [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)])
    one.exitOverride().configureOutput({ writeErr: () => undefined });
  const words = line.split(' ');
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return hintFor(program, words, error);
    throw error;
  }
  return 'it was understood';
}

it.each([
  ['stauts', '`kubectl edgeline --help` says what there is.'],
  ['plan -f', '`kubectl edgeline plan --help` says what there is.'],
  ['account default', '`kubectl edgeline account --help` says what there is.'],
  ['account budget default', '`kubectl edgeline account budget --help` says what there is.'],
  ['--context east plan', 'Flags follow the command, as in: kubectl edgeline status -n fleet.'],
])('edgeline %s is told where to look', async (line, hint) => {
  expect(await hintOf(line)).toBe(hint);
});

it('a path without -f is told how to write it', async () => {
  await expect(hintOf('plan fleet')).rejects.toMatchObject({
    message: '"fleet" is not understood',
    advice: 'Write -f fleet if these are the manifests.',
  });
});

it.each([
  ['help verify', 'verify'],
  ['verify --help', 'verify'],
  ['help account verify', 'verify'],
  ['account verify -h', 'verify'],
  ['help', undefined],
  ['help plan', undefined],
  ['help account budget', undefined],
  ['account budget default --help', undefined],
  ['--help', undefined],
  ['plan -f fleet --help', undefined],
  ['stauts', undefined],
])('edgeline %s asks for help on no command: %s', (line, topic) => {
  const program = new Command('edgeline');
  for (const command of [planCommand(), accountCommand()]) program.addCommand(command);
  expect(unknownTopic(program, line.split(' '))).toBe(topic);
});
