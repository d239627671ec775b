import { Command } from 'commander';
import type { Output } from '../cli/output.ts';
import type { AccountChoice } from '../cli/service/account.ts';
import { parseAccount } from './arguments.ts';
import { type ClusterFlagValues, surroundingsOfCommand, withClusterFlags, withOutputFlag } from './cluster-flags.ts';
import { endProcess } from './end.ts';

interface Flags extends ClusterFlagValues {
  readonly account?: AccountChoice;
  readonly output: Output;
}

/** `edgeline account`: about an account itself. */
export function accountCommand(): Command {
  return new Command('account')
    .description('tell about an account of the service')
    .addCommand(accountBudgetCommand().exitOverride());
}

/** `edgeline account budget`: what is left of its hour. */
export function accountBudgetCommand(): Command {
  const command = new Command('budget').description(
    'show what an account has used of its hour of web acceleration; nothing is sent to the service',
  );
  withClusterFlags(command, 'one').option(
    '--account <account>',
    'the CloudAccount, or ClusterCloudAccount/NAME (default: that of the namespace, else of the cluster, named default)',
    parseAccount,
  );
  return withOutputFlag(command)
    .addHelpText('after', () => help(command))
    .action(run);
}

function help(command: Command): string {
  const name = `${command.parent?.parent?.name() ?? 'edgeline'} account budget`;
  return `
Examples:
  ${name} -n fleet
  ${name} --account ClusterCloudAccount/default -o json | jq .room

Exit codes:
  0  it was shown
  1  it failed
  2  the command line was not understood

The Secret of the account is read with your permissions: it tells whose record it is.`;
}

async function run(flags: Flags): Promise<void> {
  const { runBudget } = await import('../cli/budget/run.ts');
  await runBudget({ ...flags, account: flags.account }, surroundingsOfCommand());
  endProcess(0);
}
