import { Command, InvalidArgumentError } from 'commander';
import { EdgelineError, messageOf } from '../errors.ts';
import { parseList } from './arguments.ts';

/** RFC 1123: labels of letters, digits and hyphens, at most 253 characters in all. */
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*$/;

interface Flags {
  readonly listen: string;
  readonly control: string;
  readonly hosts?: string[];
  readonly state?: string;
  readonly caOut?: string;
  readonly accessToken: string;
  readonly accessTokenSecret: string;
  readonly seedFile?: string;
  readonly delay?: number;
  readonly migratingTime?: number;
}

/** `edgeline simulator`: the whole service on this machine, until SIGTERM or SIGINT (docs/simulator.md). */
export function simulatorCommand(): Command {
  return new Command('simulator')
    .description('run the service itself, simulated: every operation over HTTPS, with a control port beside it')
    .option('--listen <HOST:PORT>', 'where the service answers, over HTTPS', '127.0.0.1:8443')
    .option('--control <HOST:PORT>', 'where the control port answers; a loopback address', '127.0.0.1:8444')
    .option('--hosts <LIST>', 'more host names its certificate is for, separated by commas', hostNames)
    .option('--state <FILE>', 'keep the state, and the CA, in this file')
    .option('--ca-out <FILE>', 'write the CA certificate to this file')
    .option('--access-token <TOKEN>', 'the access token that is accepted', 'simulator')
    .option('--access-token-secret <SECRET>', 'its secret', 'simulator-secret')
    .option('--seed-file <FILE>', 'what the service holds at first, YAML or JSON')
    .option('--delay <MS>', 'milliseconds added to every answer', milliseconds)
    .option('--migrating-time <MS>', 'milliseconds a new gateway is migrating (default: 2000)', milliseconds)
    .action(run);
}

async function run(flags: Flags): Promise<void> {
  const { startSimulator } = await import('../simulator/server.ts');
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
  const simulator = await startSimulator({
    listen: flags.listen,
    control: flags.control,
    hosts: flags.hosts,
    stateFile: flags.state,
    caOut: flags.caOut,
    accessToken: flags.accessToken,
    accessTokenSecret: flags.accessTokenSecret,
    seedFile: flags.seedFile,
    delayMilliseconds: flags.delay,
    migratingMilliseconds: flags.migratingTime,
  }).catch(refuse);
  const { baseURL, control, ca, caFile } = simulator;
  process.stdout.write(`${JSON.stringify({ ready: true, baseURL, control, ca: caFile ?? ca })}\n`);
  await stopped;
  await simulator.close().catch((error: unknown) => {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = 1;
  });
}

function refuse(error: unknown): never {
  if (!(error instanceof EdgelineError)) throw error;
  process.stderr.write(`${messageOf(error)}\n${error.advice}\n`);
  process.exit(2);
}

function milliseconds(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('Write milliseconds, a whole number.');
  return Number(text);
}

function hostNames(text: string): string[] {
  const names = parseList(text);
  if (names.every((name) => HOST_NAME.test(name))) return names;
  throw new InvalidArgumentError('Write host names separated by commas, for example simulator.edgeline-system.svc.');
}
