import type { Command, CommanderError } from 'commander';

/** What is said after commander's own sentence on a command line that was not understood. Pure. */
export function hintFor(program: Command, words: readonly string[], { code }: Pick<CommanderError, 'code'>): string {
  const [first = ''] = words;
  if (code === 'commander.unknownOption' && first.startsWith('-'))
    return `Flags follow the command, as in: ${program.name()} status -n fleet.`;
  return `\`${commandLine(program, words)} --help\` says what there is.`;
}

/** The command that was meant, as far as there is one: `edgeline sim logs`. */
function commandLine(command: Command, words: readonly string[]): string {
  const next = command.commands.find((one) => one.name() === words[0]);
  return next ? `${command.name()} ${commandLine(next, words.slice(1))}` : command.name();
}

/** The word for which help was asked, and that is no command: help on all there is would not answer. Pure. */
export function unknownTopic(program: Command, words: readonly string[]): string | undefined {
  const [first] = words;
  const isAsked = first === 'help' || words.includes('--help') || words.includes('-h');
  if (!isAsked) return undefined;
  let command = program;
  for (const word of first === 'help' ? words.slice(1) : words) {
    const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (next) command = next;
    else return word.startsWith('-') || command.commands.length === 0 || word === 'help' ? undefined : word;
  }
  return undefined;
}
