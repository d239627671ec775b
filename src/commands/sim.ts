import { Command } from 'commander';
import type { Answer } from '../cli/ask/answer.ts';
import type { Work } from '../cli/ask/run.ts';
import type { simOperations } from '../cli/ask/sim.ts';
import type { Subject } from '../cli/ask/subject.ts';
import { type Duration, parseDuration } from './arguments.ts';
import { type AskFlags, withAskFlags, withCountFlag } from './ask-flags.ts';
import { surroundingsOfCommand } from './cluster-flags.ts';
import { endProcess } from './end.ts';

type Operations = typeof simOperations;
type Operation = (operations: Operations, work: Work & { readonly subject: Subject }) => Promise<Answer>;

const DAY_MILLISECONDS = 86_400_000;

/** `edgeline sim`: what a person asks of a SIM. */
export function simCommand(): Command {
  const command = new Command('sim').description('look at a SIM: its state, its session log and metrics; reconnect it');
  const add = (name: string, description: string) => {
    const one = new Command(name).description(description).argument('<sim>', 'the name of a Sim, or an ID');
    command.addCommand(withAskFlags(one).exitOverride());
    return one;
  };
  add('show', 'what the service says of it now').action((sim: string, flags: AskFlags) =>
    run(sim, flags, (operations, work) => operations.show(work)),
  );
  withCountFlag(add('logs', 'its session log, newest first')).action(
    (sim: string, flags: AskFlags & { readonly count: number }) =>
      run(sim, flags, (operations, work) => operations.logs(work, flags.count)),
  );
  add('metrics', 'what it sent and received, in bits a second')
    .option('--since <time>', 'from when on, such as 6h or 7d (default: 1d)', parseDuration)
    .action((sim: string, flags: AskFlags & { readonly since?: Duration }) =>
      run(sim, flags, (operations, work) => operations.metrics(work, flags.since?.milliseconds ?? DAY_MILLISECONDS)),
    );
  add('reconnect', 'end its session, so that it begins another').action((sim: string, flags: AskFlags) =>
    run(sim, flags, (operations, work) => operations.reconnect(work)),
  );
  for (const activated of [true, false]) {
    add(
      activated ? 'activate' : 'deactivate',
      `${activated ? 'activate' : 'deactivate'} one whose Sim leaves that open`,
    )
      .option('--force', 'also if the operator would undo it, or somebody has stopped the account', false)
      .action((sim: string, flags: AskFlags & { readonly force: boolean }) =>
        run(sim, { ...flags, evenIfStopped: flags.force }, (operations, work) =>
          operations.activate(work, activated, flags.force),
        ),
      );
  }
  return command.addHelpText('after', () => help(command));
}

function help(command: Command): string {
  const name = `${command.parent?.name() ?? 'edgeline'} sim`;
  return `
Examples:
  ${name} logs truck-17 -n fleet
  ${name} metrics truck-17 --since 7d -o json
  ${name} reconnect 113300000017

Each goes through an account's own limits, with your permission to read its Secrets.`;
}

async function run(sim: string, flags: AskFlags, operation: Operation): Promise<void> {
  const [{ askAbout }, { simOperations: operations }] = await Promise.all([
    import('../cli/ask/run.ts'),
    import('../cli/ask/sim.ts'),
  ]);
  await askAbout('Sim', sim, flags, surroundingsOfCommand(), (work) => operation(operations, work));
  endProcess(0);
}
