import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';
import { messageOf } from '../../src/errors.ts';
import { type KubectlResult, runKubectl } from '../../src/sandbox/control-plane/kubectl.ts';
import { adminKubeconfig } from './control-plane.ts';

/** Runs kubectl as administrator of the shared control plane, to its end, whatever that is. */
export function kubectl(args: readonly string[], options: { readonly input?: string } = {}): Promise<KubectlResult> {
  return runKubectl({ kubectl: inject('kubectl'), kubeconfig: adminKubeconfig() }, args, options);
}

/** Runs kubectl and gives back what it printed. Fails the test with its complaint when it fails. */
export async function kubectlOutput(
  args: readonly string[],
  options: { readonly input?: string } = {},
): Promise<string> {
  const { code, stdout, stderr } = await kubectl(args, options);
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')} failed with ${code}: ${stderr.trim()}`);
  return stdout.trim();
}

/** Server-side applies a manifest: an object, or YAML. */
export async function apply(manifest: object | string): Promise<void> {
  await kubectlOutput(['apply', '--server-side', '-f', '-'], {
    input: typeof manifest === 'string' ? manifest : JSON.stringify(manifest),
  });
}

/** Makes a namespace no other test has. It's left behind: deleting one takes seconds, and the control plane goes anyway. */
export async function testNamespace(prefix: string): Promise<string> {
  const name = `${prefix}-${randomBytes(4).toString('hex')}`;
  await kubectlOutput(['create', 'namespace', name]);
  return name;
}

/** No round of looking and waiting takes longer, unless the whole machine stood still: then nothing else had its time either. */
const LONGEST_ROUND_MILLISECONDS = 5000;

/** A machine that others use, too, is no failure: so many times longer than given is waited. */
const PATIENCE = 2;

/**
 * Repeats an assertion until it holds, and gives back what it returned. After the timeout, for a machine that has nothing else
 * to do (30 seconds when not given), and as long again, it fails with the last failure.
 */
export async function eventually<T>(
  assertion: () => T | Promise<T>,
  options: { readonly timeoutSeconds?: number } = {},
): Promise<T> {
  const timeoutSeconds = (options.timeoutSeconds ?? 30) * PATIENCE;
  const start = performance.now();
  let waited = 0;
  for (let tries = 1; ; tries++) {
    const began = performance.now();
    try {
      return await assertion();
    } catch (error) {
      if (waited > timeoutSeconds * 1_000) {
        const seconds = ((performance.now() - start) / 1000).toFixed(1);
        throw new Error(
          `It did not hold within ${timeoutSeconds} s (${tries} tries in ${seconds} s). The last failure: ${messageOf(error)}`,
          { cause: error },
        );
      }
      // What takes seconds is looked at less often: looking costs the machine what is waited for.
      await sleep(Math.min(250, 50 + waited / 10));
      waited += Math.min(performance.now() - began, LONGEST_ROUND_MILLISECONDS);
    }
  }
}
