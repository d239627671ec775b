import type { Clock } from '../clock.ts';
import type { Logger } from '../telemetry/log.ts';

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
