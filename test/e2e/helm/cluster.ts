import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { systemClock } from '../../../src/clock.ts';
import type { Condition } from '../../../src/kubernetes/objects.ts';
import { ensureControlPlane, startControlPlane } from '../../../src/sandbox/control-plane/control-plane.ts';
import { type KubectlResult, runKubectl } from '../../../src/sandbox/control-plane/kubectl.ts';
import { packageRoot } from '../../../src/sandbox/package-root.ts';
import type { Seed } from '../../../src/simulator/seed-schema.ts';
import { startSimulator } from '../../../src/simulator/server.ts';
import { ensureHelm } from '../../support/go-tools.ts';
import { createHelm, type Helm } from '../../support/helm.ts';
import { eventually } from '../../support/kubernetes.ts';
import { ACCESS_TOKEN, ACCESS_TOKEN_SECRET } from '../../support/manifests.ts';
import { type SimulatorClient, simulatorClient } from '../../support/simulator-client.ts';
import { operatorPod, type PodProcess, runPod } from './pod-process.ts';

const object = z.looseObject({
  metadata: z.looseObject({ generation: z.number().optional(), finalizers: z.array(z.string()).optional() }),
  status: z.looseObject({ conditions: z.array(z.custom<Condition>()).optional() }).optional(),
});

/** A cluster without CRDs whose pods are pretended to run, Helm, and a simulated service. */
export interface HelmCluster {
  readonly helm: Helm;
  readonly simulator: SimulatorClient;
  readonly baseURL: string;
  /** Values without which nothing could run on a shared machine: free ports, and the simulated service's authority. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Runs kubectl to its end, whatever that is. */
  tryKubectl(args: readonly string[], input?: object | string): Promise<KubectlResult>;
  /** What kubectl printed. Fails the test with its complaint when it fails. */
  kubectl(args: readonly string[], input?: object | string): Promise<string>;
  /** An object; the arguments as for `kubectl get`. */
  get(...args: readonly string[]): Promise<z.infer<typeof object>>;
  /** Resolves when the object, as it is specified now, is Ready. */
  ready(namespace: string, name: string): Promise<void>;
  /** A CloudAccount `default` in this namespace with its Secret. */
  makeAccount(namespace: string): Promise<void>;
  /** Runs the operator of the newest pod in the namespace, as {@link runPod}; resolves when its probes succeed. */
  startPod(namespace: string): Promise<PodProcess>;
  /**
   * Commands as a person pastes them into a shell: everything as it is, but the settings (`NAME=value` on a line of its own)
   * filled in. Those of the account are known.
   *
   * @returns what they printed. Fails the test when one of them fails.
   */
  paste(commands: string, settings?: Readonly<Record<string, string>>): Promise<string>;
  stop(): Promise<void>;
}

