import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { KubectlFailed } from '../errors.ts';

export interface KubectlTarget {
  /** The path of the program. */
  readonly kubectl: string;
  /** The path of the kubeconfig; nothing else decides which cluster is meant. */
  readonly kubeconfig: string;
}

export interface KubectlResult {
  readonly stdout: string;
  readonly stderr: string;
  /** The exit code; 127 when the program could not be run. */
  readonly code: number;
}

/** Runs kubectl to its end, whatever that is. `input` becomes its standard input (`-f -`). */
export function runKubectl(
  target: KubectlTarget,
  args: readonly string[],
  options: { readonly input?: string } = {},
): Promise<KubectlResult> {
  return new Promise((resolve) => {
    const child = execFile(
      target.kubectl,
      [...args],
      {
        maxBuffer: 256 * 1024 * 1024,
        env: {
          ...process.env,
          KUBECONFIG: target.kubeconfig,
          // Discovery is cached by host and port; another control plane on the same port must not inherit it.
          KUBECACHEDIR: join(dirname(target.kubeconfig), 'kubectl-cache'),
          KUBERC: 'off',
        },
      },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 127;
        resolve({ stdout, stderr: stderr === '' && error !== null ? error.message : stderr, code });
      },
    );
    child.stdin?.on('error', () => {});
    child.stdin?.end(options.input ?? '');
  });
}

/**
 * Applies every CRD manifest of a directory and waits until the apiserver serves them.
 *
 * @returns how many manifests there were: 0 when the directory is empty or missing.
 * @throws {KubectlFailed} when the apiserver rejects one, or doesn't establish it within 60 seconds.
 */
export async function applyCRDs(target: KubectlTarget, directory: string): Promise<number> {
  const manifests = existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith('.yaml')) : [];
  if (manifests.length === 0) return 0;
  const files = manifests.flatMap((name) => ['-f', join(directory, name)]);
  await orFail(target, directory, ['apply', '--server-side', '--force-conflicts', ...files]);
  const wait = ['wait', '--for=condition=Established', '--timeout=60s', ...files];
  // A CRD is stored with conditions that are null for a moment, and kubectl wait gives up on those.
  const first = await runKubectl(target, wait);
  if (first.code !== 0) await orFail(target, directory, wait);
  return manifests.length;
}

async function orFail(target: KubectlTarget, directory: string, args: readonly string[]): Promise<void> {
  const { code, stderr } = await runKubectl(target, args);
  if (code === 0) return;
  throw new KubectlFailed(
    `kubectl ${args[0]} of the CRDs in ${directory} failed: ${stderr.trim()}`,
    'Run `npm run generate` and look at the CRD that is named.',
  );
}
