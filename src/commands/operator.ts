import { Command, Option } from 'commander';
import type { StatusPageOptions } from '../operator/options.ts';
import { type ResourceMetrics, resourceMetrics } from '../operator/resource-metrics.ts';
import type { LogLevel } from '../telemetry/log.ts';
import { revision, version } from '../version.ts';
import {
  parseCount,
  parseHosts,
  parseListen,
  parseNamespace,
  parseNamespaces,
  parseSecrets,
  parseText,
} from './arguments.ts';
import { endProcess } from './end.ts';

/** Seconds. What is polled less often than once a day is not polled. */
const DAY_SECONDS = 86_400;
const MOST_WORKERS = 10_000;

interface Flags {
  readonly kubeconfig?: string;
  readonly healthListen: string;
  readonly metricsListen: string;
  readonly resourceMetrics: ResourceMetrics;
  readonly simRates: boolean;
  readonly statusListen: string;
  readonly leaderElect: boolean;
  readonly leaseNamespace?: string;
  readonly hold: number;
  readonly namespaces?: string[];
  readonly secrets?: string[];
  readonly allowedHosts?: string[];
  readonly simPoll: number;
  readonly sitePoll: number;
  readonly workers: number;
  readonly shownWithin?: number;
  readonly logLevel: LogLevel;
  readonly logFormat: 'json' | 'pretty';
}

/** `edgeline operator`: watches a cluster and makes the service match. */
export function operatorCommand(): Command {
  return new Command('operator')
    .description('watch the resources of a cluster and make the service match')
    .option(
      '--kubeconfig <file>',
      'kubeconfig of the cluster (default: the cluster this pod runs in, or else the one kubectl would use)',
      parseText,
    )
    .option('--health-listen <address>', 'address of /livez and /readyz; 0 disables them', parseListen, ':8081')
    .option('--metrics-listen <address>', 'address of /metrics; 0 disables it', parseListen, ':8080')
    .addOption(
      new Option(
        '--resource-metrics <labels>',
        'series of each resource in the metrics, beside those of each account: none, by namespace and name, or by ICCID, too',
      )
        .choices(resourceMetrics)
        .default('none'),
    )
    .option(
      '--sim-rates',
      'the rates of SIMs among the series of each resource; they cost a request each, of a tenth of the account’s limit',
      false,
    )
    .option(
      '--status-listen <address>',
      'address of the status page; 0 disables it. At 127.0.0.1 whoever forwards ports sees it, elsewhere who sends a token sees what it may list',
      parseListen,
      '0',
    )
    .option(
      '--leader-elect',
      'act only while holding the Lease edgeline-operator, so that replicas never act at once',
      false,
    )
    .option(
      '--lease-namespace <namespace>',
      'namespace of that Lease (default: the namespace of this pod)',
      parseNamespace,
    )
    .option(
      '--hold <seconds>',
      'how long a namespace stays with an installation of the operator that shows no sign of life',
      parseCount(DAY_SECONDS),
      900,
    )
    .option('--namespaces <list>', 'manage these namespaces only, separated by commas (default: all)', parseNamespaces)
    .option(
      '--secrets <list>',
      'names of the only Secrets to read, separated by commas, so that its roles may name them (default: all)',
      parseSecrets,
    )
    .option(
      '--allowed-hosts <list>',
      'hosts that accounts may name in baseURL, separated by commas (default: any)',
      parseHosts,
    )
    .option('--sim-poll <seconds>', 'time between two reads of an account’s list of SIMs', parseCount(DAY_SECONDS), 60)
    .option(
      '--site-poll <seconds>',
      'time between two reads of an account’s list of sites',
      parseCount(DAY_SECONDS),
      300,
    )
    .option(
      '--workers <count>',
      'resources processed at a time, not counting those that wait for the service',
      parseCount(MOST_WORKERS),
      50,
    )
    .addOption(
      // For tests with a service whose lists are known to be up to date.
      new Option('--shown-within <seconds>', 'how long the service may take to show what was just created')
        .argParser(parseCount(DAY_SECONDS))
        .hideHelp(),
    )
    .addOption(
      new Option('--log-level <level>', 'minimum level to log; the log of changes is always written')
        .choices(['trace', 'debug', 'info', 'warn', 'error'])
        .default('info'),
    )
    .addOption(new Option('--log-format <format>', 'format of the log').choices(['json', 'pretty']).default('json'))
    .addHelpText(
      'after',
      '\nEnvironment:\n  HTTPS_PROXY, NO_PROXY      a proxy between the operator and the service, and what is reached without it',
    )
    .action(run);
}

async function run(flags: Flags, command: Command): Promise<void> {
  if (flags.simRates && flags.resourceMetrics === 'none') {
    command.error('error: --sim-rates needs --resource-metrics names, or iccid: the rates are series of each resource');
  }
  // Only now: whoever asks for help should not wait for all of the operator.
  const [{ startOperator }, { createLogger }, { surroundingsOfProcess }] = await Promise.all([
    import('../operator/start.ts'),
    import('../telemetry/log.ts'),
    import('./surroundings.ts'),
  ]);
  const statusPage = await statusPageAt(flags.statusListen);
  const log = createLogger({ level: flags.logLevel, format: flags.logFormat });
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a promise was rejected and nobody listened'));
  const end = Promise.withResolvers<number>();
  let started = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end.resolve(0));
  log.info({ version }, 'edgeline operator starts');
  // Waiting keeps no process alive: without this it would end while the apiserver can't be reached.
  const alive = setInterval(() => undefined, 60_000);
  // Until it has started there is nothing to stop in order: a signal ends the process.
  void end.promise.then((code) => started || endProcess(code));
  const operator = await startOperator({
    ...surroundingsOfProcess(flags.kubeconfig),
    healthListen: flags.healthListen,
    metricsListen: flags.metricsListen,
    resourceMetrics: flags.resourceMetrics,
    simRates: flags.simRates,
    statusPage,
    leaderElect: flags.leaderElect,
    leaseNamespace: flags.leaseNamespace,
    holdSeconds: flags.hold,
    namespaces: flags.namespaces,
    secretNames: flags.secrets,
    allowedHosts: flags.allowedHosts,
    simPollSeconds: flags.simPoll,
    sitePollSeconds: flags.sitePoll,
    workers: flags.workers,
    shownSeconds: flags.shownWithin,
    version,
    revision,
    log,
    onFatal(message) {
      log.error(message);
      end.resolve(1);
    },
  });
  started = true;
  const code = await end.promise;
  clearInterval(alive);
  await operator.stop();
  log.info('edgeline operator stopped');
  process.exitCode = code;
}

async function statusPageAt(listen: string): Promise<StatusPageOptions | undefined> {
  if (listen === '0') return undefined;
  const { PAGE_LIMITS, statusPage } = await import('../page/handler.ts');
  return { listen, limits: PAGE_LIMITS, create: statusPage };
}
