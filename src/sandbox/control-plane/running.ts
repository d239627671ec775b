import type { Clock } from '../../clock.ts';
import type { Exit, Processes } from '../processes/processes.ts';

export interface StartOptions {
  /** The program, or the directory with `etcd` and `kube-apiserver`. */
  readonly bin: string;
  readonly clock: Clock;
  /** Where its state stays; a temporary directory, removed at the end, when absent. */
  readonly dataDir?: string;
  /** The port on 127.0.0.1; a free one when absent. */
  readonly port?: number;
  /** Pretends that pods run, on a pretended node. The project's own control plane only. */
  readonly fakeKubelet?: boolean;
  /** Go's garbage collection (GOGC); 50 when absent. More takes less CPU and more memory. The project's own only. */
  readonly gcPercent?: number;
  /** Where short-lived files go; the system's own place when absent. Sockets are there too: a short path. */
  readonly temporaryDir?: string;
  /** Who looks after its process; someone of its own when absent, and for the programs of KUBEBUILDER_ASSETS. */
  readonly processes?: Processes;
  /** Gives up starting; what runs already is stopped first. */
  readonly signal?: AbortSignal;
}

/** A control plane that answers. */
export interface RunningControlPlane {
  /** The path of the administrator's kubeconfig, with all certificates inside; it goes with a temporary directory. */
  readonly kubeconfig: string;
  /** `https://127.0.0.1:<port>`. */
  readonly server: string;
  readonly pid: number;
  /** Resolves when it has ended, wanted or not. */
  readonly exited: Promise<Exit>;
  stop(): Promise<void>;
}

/** Milliseconds a control plane may take to answer. */
export const START_LIMIT_MILLISECONDS = 120_000;
