import { createBindings } from '../kinds/cloud-account/bindings.ts';
import { createPauses } from '../kinds/cloud-account/pauses.ts';
import { createAccountRegistry } from '../kinds/cloud-account/registry.ts';
import { createAccountResolver } from '../kinds/cloud-account/resolver.ts';
import { createAccountUsers } from '../kinds/cloud-account/users.ts';
import { createSettingsInEffect } from '../kinds/mobile-gateway/effect.ts';
import { createEventRecorder } from '../kubernetes/events.ts';
import type { KubernetesObject } from '../kubernetes/objects.ts';
import { CHANGE_COMPONENT, messageOfChange } from '../reconcile/change-line.ts';
import { type ObjectKey, parseKey } from '../reconcile/reconciler.ts';
import { createSecretReader } from '../reconcile/secrets.ts';
import type { MetricSource, Metrics } from '../telemetry/metrics.ts';
import { wireAccounts } from './accounts.ts';
import { createBrakes } from './brakes.ts';
import type { Cluster } from './cluster.ts';
import { createEarlier } from './earlier.ts';
import { createGatewayClaims } from './gateway-claims.ts';
import { createInformers } from './informers.ts';
import { createInstallation } from './installation.ts';
import { createIntake } from './intake.ts';
import { lineOf, wireKinds } from './kinds.ts';
import { createLosses } from './losses.ts';
import { conditionSource } from './metrics/conditions.ts';
import { pollSource } from './metrics/polls.ts';
import { requestSource } from './metrics/requests.ts';
import type { OperatorOptions } from './options.ts';
import { priorityOf } from './priorities.ts';
import { createQueues } from './queues.ts';
import { createRecentChanges } from './recent-changes.ts';
import { createSimClaims } from './sim-claims.ts';
import type { WiredKind, Wiring } from './wiring.ts';

/**
 * The part of the heap that the lists of all accounts may take, as the service sends them; there they are half as large again.
 * Beside the heap, the text of SIMs is kept.
 */
const LIST_SHARE = 1 / 8;
/** How long requests of an earlier process may still arrive. */
const SETTLE_MILLISECONDS = 5000;
/** Clients of the service put up with 30 answers of 404 on a new ID, five seconds apart. */
const SHOWN_SECONDS = 180;
/** Work that takes longer shows in the status before it is done. */
const MOMENT_MILLISECONDS = 5000;
const RESYNC_MILLISECONDS = 10 * 60_000;