/** See {@link HelmCluster}. */
export async function startHelmCluster(seed: Seed): Promise<HelmCluster> {
  const directory = mkdtempSync(join(tmpdir(), 'edgeline-chart-'));
  const found = await ensureControlPlane({
    sourceDir: join(packageRoot(), 'test', 'control-plane'),
    progress: (line) => void process.stderr.write(`${line}\n`),
    clock: systemClock,
  });
  const running = await startControlPlane({ bin: found.bin, clock: systemClock, fakeKubelet: true });
  const { kubeconfig } = running;
  const helm = await createHelm(kubeconfig);
  const service = await startSimulator({
    listen: 'localhost:0',
    control: '127.0.0.1:0',
    accessToken: ACCESS_TOKEN,
    accessTokenSecret: ACCESS_TOKEN_SECRET,
    migratingMilliseconds: 0,
    seed,
  });
  const authority = join(directory, 'ca.crt');
  writeFileSync(authority, service.ca);
  const [healthPort, metricsPort] = [await freePort(), await freePort()];
  const processes: PodProcess[] = [];

  function tryKubectl(args: readonly string[], input?: object | string): Promise<KubectlResult> {
    const text = typeof input === 'object' ? JSON.stringify(input) : input;
    return runKubectl({ kubectl: found.kubectl, kubeconfig }, args, text === undefined ? {} : { input: text });
  }

  async function kubectl(args: readonly string[], input?: object | string): Promise<string> {
    const { code, stdout, stderr } = await tryKubectl(args, input);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')} failed with ${code}: ${stderr.trim()}`);
    return stdout.trim();
  }

  const get = async (...args: readonly string[]) =>
    object.parse(JSON.parse(await kubectl(['get', ...args, '-o', 'json'])));

  return {
    helm,
    simulator: simulatorClient(service.control),
    baseURL: service.baseURL,
    values: {
      simPollSeconds: 1,
      healthPort,
      metrics: { port: metricsPort },
      extraEnv: [{ name: 'NODE_EXTRA_CA_CERTS', value: authority }],
    },
    tryKubectl,
    kubectl,
    get,
    async ready(namespace, name) {
      await eventually(
        async () => {
          const { metadata, status } = await get('-n', namespace, name);
          const found = status?.conditions?.find(({ type }) => type === 'Ready');
          if (found?.status === 'True' && found.observedGeneration === metadata.generation) return;
          throw new Error(`${name}: ${JSON.stringify(status?.conditions)}`);
        },
        { timeoutSeconds: 30 },
      );
    },
    async makeAccount(namespace) {
      const credentials = { accessToken: ACCESS_TOKEN, accessTokenSecret: ACCESS_TOKEN_SECRET };
      await kubectl(['apply', '-n', namespace, '-f', '-'], {
        apiVersion: 'v1',
        kind: 'List',
        items: [
          { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'service-credentials' }, stringData: credentials },
          {
            apiVersion: 'edgeline.dev/v1alpha1',
            kind: 'CloudAccount',
            metadata: { name: 'default' },
            spec: { baseURL: service.baseURL, credentialsSecretRef: { name: 'service-credentials' } },
          },
        ],
      });
    },
    async startPod(namespace) {
      const pods = await kubectl([
        'get',
        'pods',
        '-n',
        namespace,
        '-l',
        'app.kubernetes.io/name=edgeline',
        '-o',
        'json',
      ]);
      const known = new Set(processes.map(({ pod }) => pod.metadata.name));
      const pod = z
        .object({ items: z.array(operatorPod) })
        .parse(JSON.parse(pods))
        .items.find(({ metadata }) => metadata.deletionTimestamp === undefined && !known.has(metadata.name));
      if (!pod) throw new Error(`no pod of the operator waits to be run in ${namespace}`);
      const token = await kubectl(['create', 'token', '-n', namespace, pod.spec.serviceAccountName]);
      const started = await runPod(pod, { kubeconfig, token, directory });
      processes.push(started);
      await started.ready();
      return started;
    },
    async paste(commands, settings = {}) {
      const known = { SERVICE: service.baseURL, ACCESS_TOKEN, ACCESS_TOKEN_SECRET, ...settings };
      const script = Object.entries(known).reduce(
        (text, [name, value]) => text.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}='${value}'`),
        commands,
      );
      const programs = [found.kubectl, await ensureHelm()].map(dirname);
      const path = [...programs, process.env['PATH']].join(delimiter);
      const env = { PATH: path, HOME: directory, KUBECONFIG: kubeconfig };
      return (await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { env })).stdout;
    },
    async stop() {
      await Promise.all(processes.map((one) => one.stop()));
      await service.close();
      await helm.dispose();
      await running.stop();
      rmSync(directory, { recursive: true });
    },
  };
}

/** The commands among the paragraphs that Helm prints after an install. */
export function commandsOf(said: string): string {
  const [, notes = ''] = said.split('\nNOTES:\n');
  const paragraphs = notes.split(/\n\n+/).filter((paragraph) => /^(kubectl |[A-Z_]+=)/.test(paragraph));
  if (paragraphs.length === 0) throw new Error(`there is no command in ${said}`);
  return paragraphs.join('\n');
}

/** A port nobody listens at, for a program that has to be told one. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('there is no free port');
  return address.port;
}
