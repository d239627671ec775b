import type { Command, Option } from 'commander';
import type { KindName } from '../kinds.ts';

/** What the cluster or the kubeconfig has to say which words are possible; a kind: the names of its objects. */
export type Source = 'namespace' | 'context' | 'object' | 'exported' | 'file' | KindName;

/** Which words may stand at the end of a command line. */
export interface Possible {
  readonly choices: readonly { readonly word: string; readonly about: string }[];
  readonly source: Source | undefined;
  /** The values of flags before it, by the long name. */
  readonly flags: Readonly<Record<string, string>>;
  /** The command it is of. */
  readonly command: string;
}

const sources: Readonly<Record<string, Source>> = {
  namespace: 'namespace',
  context: 'context',
  kubeconfig: 'file',
  resource: 'object',
  selection: 'exported',
  sim: 'Sim',
  gateway: 'MobileGateway',
  site: 'WebAccelSite',
  account: 'CloudAccount',
};

/**
 * Which words may stand where the last of `words` is, by the definition of the commands alone; not yet compared with what
 * that word begins with. Pure.
 */
export function possibleWords(program: Command, words: readonly string[]): Possible {
  const before = words.slice(0, -1);
  const last = words.at(-1) ?? '';
  const flags: Record<string, string> = {};
  let command = program;
  let takes: Option | undefined;
  let isLiteral = false;
  let count = 0;
  for (const word of before) {
    if (takes) {
      flags[takes.name()] = word;
      takes = undefined;
    } else if (word === '--') isLiteral = true;
    else if (!isLiteral && word.startsWith('-')) {
      const [name = '', value] = word.split('=', 2);
      const option = optionsOf(command).find(({ long, short }) => long === name || short === name);
      if (option && value !== undefined) flags[option.name()] = value;
      else if (option?.required) takes = option;
      else if (option) flags[option.name()] = '';
    } else {
      const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
      if (next && count === 0) command = next;
      else count++;
    }
  }
  const made = (choices: Possible['choices'], source?: Source): Possible => ({
    choices,
    source,
    flags,
    command: command.name(),
  });
  if (takes) return made(wordsOf(takes.argChoices), sources[takes.name()] ?? fileOf(takes.flags));
  if (!isLiteral && last.startsWith('-')) {
    return made(
      optionsOf(command)
        .filter((option) => !option.hidden && !(option.name() in flags && !option.variadic))
        .flatMap(({ long, short, description }) =>
          [long, last.startsWith('--') ? undefined : short].flatMap((word) =>
            word ? [{ word, about: description }] : [],
          ),
        ),
    );
  }
  if (command.commands.length > 0 && count === 0) {
    return made(
      command
        .createHelp()
        .visibleCommands(command)
        .map((one) => ({ word: one.name(), about: one.description() })),
    );
  }
  const { registeredArguments } = command;
  const argument = registeredArguments[count] ?? registeredArguments.findLast(({ variadic }) => variadic);
  return argument ? made(wordsOf(argument.argChoices), sources[argument.name()] ?? fileOf(argument.name())) : made([]);
}

function optionsOf(command: Command): readonly Option[] {
  return command.createHelp().visibleOptions(command);
}

function wordsOf(choices: readonly string[] | undefined): Possible['choices'] {
  return (choices ?? []).map((word) => ({ word, about: '' }));
}

/** A value that is called so is a path. */
function fileOf(text: string): Source | undefined {
  return /\b(?:file|directory|dir|path)\b/i.test(text) ? 'file' : undefined;
}
