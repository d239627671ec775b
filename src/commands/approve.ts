import { Command } from 'commander';
import { parseText } from './arguments.ts';
import { askYesNo } from './ask.ts';
import { type ClusterFlagValues, surroundingsOfCommand, withClusterFlags } from './cluster-flags.ts';
import { endProcess } from './end.ts';
import { type ManifestFlags, withManifestFlags } from './manifest-flags.ts';

interface Flags extends ClusterFlagValues, ManifestFlags {
  readonly selector?: string;
  readonly hash?: string;
  readonly yes: boolean;
}

/** `edgeline approve`: plans that wait for approval. */
export function approveCommand(): Command {
  const command = new Command('approve')
    .description('show the plans that wait for approval, field by field, and approve them')
    .argument('[resource...]', 'KIND or KIND/NAME, as sim or sim/truck-17');
  withClusterFlags(withManifestFlags(command), 'any')
    .option('-l, --selector <labels>', 'only objects with these labels', parseText)
    .option('--hash <hash>', 'approve the plan only if it has this hash', parseText)
    .option('-y, --yes', 'approve without asking; needed where there is no terminal', false);
  return command.addHelpText('after', () => help(command)).action(run);
}

function help(command: Command): string {
  const name = `${command.parent?.name() ?? 'edgeline'} approve`;
  return `
Examples:
  ${name} sim/truck-17 -n fleet                           # shows the plan, and asks
  ${name} sim/truck-17 -n fleet --hash 3f0c9a1b7d52e846   # that plan, and no other
  ${name} sim gateway -n fleet -l team=east               # all that waits there
  ${name} -f fleet/                                       # all that waits of what these manifests name
  ${name} sim/truck-17 --yes                              # in a script

Exit codes:
  0  what waited is approved, or nothing waited
  1  it failed, or the command line was not understood
  2  something was not approved: nobody said yes, or what was named does not wait or is not in the cluster, or another plan
     waits by now

It sets the annotation edgeline.dev/approve, and nothing else; no Secret is read.`;
}

async function run(targets: string[], flags: Flags): Promise<void> {
  const { runApprove } = await import('../cli/approve/run.ts');
  const manifests = await manifestsOf(flags);
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
  const terminal = { input: process.stdin, output: process.stdout };
  const confirm = isTerminal ? (question: string) => askYesNo(question, terminal) : undefined;
  endProcess(await runApprove({ ...flags, targets, manifests, confirm }, surroundingsOfCommand()));
}

/** What is approved is the plan of what is in the cluster: of a manifest its name counts. */
async function manifestsOf(flags: ManifestFlags) {
  if (flags.filename === undefined && flags.kustomize === undefined) return undefined;
  const { readGiven } = await import('./plan-files.ts');
  const { namedIn } = await import('../cli/approve/find.ts');
  return namedIn(await readGiven(flags));
}