/** Puts the operator together. Nothing is read or written before its informers are started. */
export function assemble(options: OperatorOptions, cluster: Cluster, metrics: Metrics) {
  const { clock, random, log } = options;
  const { client, userAgent, fence, identity } = cluster;
  const common = { client, clock, random, log };
  const { namespaces, secretNames } = options;
  const informers = createInformers({ ...common, namespaces, secretNames });
  const onNeededLess = (account: ObjectKey) => {
    const { kind, namespace, name } = parseKey(account);
    const of = kind === 'CloudAccount' ? informers.accounts : informers.clusterAccounts;
    const found: KubernetesObject | undefined = of?.get(namespace || undefined, name);
    // One that is gone without its finalizer is forgotten with the last that used it.
    if (!found || found.metadata.deletionTimestamp !== undefined) enqueue(account, 'change');
  };
  const bindings = createBindings(onNeededLess);
  const users = createAccountUsers(informers.managed, informers, bindings);
  const queue = createQueues({
    clock,
    random,
    lineOf,
    priorityOf: (key, asked) => priorityOf(kinds, key, asked),
    observe: metrics.queue,
    accountOf(key) {
      const { kind, namespace, name } = parseKey(key);
      const object = informers.managed.get(kind)?.get(namespace, name);
      return object ? users.accountOf(object) : '';
    },
  });
  // The kinds are connected last, and no key is let in before.
  const intake = createIntake(queue, (key) =>
    kinds.find(({ reconciler }) => reconciler.kind === parseKey(key).kind)?.reconciler.doubt(key),
  );
  const { enqueue, enqueueAfter } = intake;
  const enqueueAll = (accounts: readonly ObjectKey[]) => accounts.forEach((account) => enqueue(account, 'change'));
  const events = createEventRecorder({
    ...common,
    controller: 'edgeline.dev/operator',
    instance: options.instance,
    busy: () => queue.length > 0,
    onDropped: metrics.eventDropped,
  });
  const secretVersion = (namespace: string, name: string) =>
    informers.secrets.get(namespace, name)?.metadata.resourceVersion;
  const pauses = createPauses(informers);
  const registry = createAccountRegistry({
    clock,
    random,
    nonce: options.nonce,
    userAgent,
    dispatcher: options.dispatcher,
    fence,
    pausedBy: pauses.ofAccount,
    onRequest: metrics.apiRequest,
    simPollSeconds: options.simPollSeconds,
    sitePollSeconds: options.sitePollSeconds,
    listBytes: options.heapBytes * LIST_SHARE,
    onHealth: enqueueAll,
    onUntold: (accounts) => accounts.forEach((account) => enqueue(account, 'change')),
    onRecordWanted: (accounts) => accounts.forEach((account) => enqueue(account, 'deletion')),
  });
  const earlier = createEarlier({ holders: informers.holders, elector: cluster.elector, clock });
  const installation = createInstallation({
    ...common,
    informers,
    registry,
    events,
    identity,
    holdSeconds: options.holdSeconds,
    enqueue: (key) => enqueue(key, 'change'),
    onTookOver: earlier.tookOver,
    forget(key) {
      const { kind } = parseKey(key);
      for (const { reconciler } of kinds) if (reconciler.kind === kind) reconciler.forget(key);
    },
  });
  const rivalOf = (account: string) => {
    const found = informers.clusterAccounts?.get(undefined, account);
    return found && installation.rivalOf('ClusterCloudAccount', found);
  };
  const accounts = createAccountResolver(informers, registry, pauses, rivalOf, bindings);
  const changes = log.child({ component: CHANGE_COMPONENT }, { always: true });
  /** Of a pod that stands by, or that has lost its Lease, nothing is taken for the truth, and nothing counts twice. */
  const whileLeading = (source: MetricSource) => metrics.ask((show) => cluster.leads() && source(show));
  const recentChanges = createRecentChanges(clock);
  const brakes = createBrakes({
    informers,
    users,
    client,
    clock,
    time: cluster.time,
    onChanged: (account) => enqueue(account, 'change'),
  });
  const engine: Wiring['engine'] = {
    ...common,
    time: cluster.time,
    accounts,
    brakes,
    events,
    queue,
    holds: installation.holds,
    secretVersion,
    namespace: (name) => informers.namespaces?.get(undefined, name),
    onChange(change) {
      changes.info(change, messageOfChange(change));
      metrics.written(change);
      recentChanges.add(change);
    },
    onDrift: metrics.driftDetected,
    onApproval: metrics.approval,
    settleMilliseconds: SETTLE_MILLISECONDS,
    shownMilliseconds: (options.shownSeconds ?? SHOWN_SECONDS) * 1000,
    momentMilliseconds: MOMENT_MILLISECONDS,
    resyncMilliseconds: RESYNC_MILLISECONDS,
  };
  const wiring: Wiring = {
    informers,
    engine,
    registry,
    users,
    onNeededLess,
    brakes,
    losses: createLosses({
      informers,
      registry,
      users,
      clock,
      time: cluster.time,
      shownMilliseconds: engine.shownMilliseconds,
      earlierActedUntil: earlier.actedUntil,
      onChanged: enqueueAll,
    }),
    pauses,
    secrets: createSecretReader(client, secretVersion, clock),
    gateways: createGatewayClaims(informers.of.MobileGateway, accounts, cluster.time.latest),
    settingsInEffect: createSettingsInEffect(clock),
    sims: createSimClaims(informers.of.Sim, accounts, cluster.time.latest),
    metrics: { certificateUploaded: metrics.certificateUploaded, ask: whileLeading },
    resourceMetrics: options.resourceMetrics ?? 'none',
    simRates: options.simRates ?? false,
    clock,
    random,
    sitePollMilliseconds: options.sitePollSeconds * 1000,
    detailPace: options.detailPace ?? 1,
    enqueue,
    enqueueAfter,
    own: installation.own,
    rivalOf: installation.rivalOf,
    earlierActedUntil: earlier.actedUntil,
    home: cluster.home,
    time: cluster.time,
  };
  const kinds: readonly WiredKind[] = wireKinds(wiring);
  const cloudAccounts = wireAccounts(wiring, options.allowedHosts);
  whileLeading(
    conditionSource([
      ...kinds.map(({ reconciler, informer }) => [reconciler.kind, informer] as const),
      ...cloudAccounts.informers.map(([kind, informer]) => [kind, informer] as const),
    ]),
  );
  whileLeading(requestSource(registry));
  whileLeading(pollSource(registry, clock));
  return {
    informers,
    queue,
    intake,
    events,
    registry,
    installation,
    earlier,
    wiring,
    kinds,
    cloudAccounts,
    recentChanges,
  };
}
