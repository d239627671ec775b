import { messageOf } from '../errors.ts';
import { createPauses } from '../kinds/cloud-account/pauses.ts';
import { createAccountRegistry } from '../kinds/cloud-account/registry.ts';
import { createAccountResolver } from '../kinds/cloud-account/resolver.ts';
import { createAccountUsers } from '../kinds/cloud-account/users.ts';
import { createEventRecorder } from '../kubernetes/events.ts';
import type { Engine } from '../reconcile/engine.ts';
import { type ObjectKey, parseKey } from '../reconcile/reconciler.ts';
import { createSecretReader } from '../reconcile/secrets.ts';
import { healthHandlers, metricsHandlers } from '../telemetry/health.ts';
import { startHttpServer } from '../telemetry/http.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { wireAccounts } from './accounts.ts';
import { wireCertificates } from './certificates.ts';
import { joinCluster } from './cluster.ts';
import { countConditions } from './condition-counts.ts';
import { wireGateways } from './gateways.ts';
import { healthChecks } from './health.ts';
import { createInformers } from './informers.ts';
import { createInstallation } from './installation.ts';
import { createLosses } from './losses.ts';
import type { OperatorOptions } from './options.ts';
import { priorityOf } from './priorities.ts';
import { createQueues } from './queues.ts';
import { wireSims } from './sims.ts';
import { wireSites } from './sites.ts';
import type { WiredKind, Wiring } from './wiring.ts';
import { work } from './work.ts';

/** The part of the heap that the lists of all accounts may take, as the service sends them; in memory they are half as large again. */
const LIST_SHARE = 1 / 8;

export interface Operator {
  stop(): Promise<void>;
}

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
  const cluster = await joinCluster(options, metrics, (reason) => {
    stopping.abort();
    options.onFatal(reason);
  });
  const { client, userAgent, fence } = cluster;
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
    instance: options.instance,
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
    dispatcher: options.dispatcher,
    beforeWrite: fence,
    pausedBy: pauses.ofAccount,
    onRequest: metrics.apiRequest,
    simPollSeconds: options.simPollSeconds,
    sitePollSeconds: options.sitePollSeconds,
    listBytes: options.heapBytes * LIST_SHARE,
    onHealth: (accounts) => accounts.forEach((account) => enqueue(account, 'change')),
    onRecordWanted: (accounts) => accounts.forEach((account) => enqueue(account, 'deletion')),
  });
  const users = createAccountUsers(informers.managed, informers);
  const installation = createInstallation({
    client,
    informers,
    registry,
    events,
    identity: cluster.identity,
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
      handlers: healthHandlers(healthChecks(informers, cluster.definitions, clock), (check, error) =>
        log.debug({ check, err: error }, 'a health check failed'),
      ),
    }),
    startHttpServer({ address: options.metricsListen, clock, handlers: metricsHandlers(metrics) }),
  ]);

  for (const informer of informers.all) informer.start();

  async function lead(): Promise<void> {
    await cluster.lead(stopping.signal);
    await installation.start(stopping.signal);
    acting = true;
    const { identity } = cluster;
    const { signal } = stopping;
    await work({ options, wiring, kinds, cloudAccounts, installation, queue, metrics, identity, signal });
  }

  cluster.definitions.start(stopping.signal);
  await Promise.all(informers.all.map((informer) => informer.synced(stopping.signal)));
  await cluster.definitions.sufficient(stopping.signal);
  // Only now: who cannot see, or remember what it did, must not keep another from leading.
  cluster.elector?.start();
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
      await cluster.elector?.stop();
      await Promise.all(informers.all.map((informer) => informer.stop()));
      await Promise.all(servers.map(async (server) => server?.close()));
      await client.close();
    },
  };
}
