import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import type { ApiOptions } from '../cli/ask/api/run.ts';
import { UsageError } from '../cli/errors.ts';
import type { AccountChoice } from '../cli/service/account.ts';
import { whyUnreadable } from '../file-errors.ts';
import { parseText } from './arguments.ts';
import { withAccountFlag, withZoneFlag } from './ask-flags.ts';
import { surroundingsOfCommand, withClusterFlags } from './cluster-flags.ts';
import { endProcess } from './end.ts';

type Method = ApiOptions['method'];
const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'DELETE'];

interface Flags
  extends Pick<ApiOptions, 'namespace' | 'context' | 'kubeconfig' | 'write' | 'force' | 'showSecrets' | 'output'> {
  readonly data?: string;
  readonly zone?: string;
  readonly account?: AccountChoice;
}

/** `edgeline api`: any request to the service, for what no other command does. */
export function apiCommand(): Command {
  const command = new Command('api')
    .description('send any request to the service, within the limits of an account')
    .addArgument(new Argument('<method>', 'GET; or another, with --write').choices(METHODS).argParser(parseMethod))
    .addArgument(
      new Argument('<route>', 'as in /commonserviceitem, or whole as /cloud/zone/is1a/api/…; without a host'),
    )
    .option('--data <json>', 'what is sent: JSON, @FILE, or - for stdin', parseText)
    .option('--write', 'send what is not a GET; without it, what would be sent is shown', false)
    .option('--force', 'also if the operator would undo it, or somebody has stopped the account', false)
    .option('--show-secrets', 'show secrets in what is sent and answered', false);
  withClusterFlags(withAccountFlag(withZoneFlag(command)), 'one');
  return command
    .addOption(new Option('-o, --output <format>', 'how to print the answer').choices(['json', 'yaml']).default('json'))
    .addHelpText('after', () => help(command))
    .action(run);
}

function help(command: Command): string {
  const name = `${command.parent?.name() ?? 'edgeline'} api`;
  return `
Examples:
  ${name} GET /commonserviceitem/113300000017/sim/status
  ${name} GET '/appliance?{"Count":10}' --zone is1b | jq '.Appliances[].Name'
  ${name} GET '/monthlyusage?target=202610' -o yaml
  ${name} PUT /commonserviceitem/113300000017/sim/imeilock --data '{"sim":{"imei":"123456789012345"}}' --write
  ${name} POST /site/113300000201/certificate --data @certificate.json --write

Exit codes:
  0  the service did it
  1  it failed or was refused, or --write was missing, or the command line was not understood

The path is one of api.md, below the interface of --zone; site, monthlyusage, deletecache and deleteallcache are web
acceleration's. Write secrets into a file, for other users of the machine see what stands on a command line. What writes is
sent once, and refused where a resource of the cluster looks after what it is about. A request of web acceleration is one of
the hour, which the operator counts.`;
}

async function run(method: Method, path: string, flags: Flags): Promise<void> {
  const [{ requestApi }, { parseApiPath }] = await Promise.all([
    import('../cli/ask/api/run.ts'),
    import('../cli/ask/api/path.ts'),
  ]);
  const { data, zone, ...options } = flags;
  const parsed = parseApiPath(path, zone);
  const body = data === undefined ? undefined : await readData(data);
  await requestApi({ ...options, method, path: parsed, body }, surroundingsOfCommand());
  endProcess(0);
}

/** The words after `--data` stay out of every message: they may be a secret. */
async function readData(data: string): Promise<object> {
  const json = data === '-' ? await text(process.stdin) : data.startsWith('@') ? await textOf(data.slice(1)) : data;
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Without the parser's error, which quotes what it read.
  }
  throw new UsageError('--data is no object of JSON', 'Write {"sim":{"imei":"…"}}, @FILE with such, or - for stdin.');
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { message, advice } = whyUnreadable(file, error);
    throw new UsageError(message, advice, { cause: error });
  }
}

function parseMethod(text: string): Method {
  const method = METHODS.find((one) => one === text.toUpperCase());
  if (!method) throw new InvalidArgumentError(`Write ${METHODS.join(', ')}.`);
  return method;
}
