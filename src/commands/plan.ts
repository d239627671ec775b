import { Command, Option } from 'commander';
import { UsageError } from '../cli/errors.ts';
import type { Output } from '../cli/output.ts';
import { harmless } from '../cli/text/harmless.ts';
import type { Applying } from '../plan/manifests/applying.ts';
import { parseCount, parseText } from './arguments.ts';
import { type ClusterFlagValues, surroundingsOfCommand, withClusterFlags, withOutputFlag } from './cluster-flags.ts';
import { endProcess } from './end.ts';
import { type ManifestFlags, withManifestFlags } from './manifest-flags.ts';

interface Flags extends ClusterFlagValues, ManifestFlags {
  readonly serverSide: boolean;
  readonly fieldManager?: string;
  readonly forceConflicts: boolean;
  readonly prune: boolean;
  readonly selector?: string;
  readonly maxRequests: number;
  readonly output: Output;
}

/** Requests of web acceleration's hour that a plan may send, unless it is told of another number. */
const MOST_REQUESTS = 50;
const MOST_OF_AN_HOUR = 500;

/** `edgeline plan`: what would change at the service, call by call. */
export function planCommand(): Command {
  const command = new Command('plan').description(
    'show what applying manifests would change at the service, call by call and field by field, without a write there',
  );
  withManifestFlags(command.allowExcessArguments());
  withClusterFlags(command, 'one')
    .option('--server-side', 'they are applied with kubectl apply --server-side', false)
    .option('--field-manager <name>', 'for --server-side: under which name; default kubectl', parseText)
    .option('--force-conflicts', 'for --server-side: what others have set is overwritten', false)
    .option('--prune', 'show also the deletion of what has the labels of -l and is not in the manifests', false)
    .option('-l, --selector <labels>', 'for --prune: the labels of what these manifests look after', parseText)
    .addOption(
      new Option('--max-requests <number>', 'most requests of web acceleration’s hour that it may send')
        .argParser(parseCount(MOST_OF_AN_HOUR))
        .default(MOST_REQUESTS),
    );
  return withOutputFlag(command)
    .addHelpText('after', () => help(command))
    .action(run);
}

function help(command: Command): string {
  const name = `${command.parent?.name() ?? 'edgeline'} plan`;
  return `
Examples:
  ${name} -f fleet/                                   # the manifests of a directory
  ${name} -k overlays/production -n fleet             # what kubectl kustomize makes of it
  ${name} -f fleet/ --prune -l app.kubernetes.io/instance=fleet
  ${name} -f fleet/ --server-side --field-manager argocd-controller --force-conflicts   # as Argo CD may apply
  ${name} -f fleet/ -o markdown > comment.md          # for a pull request
  kustomize build . | ${name} -f -

Exit codes:
  0  nothing would be written at the service
  1  it failed, or the apiserver would refuse a manifest, or the command line was not understood
  2  something would be written, at once or when a person lets go of what a brake holds, or could not be looked at

It reads the account's Secret and the Secrets that the manifests need; what may not be read is told. It writes nothing but, where
it sends requests of web acceleration, their number into the account's status, so that the operator counts them.`;
}

function applyingOf({ serverSide, fieldManager, forceConflicts }: Flags): Applying {
  if (serverSide) return { by: 'server', manager: fieldManager ?? 'kubectl', force: forceConflicts };
  if (fieldManager !== undefined || forceConflicts)
    throw new UsageError(
      `${forceConflicts ? '--force-conflicts' : '--field-manager'} is only for --server-side`,
      'Add --server-side if that is how you apply; otherwise leave it out.',
    );
  return { by: 'client' };
}

async function run(flags: Flags, { args: [word] }: Command): Promise<void> {
  if (word !== undefined)
    throw new UsageError(
      `"${harmless(word)}" is not understood`,
      `Write -f ${harmless(word)} if these are the manifests.`,
    );
  const { readGiven } = await import('./plan-files.ts');
  // With --prune, nothing is what deletes everything that has the labels.
  const manifests = await readGiven(flags, { mayBeNone: flags.prune });
  const { runPlan } = await import('../plan/run.ts');
  endProcess(await runPlan({ ...flags, manifests, applying: applyingOf(flags) }, surroundingsOfCommand()));
}
