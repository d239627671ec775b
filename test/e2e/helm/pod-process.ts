import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { systemClock } from '../../../src/clock.ts';
import { loadKubeconfig } from '../../../src/kubernetes/config.ts';
import { tokenKubeconfig } from '../../../src/sandbox/control-plane/operator-kubeconfig.ts';
import { eventually } from '../../support/kubernetes.ts';
import { program } from '../../support/program.ts';

const probe = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) });

const container = z.object({
  image: z.string(),
  args: z.array(z.string()),
  env: z.array(
    z.object({
      name: z.string(),
      value: z.string().optional(),
      valueFrom: z.object({ fieldRef: z.object({ fieldPath: z.literal('metadata.name') }) }).optional(),
    }),
  ),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
  readinessProbe: probe,
  livenessProbe: probe,
});

/** A pod of the operator as the apiserver has it: what the chart rendered, and what admission made of it. */
export const operatorPod = z.object({
  metadata: z.object({
    name: z.string(),
    namespace: z.string(),
    creationTimestamp: z.string(),
    deletionTimestamp: z.string().optional(),
  }),
  spec: z.object({
    serviceAccountName: z.string(),
    terminationGracePeriodSeconds: z.number(),
    containers: z.tuple([container]),
  }),
});

export type OperatorPod = z.infer<typeof operatorPod>;

/** The process a kubelet would run for a pod. */
export interface PodProcess {
  readonly pod: OperatorPod;
  /** Everything it has logged so far. */
  log(): string;
  /** Resolves when the pod's own readiness and liveness probes succeed. */
  ready(): Promise<void>;
  /** Ends it as a kubelet does; resolves with the exit code. Fails the test when that takes longer than the pod grants. */
  stop(): Promise<number | null>;
}

/**
 * Does for a pod what its kubelet would: starts the operator with exactly the arguments and the environment of its
 * container, and a token of its ServiceAccount. The token comes in a kubeconfig, which KUBECONFIG names: what a pod finds at
 * a fixed path of its own is on a machine that all share.
 */
export async function runPod(
  pod: OperatorPod,
  options: { readonly kubeconfig: string; readonly token: string; readonly directory: string },
): Promise<PodProcess> {
  const { metadata, spec } = pod;
  const [{ args, env, ports, readinessProbe, livenessProbe }] = spec.containers;
  const kubeconfig = join(options.directory, `${metadata.name}.kubeconfig`);
  const connection = await loadKubeconfig({ kubeconfig: options.kubeconfig, clock: systemClock, environment: {} });
  const { namespace } = metadata;
  writeFileSync(kubeconfig, tokenKubeconfig(connection, options.token, { name: 'pod', namespace }));
  const environment = env.map(({ name, value }) => [name, value ?? metadata.name] as const);
  const child = spawn(process.execPath, [program(), ...args], {
    env: { ...Object.fromEntries(environment), KUBECONFIG: kubeconfig },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const last = () => void child.kill('SIGKILL');
  process.once('exit', last);
  const exited = once(child, 'exit').then(([code]: unknown[]) => {
    process.removeListener('exit', last);
    return z.number().nullable().parse(code);
  });

  async function ask({ httpGet }: z.infer<typeof probe>): Promise<void> {
    const port = ports.find(({ name }) => name === httpGet.port)?.containerPort;
    const { ok, status } = await fetch(`http://127.0.0.1:${port}${httpGet.path}`);
    if (!ok) throw new Error(`${httpGet.path} of ${metadata.name} answered ${status}`);
  }

  return {
    pod,
    log: () => said,
    async ready() {
      await eventually(async () => {
        if (child.exitCode !== null) throw new Error(`${metadata.name} ended with ${child.exitCode}:\n${said}`);
        await ask(readinessProbe);
        await ask(livenessProbe);
      });
    },
    async stop() {
      const started = performance.now();
      child.kill('SIGTERM');
      const code = await exited;
      const seconds = (performance.now() - started) / 1_000;
      if (seconds <= spec.terminationGracePeriodSeconds) return code;
      throw new Error(`${metadata.name} took ${seconds} s to end`);
    },
  };
}
