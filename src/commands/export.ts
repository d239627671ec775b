import { Command, InvalidArgumentError } from 'commander';
import type { AccountChoice } from '../cli/service/account.ts';
import { parseAccount, parseCount, parseText } from './arguments.ts';
import { type ClusterFlagValues, surroundingsOfCommand, withClusterFlags } from './cluster-flags.ts';
import { endProcess } from './end.ts';
import type { Output } from './import-files.ts';

/** Manifests were written, but they do not have everything; 2 is a command line that was not understood. */
const EXIT_INCOMPLETE = 3;
const FILE_MODE = 0o644;
const SECRET_MODE = 0o600;
/** The service's own limit of an hour. */
const HOUR_REQUESTS = 500;

interface Flags extends ClusterFlagValues {
  readonly account?: AccountChoice;
  readonly tag?: string[];
  readonly observe: boolean;
  readonly carriers: boolean;
  readonly maxRequests?: number;
  readonly out?: string;
  readonly secrets?: string;
  readonly force: boolean;
}

/** `edgeline export`: manifests of what an account has. */
export function exportCommand(): Command {
  const command = new Command('export')
    .description('write manifests that take over what an account has, without a write at the service')
    .argument(
      '[selection...]',
      'KIND or KIND/NAME, as sim, sim/truck-17 or site/www.example.jp, by name, ID, ICCID or domain (default: sim gateway site)',
    );
  withClusterFlags(command, 'one')
    .option(
      '--account <account>',
      'the CloudAccount, or ClusterCloudAccount/NAME; the manifests name it (default: that of the namespace, else of the cluster, named default)',
      parseAccount,
    )
    .option('--tag <tag>', 'only SIMs and gateways that have this tag; may be repeated', collect)
    .option('--observe', 'write managementPolicy: Observe, to see in status.drift what would be written', false)
    .option('--no-carriers', 'leave out the carriers of SIMs, which take one request each')
    .option(
      '--max-requests <number>',
      'web acceleration requests to send at most; a site takes 2, the list 1 (default: 50)',
      parseCount(HOUR_REQUESTS),
    )
    .option(
      '--out <directory>',
      'write one file a resource into this directory (default: everything to stdout)',
      parsePath,
    )
    .option(
      '--secrets <file>',
      'write the Secrets that the manifests refer to into this file, for you alone to read (default: only their names are listed)',
      parsePath,
    )
    .option('--force', 'write over files that are there', false)
    .addHelpText('after', () => help(command))
    .action(run);
  return command;
}

function help(command: Command): string {
  const name = `${command.parent?.name() ?? 'edgeline'} export`;
  return `
Examples:
  ${name} --observe --out fleet          # a first look at everything
  ${name} -n fleet --out fleet --force   # the same with a namespace, to be managed
  ${name} sim gateway --tag east         # SIMs and gateways with a tag, to stdout
  ${name} site/www.example.jp certificate/www.example.jp
  ${name} site --max-requests 200 --out sites

Exit codes:
  0  the manifests have everything
  1  it failed
  2  the command line was not understood
  3  the manifests do not have everything: what is missing, and why, is listed

The Secret of the account is read with your permissions. Of web acceleration's hour, no request is sent that the operator
does not count.`;
}

function parsePath(text: string): string {
  if (text === '-') throw new InvalidArgumentError('Write a path: what goes to stdout does so without this flag.');
  return parseText(text);
}

function collect(text: string, before: string[] = []): string[] {
  return [...before, parseText(text)];
}

async function run(resources: string[], flags: Flags): Promise<void> {
  // Only now: whoever asks for help should not wait for all of it.
  const [{ runExport }, { parseWish }, { reportOf }, render, files, { kindOf }] = await Promise.all([
    import('../export/run.ts'),
    import('../export/select.ts'),
    import('../export/report.ts'),
    import('../import/terraform/render.ts'),
    import('./import-files.ts'),
    import('../cli/kinds.ts'),
  ]);
  const { out, secrets: secretsFile, namespace, force } = flags;
  const request = {
    ...flags,
    account: flags.account,
    tags: flags.tag ?? [],
    wishes: resources.map(parseWish),
  };
  // Before anything is asked of the service: what can't be written need not be read.
  await files.refuseTaken(secretsFile === undefined ? [] : [{ name: secretsFile, text: '', mode: SECRET_MODE }], {
    out,
    secretsFile,
    force,
  });
  const result = await runExport(request, surroundingsOfCommand());
  const { manifests, secrets, findings } = result;
  const rendering = { from: result.from, namespace, by: 'edgeline export' };
  const outputs: Output[] = [
    ...(out === undefined
      ? []
      : manifests.map((manifest) => ({
          directory: out,
          name: `${kindOf(manifest.kind).singular}-${manifest.name}.yaml`,
          text: render.renderManifests([manifest], rendering),
          mode: FILE_MODE,
        }))),
    ...(secretsFile === undefined || secrets.length === 0
      ? []
      : [{ name: secretsFile, text: render.renderSecrets(secrets, rendering), mode: SECRET_MODE }]),
  ];
  await files.refuseTaken(outputs, { out, secretsFile, force });
  await files.writeOutputs(outputs);
  if (out === undefined && manifests.length > 0)
    await files.print(process.stdout, render.renderManifests(manifests, rendering));
  await files.print(process.stderr, reportOf(result, { ...result, secretsFile }));
  endProcess(findings.length === 0 ? 0 : EXIT_INCOMPLETE);
}
