import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { Clock } from '../clock.ts';
import { messageOf } from '../errors.ts';
import { createPauses } from '../kinds/cloud-account/pauses.ts';
import { createAccountRegistry } from '../kinds/cloud-account/registry.ts';
import { createAccountResolver } from '../kinds/cloud-account/resolver.ts';
import { createAccountUsers } from '../kinds/cloud-account/users.ts';
import { kindDefinitions } from '../kinds/index.ts';
import { createKubeClient } from '../kubernetes/client.ts';
import { loadKubeconfig } from '../kubernetes/config.ts';
import { createEventRecorder } from '../kubernetes/events.ts';
import { createLeaseElector } from '../kubernetes/lease.ts';
import { runWorkers } from '../reconcile/controller.ts';
import type { Engine } from '../reconcile/engine.ts';
import { keyOf, type ObjectKey, parseKey, type Reconciler } from '../reconcile/reconciler.ts';
import { createSecretReader } from '../reconcile/secrets.ts';
import { healthHandlers, metricsHandlers } from '../telemetry/health.ts';
import { startHttpServer } from '../telemetry/http.ts';
import type { Logger } from '../telemetry/log.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { wireAccounts } from './accounts.ts';
import { wireCertificates } from './certificates.ts';
import { countConditions } from './condition-counts.ts';
import { wireGateways } from './gateways.ts';
import { healthChecks } from './health.ts';
import { createInformers } from './informers.ts';
import { createInstallation } from './installation.ts';
import { createLosses } from './losses.ts';
import { priorityOf } from './priorities.ts';
import { createQueues } from './queues.ts';
import { createServedDefinitions } from './served-definitions.ts';
import { wireSims } from './sims.ts';
import { wireSites } from './sites.ts';
import { createForbiddenTeller } from './tell-forbidden.ts';
import { tellHeld } from './tell-held.ts';
import { tellQueued } from './tell-queued.ts';
import type { WiredKind, Wiring } from './wiring.ts';

/** The part of the heap that the lists of all accounts may take, as the service sends them; in memory they are half as large again. */
const LIST_SHARE = 1 / 8;

/** How the operator runs; see `edgeline operator --help`. */
export interface OperatorOptions {
  readonly kubeconfig: string | undefined;
  readonly healthListen: string;
  readonly metricsListen: string;
  readonly leaderElect: boolean;
  /** Where the Lease lives; undefined: the namespace of the pod or kubeconfig. */
  readonly leaseNamespace: string | undefined;
  /** For so long a namespace stays with an installation that gives no sign of life. Seconds. */
  readonly holdSeconds: number;
  /** Undefined: all. */
  readonly namespaces: string[] | undefined;
  /** The only Secrets to watch; undefined: all. */
  readonly secretNames: string[] | undefined;
  readonly allowedHosts: string[] | undefined;
  readonly simPollSeconds: number;
  readonly sitePollSeconds: number;
  readonly workers: number;
  /** The service may take this long to show everywhere what was just created; absent: three minutes. */
  readonly shownSeconds?: number | undefined;
  /** So many times faster than usual details are read that no list shows; absent: 1. */
  readonly detailPace?: number | undefined;
  readonly version: string;
  /** The commit the build is of, for the metrics. */
  readonly revision: string;
  readonly log: Logger;
  readonly clock: Clock;
  readonly random: () => number;
  /** The process has to end: leadership was lost, or something failed that never should. */
  readonly onFatal: (message: string) => void;
}

export interface Operator {
  stop(): Promise<void>;
}

/** The Lease that says which pod of an installation acts. */
const ELECTION = 'edgeline-operator';
/** How long requests of an earlier process may still arrive. Milliseconds. */
const SETTLE = 5000;
/** Clients of the service put up with 30 answers of 404 on a new ID, five seconds apart. Seconds. */
const SHOWN = 180;
/** Work that takes longer shows in the status before it is done. Milliseconds. */
const MOMENT = 5000;
const RESYNC = 10 * 60_000;
/** Milliseconds. */
const GIVE_BACK = 3000;

