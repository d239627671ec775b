import { Command } from 'commander';
import { parseCount, parseNamespace, parseText } from './arguments.ts';
import { type ClusterFlagValues, surroundingsOfCommand, withClusterFlags } from './cluster-flags.ts';
import { endProcess } from './end.ts';

interface Flags extends ClusterFlagValues {
  readonly out?: string;
  readonly operatorNamespace?: string;
  readonly logLines: number;
  readonly force: boolean;
}

/** `edgeline support-bundle`: one file with all that helps to understand what is wrong. */
export function supportBundleCommand(): Command {
  const command = new Command('support-bundle')
    .description('collect resources, events, Leases, logs and metrics into one file, without any secret')
    .option('--out <file>', 'the file to write (default: edgeline-support-TIME.tar.gz)', parseText)
    .option(
      '--operator-namespace <namespace>',
      'where the operator runs (default: where the Leases of the namespace say)',
      parseNamespace,
    )
    .option('--log-lines <count>', 'the last lines of each log that are taken', parseCount(1_000_000), 20_000)
    .option('--force', 'write over a file that is there', false);
  withClusterFlags(command, 'any');
  return command.addHelpText('after', () => help(command)).action(run);
}

function help(command: Command): string {
  const name = `${command.parent?.name() ?? 'edgeline'} support-bundle`;
  return `
Examples:
  ${name} -A
  ${name} -n fleet --out /tmp/fleet.tar.gz

Exit codes:
  0  all of it is in the file
  1  it failed, or the command line was not understood
  3  some of it could not be read, as printed; the rest is in the file

No Secret is read, and what looks like a secret is taken out.`;
}

async function run(flags: Flags): Promise<void> {
  const [{ runSupportBundle }, writer] = await Promise.all([
    import('../cli/support/run.ts'),
    import('./bundle-file.ts'),
  ]);
  endProcess(await runSupportBundle(flags, surroundingsOfCommand(), writer));
}
