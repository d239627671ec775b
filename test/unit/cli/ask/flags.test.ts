import { type Command, CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { parseID } from '../../../../src/commands/ask-flags.ts';
import { gatewayCommand } from '../../../../src/commands/gateway.ts';
import { serverCommand } from '../../../../src/commands/server.ts';
import { simCommand } from '../../../../src/commands/sim.ts';
import { siteCommand } from '../../../../src/commands/site.ts';

it.each(['', '1', '../..', '11330000030a', '1133000003011'])('"%s" is no ID', (text) => {
  expect(() => parseID(text)).toThrow('twelve digits');
});

/** What a command line that is not understood is told. */
function refused(command: Command, words: readonly string[]): string {
  let told = '';
  const quiet = (one: Command) => {
    one.exitOverride().configureOutput({ writeErr: (text) => (told += text) });
    for (const inner of one.commands) quiet(inner);
  };
  quiet(command);
  expect(() => command.parse(words, { from: 'user' })).toThrow(CommanderError);
  return told;
}

describe('a command line that cannot be meant is told what to write', () => {
  it.each([
    [serverCommand, ['power', '113300000301', 'up'], 'Write on or off'],
    [serverCommand, ['plan', '113300000301', 'big'], 'Write the ID of a plan'],
    [serverCommand, ['keyboard', '113300000301', 'ctrl', 'a b'], 'Write names of keys'],
    [serverCommand, ['show', 'web-1'], 'twelve digits'],
    [serverCommand, ['show', '113300000301', '--zone', '../x'], 'Write a zone'],
    [simCommand, ['logs', 'truck-17', '--count', '0'], 'Write a whole number from 1 to 1000'],
    [simCommand, ['metrics', 'truck-17', '--since', '1w'], 'Write a time such as'],
    [simCommand, ['show', 'truck-17', '--account', 'Secret/x'], 'Write the name of an account'],
    [gatewayCommand, ['nonsense'], "unknown command 'nonsense'"],
    [siteCommand, ['usage', '--month', '2026-13'], 'Write a month'],
  ])('%o %j', (command, words, told) => {
    expect(refused(command(), words)).toContain(told);
  });
});
