import { join } from 'node:path';
import { systemClock } from '../../src/clock.ts';
import {
  type ControlPlane,
  ensureControlPlane,
  startControlPlane,
} from '../../src/sandbox/control-plane/control-plane.ts';
import { applyCRDs } from '../../src/sandbox/control-plane/kubectl.ts';
import type { RunningControlPlane } from '../../src/sandbox/control-plane/running.ts';
import { packageRoot } from '../../src/sandbox/package-root.ts';

/** Of the control planes' work under the tests, a fifth was garbage collection at 50; memory is not what tests lack. */
const GC_PERCENT = 400;

/** The project's own control plane; tells on standard error what it does: the first time, it is built for minutes. */
export async function findControlPlane(): Promise<ControlPlane> {
  const tell = (line: string) => void process.stderr.write(`${line}\n`);
  const sourceDir = join(packageRoot(), 'test', 'control-plane');
  const found = await ensureControlPlane({ sourceDir, progress: tell, clock: systemClock });
  for (const limit of found.limits) tell(`control plane: ${limit}`);
  return found;
}

/**
 * Starts one with the CRDs; if EDGELINE_TEST_KUBECONFIG names a cluster, that is used instead. `temporaryDir`: where the socket of its
 * etcd is to be.
 */
export async function startWithCRDs(
  { bin, kubectl }: ControlPlane,
  { temporaryDir }: { readonly temporaryDir?: string } = {},
): Promise<Pick<RunningControlPlane, 'kubeconfig' | 'stop'>> {
  const explicit = process.env['EDGELINE_TEST_KUBECONFIG'];
  const running = explicit
    ? { kubeconfig: explicit, stop: async () => {} }
    : await startControlPlane({
        bin,
        clock: systemClock,
        gcPercent: GC_PERCENT,
        ...(temporaryDir !== undefined && { temporaryDir }),
      });
  try {
    await applyCRDs({ kubectl, kubeconfig: running.kubeconfig }, join(packageRoot(), 'crds'));
  } catch (error) {
    await running.stop();
    throw error;
  }
  return running;
}
