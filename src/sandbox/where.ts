import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { type Cluster, connectCluster } from './cluster/cluster.ts';
import { ensureControlPlane, startControlPlane } from './control-plane/control-plane.ts';
import type { DataDirectory } from './data-directory.ts';
import { packageRoot } from './package-root.ts';
import type { Exit, Processes } from './processes/processes.ts';

/** The cluster a sandbox is in, and who else may know it. */
export interface Place {
  readonly cluster: Cluster;
  readonly kubeconfig: string;
  /** The path of a kubectl that fits; undefined when that is up to the person whose cluster it is. */
  readonly kubectl: string | undefined;
  /** Resolves when its control plane has ended by itself; never for a cluster that was there before. */
  readonly exited: Promise<Exit>;
  /** Whether it was there before the sandbox. */
  readonly existing: boolean;
}

interface PlaceOptions {
  readonly directory: DataDirectory;
  readonly processes: Processes;
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/**
 * Starts a control plane of the sandbox's own, built first where it has to be.
 *
 * @throws {ControlPlaneUnavailable} when there is none to be had, or it doesn't start.
 */
export async function ownPlace(options: PlaceOptions): Promise<Place> {
  const { directory, processes, clock, random, signal, say } = options;
  const found = await ensureControlPlane({
    sourceDir: join(packageRoot(), 'test', 'control-plane'),
    progress: say,
    clock,
    processes,
    signal,
  });
  for (const limit of found.limits) say(`control plane: ${limit}`);
  const { kubeconfig, exited } = await startControlPlane({
    bin: found.bin,
    clock,
    dataDir: directory.file('control-plane'),
    // A directory that was named may have a path too long for sockets.
    ...(directory.temporary && { temporaryDir: directory.path }),
    processes,
    signal,
  });
  const cluster = await connectCluster({ kubeconfig, clock, random, signal });
  return { cluster, kubeconfig, kubectl: found.kubectl, exited, existing: false };
}

/** Uses a cluster that was there before. */
export async function existingPlace(kubeconfig: string, options: PlaceOptions): Promise<Place> {
  const { clock, random, signal } = options;
  const cluster = await connectCluster({ kubeconfig, clock, random, signal });
  return { cluster, kubeconfig, kubectl: undefined, exited: new Promise(() => {}), existing: true };
}
