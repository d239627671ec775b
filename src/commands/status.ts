import { Command } from 'commander';
import type { Output } from '../cli/output.ts';
import { parseText } from './arguments.ts';
import {
  type ClusterFlagValues,
  surroundingsOfCommand,
  untilEnded,
  withClusterFlags,
  withOutputFlag,
} from './cluster-flags.ts';
import { endProcess } from './end.ts';

interface Flags extends ClusterFlagValues {
  readonly selector?: string;
  readonly output: Output;
  readonly all: boolean;
  readonly watch: boolean;
}

/** `edgeline status`: what is not Ready or has a warning, why, since when, and what to do. */
export function statusCommand(): Command {
  const command = new Command('status')
    .description('show what is not Ready or has a warning, why, since when, what it waits for, and what to do')
    .argument('[resource...]', 'KIND or KIND/NAME, as sim or sim/truck-17 (default: all kinds)');
  withClusterFlags(command, 'any').option('-l, --selector <labels>', 'only objects with these labels', parseText);
  return withOutputFlag(command)
    .option('--all', 'show also what is Ready', false)
    .option('-w, --watch', 'go on, and print what changes, until Ctrl-C', false)
    .addHelpText('after', () => help(command))
    .action(run);
}

function help(command: Command): string {
  const name = `${command.parent?.name() ?? 'edgeline'} status`;
  return `
Examples:
  ${name}                       # what is not Ready or has a warning in the namespace of the context
  ${name} -A --all              # everything in all namespaces
  ${name} sim gateway/depot     # Sims, and one MobileGateway
  ${name} -l team=east -w       # follow what has a label
  ${name} -A -o json | jq '.objects[].name'

Exit codes:
  0  all is Ready (with --watch: it was ended)
  1  it failed, or the namespace or what was named does not exist, or the command line was not understood
  2  something is not Ready, or no operator looks after it

No Secret is read.`;
}

async function run(targets: string[], flags: Flags): Promise<void> {
  const { runStatus } = await import('../cli/status/run.ts');
  // Only a watch ends in order: what takes long otherwise ends at once.
  const signal = flags.watch ? untilEnded() : new AbortController().signal;
  endProcess(await runStatus({ ...flags, targets }, surroundingsOfCommand(), signal));
}
