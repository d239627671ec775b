import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { systemClock } from '../../src/clock.ts';
import { ensureControlPlane, startControlPlane } from '../../src/sandbox/control-plane/control-plane.ts';
import { applyCRDs } from '../../src/sandbox/control-plane/kubectl.ts';
import { packageRoot } from '../../src/sandbox/package-root.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The path of an administrator's kubeconfig of the control plane all test files share. */
    kubeconfig: string;
    /** The path of a kubectl that fits it. */
    kubectl: string;
    /** Whether namespaces are deleted, owner references followed and service accounts made. */
    controllers: boolean;
  }
}

/**
 * One control plane for all test files, with the CRDs. EDGELINE_TEST_KUBECONFIG names a cluster to use instead. It tells
 * on standard error what it's doing: the first time, it builds for minutes.
 *
 * @returns what stops it.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const tell = (line: string) => void process.stderr.write(`${line}\n`);
  const root = packageRoot();
  const found = await ensureControlPlane({
    sourceDir: join(root, 'test', 'control-plane'),
    progress: tell,
    clock: systemClock,
  });
  for (const limit of found.limits) tell(`control plane: ${limit}`);
  const explicit = process.env['EDGELINE_TEST_KUBECONFIG'];
  const running = explicit
    ? { kubeconfig: explicit, stop: async () => {} }
    : await startControlPlane({ bin: found.bin, clock: systemClock });
  try {
    await applyCRDs({ kubectl: found.kubectl, kubeconfig: running.kubeconfig }, join(root, 'crds'));
  } catch (error) {
    await running.stop();
    throw error;
  }
  project.provide('kubeconfig', running.kubeconfig);
  project.provide('kubectl', found.kubectl);
  project.provide('controllers', Boolean(explicit) || found.limits.length === 0);
  return () => running.stop();
}
