import type { Clock } from '../clock.ts';
import type { CreateDispatcher } from '../cloud/http/dispatcher.ts';
import type { Transport } from '../kubernetes/wire.ts';
import type { HttpHandler, HttpLimits } from '../telemetry/http.ts';
import type { Logger } from '../telemetry/log.ts';
import type { PageSource } from './page-source.ts';
import type { ResourceMetrics } from './resource-metrics.ts';

/** The cluster as it was found. */
export interface ClusterConnection {
  /** Of the pod or the kubeconfig. */
  readonly namespace: string;
  /** A way to its apiserver with connections of its own. */
  transport(): Transport;
}

/** What the machine and the network are to the operator. It touches neither otherwise: a simulation gives others. */
export interface Surroundings {
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** 32 hexadecimal digits that nobody can foresee, others each time. */
  readonly nonce: () => string;
  /** @throws KubeconfigError */
  readonly connect: () => Promise<ClusterConnection>;
  /** What carries requests to the service. */
  readonly dispatcher: CreateDispatcher;
  /** The pod's name, or the machine's. */
  readonly instance: string;
  /** Of this process alone; a container that starts again in the same pod may have the one from before. */
  readonly identity: string;
  /** What the heap may grow to. */
  readonly heapBytes: number;
}

/** A page for people, made of what the operator has in memory. */
export interface StatusPageOptions {
  /** `HOST:PORT`, `:PORT` for all addresses. */
  readonly listen: string;
  readonly limits: HttpLimits;
  readonly create: (source: PageSource) => Record<string, HttpHandler>;
}

/** How the operator runs; see `edgeline operator --help`. */
export interface OperatorOptions extends Surroundings {
  readonly healthListen: string;
  readonly metricsListen: string;
  /** Absent: none. */
  readonly resourceMetrics?: ResourceMetrics | undefined;
  /** Whether the metrics of each resource have the rates of SIMs, which cost requests. Absent: no. */
  readonly simRates?: boolean | undefined;
  /** Undefined: no page is served. */
  readonly statusPage?: StatusPageOptions | undefined;
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
  /** How often it is looked at whether the cluster still serves the CRDs with all fields; absent: every 15 seconds. */
  readonly definitionSeconds?: number | undefined;
  readonly version: string;
  /** The commit the build is of, for the metrics. */
  readonly revision: string;
  readonly log: Logger;
  /** The process has to end: leadership was lost, or something failed that never should. */
  readonly onFatal: (message: string) => void;
}
