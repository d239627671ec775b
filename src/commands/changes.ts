import { Command, Option } from 'commander';
import type { Output } from '../cli/output.ts';
import { type Duration, parseDuration, parseText } from './arguments.ts';
import { type ClusterFlagValues, surroundingsOfCommand, withClusterFlags, withOutputFlag } from './cluster-flags.ts';
import { endProcess } from './end.ts';

interface Flags extends ClusterFlagValues {
  readonly selector?: string;
  readonly since: Duration;
  readonly output: Output;
}

/** `edgeline changes`: what was written to the service of late, for what, and why. */
export function changesCommand(): Command {
  const command = new Command('changes')
    .description('show what was written to the service of late: which fields, from what to what, and why; newest last')
    .argument('[resource...]', 'KIND or KIND/NAME, as sim or sim/truck-17 (default: all kinds)');
  withClusterFlags(command, 'any')
    .option('-l, --selector <labels>', 'only objects that exist and have these labels', parseText)
    .addOption(
      new Option('--since <time>', 'how far back, as 30m, 2h or 1d')
        .argParser(parseDuration)
        .default(parseDuration('1h'), '1h'),
    );
  return withOutputFlag(command)
    .addHelpText('after', () => help(command))
    .action(run);
}

function help(command: Command): string {
  const name = `${command.parent?.name() ?? 'edgeline'} changes`;
  return `
Examples:
  ${name}                          # of the last hour, in the namespace of the context
  ${name} sim/truck-17 --since 2h  # of one Sim
  ${name} -A -l team=east          # of what has a label, in all namespaces
  ${name} -o json | jq '.changes[] | select(.cause == "DriftRepaired")'

Exit codes:
  0  it was shown, also if there was none
  1  it failed, or the command line was not understood

It is told from Events, which a cluster keeps for an hour by default; the log of the operator has every request:
docs/reference/changes.md. No Secret is read.`;
}

async function run(targets: string[], flags: Flags): Promise<void> {
  const { runChanges } = await import('../cli/changes/run.ts');
  await runChanges({ ...flags, targets }, surroundingsOfCommand());
  endProcess(0);
}
