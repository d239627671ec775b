import { Command, InvalidArgumentError, Option } from 'commander';
import { type DialectName, dialectNames } from '../cloud/dialect.ts';
import { convert } from '../import/terraform/convert.ts';
import { AliasUnknown, StateUnreadable } from '../import/terraform/errors.ts';
import { renderFiles, renderManifests, renderSecrets, renderStateRm } from '../import/terraform/render.ts';
import { reportOf } from '../import/terraform/report.ts';
import type { AccountRef } from '../import/terraform/result.ts';
import { readState } from '../import/terraform/state.ts';
import { parseNamespace, parseText } from './arguments.ts';
import { endProcess } from './end.ts';
import { type Output, print, readInput, refuseTaken, writeOutputs } from './import-files.ts';

/** Manifests were written, but they do not have everything; 2 is a command line that was not understood. */
const EXIT_INCOMPLETE = 3;
/** The name of an object (RFC 1123). */
const NAME = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;
const SECRET_MODE = 0o600;
const SCRIPT_MODE = 0o755;
const FILE_MODE = 0o644;

type Accounts = ReadonlyMap<string, AccountRef>;

interface Flags {
  readonly out?: string;
  readonly secrets?: string;
  readonly stateRm?: string;
  readonly force: boolean;
  readonly namespace?: string;
  readonly account?: Accounts;
  readonly observe: boolean;
  readonly dialect: DialectName;
  readonly sendUnseen: boolean;
}

/** `edgeline import`: manifests from what another tool knows of the service. */
export function importCommand(): Command {
  return new Command('import')
    .description('write manifests from what another tool knows of the service')
    .addCommand(importTerraformCommand().exitOverride());
}

/** `edgeline import terraform`: from a state of the vendor's provider, release 2. */
export function importTerraformCommand(): Command {
  const command = new Command('terraform');
  return command
    .description(
      'write manifests that take over what a Terraform state describes (provider sacloud/sakuracloud, release 2), without a write at the service',
    )
    .argument('<file>', 'the state, format version 4; - reads what terraform state pull prints')
    .option('--out <directory>', 'write one file a kind into this directory (default: everything to stdout)', parsePath)
    .option(
      '--secrets <file>',
      'write the Secrets that the manifests refer to into this file, for you alone to read (default: only their names are listed)',
      parsePath,
    )
    .option(
      '--state-rm <file>',
      'write the terraform state rm commands into this file (default: they are listed)',
      parsePath,
    )
    .option('--force', 'write over files that are there', false)
    .option('-n, --namespace <namespace>', 'namespace of the manifests (default: none is written)', parseNamespace)
    .option(
      '--account <account>',
      'the CloudAccount of the manifests, or ClusterCloudAccount/NAME; after ALIAS= only for what was made with that alias of the provider; may be repeated (default: none is written)',
      parseAccount,
    )
    .option('--observe', 'write managementPolicy: Observe, to see in status.drift what would be written', false)
    .addOption(
      new Option('--dialect <dialect>', 'dialect of the account: Documented does not show resolvers and IMEIs')
        .choices(dialectNames)
        .default('Documented' satisfies DialectName),
    )
    .option(
      '--send-unseen',
      'carry over also what the service does not show, such as the keys of a bucket; the operator sends it once',
      false,
    )
    .addHelpText('after', () => help(command))
    .action(run);
}

function help(command: Command): string {
  const name = `${command.parent?.parent?.name() ?? 'edgeline'} import terraform`;
  return `
Examples:
  terraform state pull | ${name} - -n fleet --out fleet --secrets secrets.yaml
  ${name} state.tfstate --observe --out fleet     # a first look
  ${name} state.tfstate -n fleet --out fleet --secrets secrets.yaml --state-rm forget.sh
  ${name} state.tfstate --account tokyo=east      # what the alias tokyo of the provider made is of the account east

Exit codes:
  0  the manifests have everything
  1  it failed
  2  the command line was not understood
  3  the manifests do not have everything: what is missing, and what to do, is listed

Nothing is asked of the cluster or of the service, and no state is written.`;
}

function parsePath(text: string): string {
  if (text === '-') throw new InvalidArgumentError('Write a path: what goes to stdout does so without this flag.');
  return parseText(text);
}

/** `NAME`, `KIND/NAME`, each with or without `ALIAS=`; under '' what holds for every other alias. */
function parseAccount(text: string, previous: Accounts = new Map()): Accounts {
  const equals = text.indexOf('=');
  const alias = equals < 0 ? '' : text.slice(0, equals);
  const account = text.slice(equals + 1);
  const slash = account.indexOf('/');
  const kind = slash < 0 ? 'CloudAccount' : account.slice(0, slash);
  const name = account.slice(slash + 1);
  if ((kind !== 'CloudAccount' && kind !== 'ClusterCloudAccount') || !NAME.test(name) || equals === 0) {
    throw new InvalidArgumentError(
      'Write the name of an account, for example default, ClusterCloudAccount/default or tokyo=default.',
    );
  }
  if (previous.has(alias)) throw new InvalidArgumentError('Name one account for each alias.');
  return new Map([...previous, [alias, { kind, name }]]);
}

async function run(file: string, flags: Flags): Promise<void> {
  const { out, secrets: secretsFile, stateRm: stateRmFile, namespace, account } = flags;
  const from = file === '-' ? 'stdin' : file;
  const state = readState(await readInput(file));
  const conversion = convert(state, {
    accountOf: (alias) => account?.get(alias ?? '') ?? account?.get(''),
    observe: flags.observe,
    dialect: flags.dialect,
    sendUnseen: flags.sendUnseen,
  });
  const { manifests, secrets, findings, released, counts } = conversion;
  if (manifests.length === 0 && findings.length === 0) {
    throw new StateUnreadable(
      'The state holds no SIM, no mobile gateway and no site of the provider sacloud/sakuracloud',
      'Check that it is the right workspace and the right state: terraform state list shows what is in it.',
    );
  }
  refuseUnknownAliases(account, counts.aliases);
  const rendering = { from, namespace };
  const outputs: Output[] = [
    ...(out === undefined
      ? []
      : [...renderFiles(manifests, rendering)].map(([name, text]) => ({
          directory: out,
          name,
          text,
          mode: FILE_MODE,
        }))),
    ...(secretsFile === undefined || secrets.length === 0
      ? []
      : [{ name: secretsFile, text: renderSecrets(secrets, rendering), mode: SECRET_MODE }]),
    ...(stateRmFile === undefined || released.length === 0
      ? []
      : [{ name: stateRmFile, text: renderStateRm(conversion), mode: SCRIPT_MODE }]),
  ];
  await refuseTaken(outputs, { out, secretsFile, force: flags.force });
  await writeOutputs(outputs);
  if (out === undefined && manifests.length > 0) await print(process.stdout, renderManifests(manifests, rendering));
  await print(process.stderr, reportOf(conversion, { from, state, secretsFile, stateRmFile }));
  endProcess(findings.length === 0 ? 0 : EXIT_INCOMPLETE);
}

/** A resource can't be given another account later. */
function refuseUnknownAliases(accounts: Accounts = new Map(), aliases: readonly string[]): void {
  const unknown = [...accounts.keys()].find((alias) => alias !== '' && !aliases.includes(alias));
  if (unknown === undefined) return;
  const known = aliases.filter((alias) => alias !== '').join(', ');
  throw new AliasUnknown(
    `Nothing in the state was made with the alias ${unknown} of the provider`,
    known === '' ? 'Leave it out: the state has no aliases.' : `The state has ${known}.`,
  );
}
