import type { TestProject } from 'vitest/node';
import * as z from 'zod';
import { runKubectl } from '../../src/sandbox/control-plane/kubectl.ts';
import { findControlPlane, startWithCRDs } from './control-plane-start.ts';

/**
 * A control plane for each worker, with the CRDs: one test file at a time uses it.
 *
 * @returns what stops them.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const found = await findControlPlane();
  const starting = Array.from({ length: project.config.maxWorkers }, () => startWithCRDs(found));
  const started = await Promise.allSettled(starting);
  const running = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const stop = async () => {
    await Promise.all(running.map((one) => one.stop()));
  };
  const failed = started.find((one) => one.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  project.provide(
    'kubeconfigs',
    running.map(({ kubeconfig }) => kubeconfig),
  );
  project.provide('kubectl', found.kubectl);
  project.provide('kubernetes', await versionOf(found.kubectl, running[0]?.kubeconfig ?? ''));
  project.provide('controllers', process.env['EDGELINE_TEST_KUBECONFIG'] !== undefined || found.limits.length === 0);
  return stop;
}

/** As the server says it itself: `v1.34.4`. */
async function versionOf(kubectl: string, kubeconfig: string): Promise<string> {
  const { stdout, stderr, code } = await runKubectl({ kubectl, kubeconfig }, ['version', '-o', 'json']);
  if (code !== 0) throw new Error(`kubectl version failed with ${code}: ${stderr.trim()}`);
  const answer = z.object({ serverVersion: z.object({ gitVersion: z.string() }) }).parse(JSON.parse(stdout));
  return answer.serverVersion.gitVersion;
}
