import { Command } from 'commander';
import type { Answer } from '../cli/ask/answer.ts';
import type { gatewayOperations } from '../cli/ask/gateway.ts';
import type { Work } from '../cli/ask/run.ts';
import type { Subject } from '../cli/ask/subject.ts';
import { type AskFlags, withAskFlags, withCountFlag, withZoneFlag } from './ask-flags.ts';
import { surroundingsOfCommand } from './cluster-flags.ts';
import { endProcess } from './end.ts';

type Operations = typeof gatewayOperations;
type Operation = (operations: Operations, work: Work & { readonly subject: Subject }) => Promise<Answer>;

/** `edgeline gateway`: what a person asks of a mobile gateway. */
export function gatewayCommand(): Command {
  const command = new Command('gateway').description(
    'look at a mobile gateway: its SIMs, its session log, its traffic',
  );
  const add = (name: string, description: string) => {
    const one = new Command(name)
      .description(description)
      .argument('<gateway>', 'the name of a MobileGateway, or an ID, with --zone');
    command.addCommand(withAskFlags(withZoneFlag(one)).exitOverride());
    return one;
  };
  add('sims', 'the SIMs that are registered with it').action((gateway: string, flags: AskFlags) =>
    run(gateway, flags, (operations, work) => operations.sims(work)),
  );
  withCountFlag(add('logs', 'the session log of its SIMs, newest first')).action(
    (gateway: string, flags: AskFlags & { readonly count: number }) =>
      run(gateway, flags, (operations, work) => operations.logs(work, flags.count)),
  );
  add('traffic', 'the traffic of the month, and its limits').action((gateway: string, flags: AskFlags) =>
    run(gateway, flags, (operations, work) => operations.traffic(work)),
  );
  return command.addHelpText('after', () => help(command));
}

function help(command: Command): string {
  const name = `${command.parent?.name() ?? 'edgeline'} gateway`;
  return `
Examples:
  ${name} sims depot -n fleet
  ${name} traffic 113300000101 --zone is1b

Each goes through an account's own limits, with your permission to read its Secrets.`;
}

async function run(gateway: string, flags: AskFlags, operation: Operation): Promise<void> {
  const [{ askAbout }, { gatewayOperations: operations }] = await Promise.all([
    import('../cli/ask/run.ts'),
    import('../cli/ask/gateway.ts'),
  ]);
  await askAbout('MobileGateway', gateway, flags, surroundingsOfCommand(), (work) => operation(operations, work));
  endProcess(0);
}
