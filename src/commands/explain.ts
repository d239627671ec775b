import { Command } from 'commander';
import type { Output } from '../cli/output.ts';
import { type ClusterFlagValues, surroundingsOfCommand, withClusterFlags, withOutputFlag } from './cluster-flags.ts';
import { endProcess } from './end.ts';

interface Flags extends ClusterFlagValues {
  readonly output: Output;
}

/** `edgeline explain`: all there is to say about one object. */
export function explainCommand(): Command {
  const command = new Command('explain')
    .description('explain one object: conditions, what was written and what is to be, drift, events, what to do')
    .allowExcessArguments()
    .argument('<resource>', 'KIND/NAME, as sim/truck-17, gateway/depot, site/www, certificate/www or account/default');
  withClusterFlags(command, 'one');
  return withOutputFlag(command)
    .addHelpText('after', () => help(command))
    .action(run);
}

function help(command: Command): string {
  const name = `${command.parent?.name() ?? 'edgeline'} explain`;
  return `
Examples:
  ${name} sim/truck-17
  ${name} gateway/depot -n fleet
  ${name} account/default -o json | jq -r '.next[]'

Exit codes:
  0  it was explained, however the object is
  1  it failed, or the command line was not understood

No Secret is read.`;
}

async function run(target: string, flags: Flags, { args }: Command): Promise<void> {
  const { runExplain } = await import('../cli/explain/run.ts');
  await runExplain({ ...flags, target, excess: args.slice(1) }, surroundingsOfCommand());
  endProcess(0);
}