/** Starts the operator: watches, then, once it leads, workers. Resolves when its caches are synced. */
export async function startOperator(options: OperatorOptions): Promise<Operator> {
  const { clock, random, log } = options;
  const stopping = new AbortController();
  const metrics = createMetrics();
  metrics.buildInfo(options.version, options.revision);
  const connection = await loadKubeconfig({
    clock,
    ...(options.kubeconfig !== undefined && { kubeconfig: options.kubeconfig }),
  });
  const userAgent = `edgeline/${options.version}`;
  const onForbidden = createForbiddenTeller(log);

  const home = options.leaseNamespace ?? connection.namespace;
  // Of all pods of the installation: they share the Lease of that name in that namespace.
  const identity = `${home}/${options.leaderElect ? ELECTION : 'without-leader-election'}`;
  const elector = options.leaderElect ? electLeader() : undefined;
  const definitions = createServedDefinitions({
    client: createKubeClient({ connection, userAgent, fieldManager: 'edgeline', clock, random }),
    definitions: kindDefinitions.filter(({ scope }) => scope === 'Namespaced' || options.namespaces === undefined),
    onTooOld(error) {
      stopping.abort();
      options.onFatal(error.message);
    },
    clock,
    log,
  });
  const fence = () => {
    elector?.fence();
    definitions.check();
  };
  const client = createKubeClient({
    connection,
    userAgent,
    fieldManager: 'edgeline',
    onRequest: metrics.kubernetesRequest,
    onForbidden,
    beforeWrite: fence,
    clock,
    random,
  });

  function electLeader() {
    // A container that starts again in the same pod may take its Lease back at once: the one before it is dead.
    const pod = process.env.POD_NAME ?? `${hostname()}_${randomUUID()}`;
    return createLeaseElector({
      client: createKubeClient({ connection, userAgent, fieldManager: 'edgeline', onForbidden, clock, random }),
      namespace: home,
      name: ELECTION,
      identity: pod,
      onLost() {
        metrics.leader(ELECTION, false);
        stopping.abort();
        options.onFatal('leadership was lost');
      },
      clock,
      random,
      log,
    });
  }

  const informers = createInformers({
    client,
    namespaces: options.namespaces,
    secretNames: options.secretNames,
    clock,
    random,
    log,
  });
  const queue = createQueues({
    clock,
    random,
    observe: metrics.queue,
    accountOf(key) {
      const { kind, namespace, name } = parseKey(key);
      const object = informers.managed.get(kind)?.get(namespace, name);
      return object ? users.accountOf(object) : '';
    },
  });
  const events = createEventRecorder({
    client,
    controller: 'edgeline.dev/operator',
    instance: process.env.POD_NAME ?? hostname(),
    busy: () => queue.length > 0,
    clock,
    random,
    log,
  });
  let acting = false;
  const enqueue = (key: ObjectKey, priority: Parameters<typeof queue.add>[1]) => {
    if (acting) queue.add(key, priority === 'change' ? priorityOf(kinds, key, priority) : priority);
  };

  const enqueueAfter = (key: ObjectKey, milliseconds: number) => {
    if (acting) queue.addAfter(key, milliseconds, 'resync');
  };

  const secretVersion = (namespace: string, name: string) =>
    informers.secrets.get(namespace, name)?.metadata.resourceVersion;
  const secrets = createSecretReader(client, secretVersion);
  const pauses = createPauses(informers);
  const registry = createAccountRegistry({
    clock,
    random,
    userAgent,
    beforeWrite: fence,
    pausedBy: pauses.ofAccount,
    onRequest: metrics.apiRequest,
    simPollSeconds: options.simPollSeconds,
    sitePollSeconds: options.sitePollSeconds,
    listBytes: getHeapStatistics().heap_size_limit * LIST_SHARE,
    onHealth: (accounts) => accounts.forEach((account) => enqueue(account, 'change')),
    onRecordWanted: (accounts) => accounts.forEach((account) => enqueue(account, 'deletion')),
  });
  const users = createAccountUsers(informers.managed, informers);
  const installation = createInstallation({
    client,
    informers,
    registry,
    events,
    identity,
    holdSeconds: options.holdSeconds,
    enqueue: (key) => enqueue(key, 'change'),
    clock,
    random,
    log,
  });
  const accounts = createAccountResolver(informers, registry, pauses, (account) => {
    const found = informers.clusterAccounts?.get(undefined, account);
    return found && installation.rivalOf('ClusterCloudAccount', found);
  });

  const engine: Engine = {
    client,
    clock,
    random,
    accounts,
    events,
    log,
    queue,
    holds: installation.holds,
    secretVersion,
    namespace: (name) => informers.namespaces?.get(undefined, name),
    onDrift: metrics.driftDetected,
    settleMilliseconds: SETTLE,
    shownMilliseconds: (options.shownSeconds ?? SHOWN) * 1000,
    momentMilliseconds: MOMENT,
    resyncMilliseconds: RESYNC,
  };
  const losses = createLosses({
    informers,
    registry,
    users,
    clock,
    onChanged(accounts) {
      for (const account of accounts) enqueue(account, 'change');
    },
  });
  const wiring: Wiring = {
    informers,
    engine,
    registry,
    users,
    losses,
    pauses,
    secrets,
    clock,
    random,
    sitePollMilliseconds: options.sitePollSeconds * 1000,
    detailPace: options.detailPace ?? 1,
    enqueue,
    enqueueAfter,
    own: installation.own,
  };
  const kinds: readonly WiredKind[] = [
    wireSims(wiring),
    wireGateways(wiring),
    wireSites(wiring),
    wireCertificates(wiring, metrics),
  ];
  const cloudAccounts = wireAccounts(wiring, options.allowedHosts);
  const reconcilers = new Map<string, Reconciler>(
    [...kinds.map(({ reconciler }) => installation.own(reconciler)), ...cloudAccounts.reconcilers].map((one) => [
      one.kind,
      one,
    ]),
  );
  metrics.conditions(() =>
    countConditions([
      ...kinds.map(({ reconciler, informer }) => [reconciler.kind, informer] as const),
      ...cloudAccounts.informers.map(([kind, informer]) => [kind, informer] as const),
    ]),
  );
  metrics.apiBudget(() => registry.budgets());
  metrics.circuits(() => registry.circuits());

  const servers = await Promise.all([
    startHttpServer({
      address: options.healthListen,
      clock,
      handlers: healthHandlers(healthChecks(informers, definitions, clock), (check, error) =>
        log.debug({ check, err: error }, 'a health check failed'),
      ),
    }),
    startHttpServer({ address: options.metricsListen, clock, handlers: metricsHandlers(metrics) }),
  ]);

  for (const informer of informers.all) informer.start();
  let working: Promise<unknown> = Promise.resolve();

  async function lead(): Promise<void> {
    if (elector) {
      await elector.acquired(stopping.signal);
      metrics.leader(ELECTION, true);
    }
    await installation.start(stopping.signal);
    acting = true;
    working = Promise.all([
      ...queue.all.map((one) =>
        runWorkers({
          queue: one,
          reconcilers,
          workers: options.workers,
          clock,
          log,
          metrics: {
            started: (kind) => metrics.activeWorkers(kind, 1),
            finished(kind, result, seconds) {
              metrics.activeWorkers(kind, -1);
              metrics.reconciled(kind, result, seconds);
            },
          },
          signal: stopping.signal,
        }),
      ),
      auditDetails(),
      tellQueued({
        client,
        kinds,
        accountOf: users.accountOf,
        isOurs: ({ metadata }) => installation.holdsNamespace(metadata.namespace ?? ''),
        secondsFor: (account, api, requests) => registry.get(account)?.limiter.secondsFor(api, requests),
        clock,
        signal: stopping.signal,
      }),
      tellHeld({
        client,
        kinds: [
          ...kinds.map(({ reconciler: { kind, resource }, informer }) => ({ kind, resource, informer })),
          ...cloudAccounts.informers.map(([kind, informer, resource]) => ({ kind, resource, informer })),
        ],
        rivalOf: installation.rivalOf,
        identity,
        holdSeconds: options.holdSeconds,
        clock,
        signal: stopping.signal,
      }),
    ]);
    // Should connecting end first, nobody is left to hear how the work ends.
    working.catch(() => undefined);
    await cloudAccounts.connect(queue, stopping.signal);
    for (const { reconciler, informer } of kinds) {
      for (const { metadata } of informer.list()) {
        const key = keyOf(reconciler.kind, metadata);
        queue.add(key, priorityOf(kinds, key, 'observation'));
      }
    }
    await working;
  }

  async function auditDetails(): Promise<void> {
    const interval = options.simPollSeconds * 1000;
    while (!stopping.signal.aborted) {
      await clock.sleep(interval * (0.9 + 0.2 * random()), stopping.signal);
      for (const { audit } of kinds) audit();
    }
  }

  definitions.start(stopping.signal);
  await Promise.all(informers.all.map((informer) => informer.synced(stopping.signal)));
  await definitions.sufficient(stopping.signal);
  // Only now: who cannot see, or remember what it did, must not keep another from leading.
  elector?.start();
  log.info({ sims: informers.sims.size, accounts: informers.accounts.size }, 'caches are synced');
  const leading = lead().catch((error: unknown) => {
    if (stopping.signal.aborted) return;
    log.error({ err: error }, `the work ended unexpectedly: ${messageOf(error)}`);
    options.onFatal('nothing works on the resources any more');
  });

  return {
    async stop() {
      stopping.abort(new Error('the operator stops'));
      queue.shutDown();
      await leading;
      await events.flush(2000);
      await registry.stop();
      // While this process still leads, and no longer than its end can wait: what stays is only counted as sent.
      await Promise.race([cloudAccounts.giveBack(), clock.sleep(GIVE_BACK)]);
      await elector?.stop();
      await Promise.all(informers.all.map((informer) => informer.stop()));
      await Promise.all(servers.map(async (server) => server?.close()));
      await client.close();
    },
  };
}
