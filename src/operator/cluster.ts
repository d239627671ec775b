import { kindDefinitions } from '../kinds/index.ts';
import { createKubeClient, type KubeClient } from '../kubernetes/client.ts';
import { type ClusterTime, createClusterTime } from '../kubernetes/cluster-time.ts';
import { createLeaseElector, type LeaseElector } from '../kubernetes/lease.ts';
import type { KubeClientOptions } from '../kubernetes/requests.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { OperatorOptions } from './options.ts';
import { createForbiddenReporter } from './report-forbidden.ts';
import { createServedDefinitions, type ServedDefinitions } from './served-definitions.ts';

/** The Lease that says which pod of an installation acts. */
const ELECTION = 'edgeline-operator';

/** This process as one of the cluster: its connection, and what says whether it may write. */
export interface Cluster {
  /** Writes only while this process leads, and what it writes can be stored. */
  readonly client: KubeClient;
  readonly userAgent: string;
  /** Another client, on connections of its own, that asks also while this process stands by; for reviews, which store nothing. */
  reviewer(): KubeClient;
  /** The operator's own namespace. */
  readonly home: string;
  /** Of all pods of the installation: they share the Lease of that name in that namespace. */
  readonly identity: string;
  /** Undefined: this process acts without being elected. */
  readonly elector: LeaseElector | undefined;
  readonly definitions: ServedDefinitions;
  /** What time it is there. */
  readonly time: ClusterTime;
  /** Throws when nothing may be written now, neither in the cluster nor at the service. */
  fence(): void;
  /** Whether this process acts. */
  leads(): boolean;
  /** Resolves when this process leads. */
  lead(signal: AbortSignal): Promise<void>;
}

/** Connects to the cluster that the options or the surroundings name; `end` is called when this process has to end. */
export async function joinCluster(
  options: OperatorOptions,
  metrics: Metrics,
  end: (reason: string) => void,
): Promise<Cluster> {
  const { clock, random, log } = options;
  const connection = await options.connect();
  const userAgent = `edgeline/${options.version}`;
  const time = createClusterTime(clock);
  const common = { userAgent, fieldManager: 'edgeline', clock, random, time };
  const connect = (more: Partial<KubeClientOptions>) =>
    createKubeClient({ ...common, ...more, transport: connection.transport() });
  const onForbidden = createForbiddenReporter(log);
  const home = options.leaseNamespace ?? connection.namespace;

  const elector = options.leaderElect
    ? createLeaseElector({
        client: connect({ onForbidden }),
        namespace: home,
        name: ELECTION,
        identity: options.identity,
        onLost() {
          metrics.leader(ELECTION, false);
          end('leadership was lost');
        },
        clock,
        random,
        log,
      })
    : undefined;
  const definitions = createServedDefinitions({
    client: connect({}),
    definitions: kindDefinitions.filter(({ scope }) => scope === 'Namespaced' || options.namespaces === undefined),
    onTooOld: ({ message }) => end(message),
    seconds: options.definitionSeconds,
    clock,
    log,
  });
  function fence(): void {
    elector?.fence();
    definitions.check();
  }

  return {
    client: connect({ onRequest: metrics.kubernetesRequest, onForbidden, beforeWrite: fence }),
    userAgent,
    reviewer: () => connect({ onRequest: metrics.kubernetesRequest, onForbidden }),
    home,
    identity: `${home}/${options.leaderElect ? ELECTION : 'without-leader-election'}`,
    elector,
    definitions,
    time,
    fence,
    leads: () => elector?.isLeader() ?? true,
    async lead(signal) {
      if (!elector) return;
      metrics.leader(ELECTION, false);
      await elector.acquired(signal);
      metrics.leader(ELECTION, true);
    },
  };
}
