import { Argument, Command, InvalidArgumentError } from 'commander';
import { type Answer } from '../cli/ask/answer.ts';
import type { Work } from '../cli/ask/run.ts';
import type { ServerPlace, serverOperations } from '../cli/ask/server.ts';
import { type Duration, parseDuration, parseText } from './arguments.ts';
import { type AskFlags, parseID, withAskFlags, withZoneFlag } from './ask-flags.ts';
import { surroundingsOfCommand } from './cluster-flags.ts';
import { endProcess } from './end.ts';

/** Where servers are, unless said otherwise. */
const ZONE = 'is1a';

interface Flags extends AskFlags {
  readonly zone: string;
}
type Operations = typeof serverOperations;

/** `edgeline server`: the operations on servers, which no resource is about. */
export function serverCommand(): Command {
  const command = new Command('server').description(
    'look at, switch, reset and see a server, which no resource is about',
  );
  const add = (name: string, description: string) => {
    const one = new Command(name).description(description).argument('<id>', 'the ID of the server', parseID);
    command.addCommand(withAskFlags(withZoneFlag(one, ZONE)).exitOverride());
    return one;
  };
  add('show', 'what the service says of it').action((id: string, flags: Flags) =>
    run(id, flags, (operations, work, place) => operations.show(work, place)),
  );
  add('power', 'whether it runs; or switch it on or off')
    .addArgument(
      // Choices for completion; the parser says what to write.
      new Argument('[state]', 'on, or off, which shuts it down').choices(['on', 'off']).argParser(parseState),
    )
    .option('--force', 'with off: at once, without a shutdown', false)
    .action((id: string, state: 'on' | 'off' | undefined, flags: Flags & { readonly force: boolean }) =>
      run(id, flags, (operations, work, place) => {
        if (state === 'on') return operations.on(work, place);
        return state === 'off' ? operations.off(work, place, flags.force) : operations.power(work, place);
      }),
    );
  add('plan', 'change its plan; it has another ID afterwards')
    .argument('<plan>', 'the ID of the plan', parsePlan)
    .action((id: string, plan: string, flags: Flags) =>
      run(id, flags, (operations, work, place) => operations.plan(work, place, plan)),
    );
  add('monitor', 'its processor time')
    .option('--since <time>', 'from when on, such as 6h or 7d (default: what the service chooses)', parseDuration)
    .action((id: string, flags: Flags & { readonly since?: Duration }) =>
      run(id, flags, (operations, work, place) => operations.monitor(work, place, flags.since?.milliseconds)),
    );
  add('reset', 'reset it, as its button does').action((id: string, flags: Flags) =>
    run(id, flags, (operations, work, place) => operations.reset(work, place)),
  );
  add('keyboard', 'press keys on its keyboard, all together')
    .argument('<key...>', 'the keys, for example ctrl alt delete', parseKeys)
    .action((id: string, keys: readonly string[], flags: Flags) =>
      run(id, flags, (operations, work, place) => operations.keyboard(work, place, keys)),
    );
  add('vnc-snapshot', 'store a picture of its screen')
    .option('--out <file>', 'the file to write (default: server-ID.png)', parseText)
    .option('--force', 'write over a file that is there', false)
    .action((id: string, flags: Flags & { readonly out?: string; readonly force: boolean }) =>
      run(id, flags, (operations, work, place) =>
        operations.snapshot(work, place, async (image, extension) => {
          const { refuseTaken, writeOutputs } = await import('./import-files.ts');
          const file = { name: flags.out ?? `server-${id}.${extension}`, text: image, mode: 0o600 };
          await refuseTaken([file], { out: undefined, secretsFile: undefined, force: flags.force });
          await writeOutputs([file]);
          return file.name;
        }),
      ),
    );
  return command.addHelpText('after', () => help(command));
}

function help(command: Command): string {
  const name = `${command.parent?.name() ?? 'edgeline'} server`;
  return `
Examples:
  ${name} power 113300000001 --zone tk1b
  ${name} power 113300000001 off
  ${name} keyboard 113300000001 ctrl alt delete
  ${name} vnc-snapshot 113300000001 --out screen.png

Each goes through an account's own limits, with your permission to read its Secrets.`;
}

async function run(
  id: string,
  flags: Flags,
  operation: (operations: Operations, work: Work, place: ServerPlace) => Promise<Answer>,
): Promise<void> {
  const [{ ask }, { serverOperations: operations }] = await Promise.all([
    import('../cli/ask/run.ts'),
    import('../cli/ask/server.ts'),
  ]);
  const account = async () => flags.account;
  await ask(flags, surroundingsOfCommand(), account, (work) => operation(operations, work, { zone: flags.zone, id }));
  endProcess(0);
}

function parseState(text: string): 'on' | 'off' {
  if (text !== 'on' && text !== 'off') throw new InvalidArgumentError('Write on or off, or nothing to see how it is.');
  return text;
}

function parsePlan(text: string): string {
  if (!/^\d{1,12}$/.test(text)) throw new InvalidArgumentError('Write the ID of a plan, a number.');
  return text;
}

function parseKeys(text: string, keys: readonly string[] = []): readonly string[] {
  if (!/^[\w-]{1,20}$/.test(text)) throw new InvalidArgumentError('Write names of keys, for example ctrl alt delete.');
  return [...keys, text];
}
