import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { systemClock } from '../src/clock.ts';
import { createKubeClient, type KubeClient } from '../src/kubernetes/client.ts';
import { loadKubeconfig } from '../src/kubernetes/config.ts';
import type { Resource } from '../src/kubernetes/resource.ts';
import { createTransport } from '../src/kubernetes/transport.ts';
import { ensureControlPlane, startControlPlane } from '../src/sandbox/control-plane/control-plane.ts';
import { applyCRDs } from '../src/sandbox/control-plane/kubectl.ts';
import { type Measured, start } from './processes.ts';

const bundle = join(import.meta.dirname, '..', 'dist', 'edgeline.mjs');
const accessToken = 'bench-token';
const accessTokenSecret = 'bench-secret';

/** A control plane, a simulator and a client of the benchmark's own. */
export interface Environment {
  readonly kubeconfig: string;
  /** Of etcd and kube-apiserver, which are one process; another one after a restart. */
  readonly controlPlanePID: number;
  readonly client: KubeClient;
  readonly simulator: Measured;
  readonly baseURL: string;
  /** Of the simulator's control port. */
  readonly control: string;
  /** Starts the bundled operator; resolves when /readyz says so, with the seconds that took. */
  startOperator(
    flags?: readonly string[],
  ): Promise<{ operator: Measured; readySeconds: number; metrics: () => Promise<string> }>;
  apply(namespace: string | undefined, yaml: string): Promise<void>;
  /** Puts a CloudAccount `default` into a namespace; `limits` as in its spec. */
  createAccount(namespace: string, credentials: Credentials, limits?: object): Promise<void>;
  /** Stops the control plane and starts it with what it has stored. */
  restartControlPlane(): Promise<void>;
  stop(): Promise<void>;
}

export interface Credentials {
  readonly accessToken: string;
  readonly accessTokenSecret: string;
}

export interface EnvironmentOptions {
  /** A file with what the simulator begins with. */
  readonly seed?: string;
  /** Of the control plane's garbage collection (GOGC); 50 where absent, for the sake of small machines. */
  readonly gcPercent?: number;
}

const resources: Record<string, Resource> = {
  Secret: { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true },
  Namespace: { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false },
  CloudAccount: {
    group: 'edgeline.dev',
    version: 'v1alpha1',
    plural: 'cloudaccounts',
    kind: 'CloudAccount',
    namespaced: true,
  },
  MobileGateway: {
    group: 'edgeline.dev',
    version: 'v1alpha1',
    plural: 'mobilegateways',
    kind: 'MobileGateway',
    namespaced: true,
  },
};

export async function createEnvironment({ seed, gcPercent }: EnvironmentOptions = {}): Promise<Environment> {
  const directory = await mkdtemp(join(tmpdir(), 'edgeline-bench-'));
  const found = await ensureControlPlane({
    sourceDir: join(import.meta.dirname, '..', 'test', 'control-plane'),
    progress: (line) => console.error(line),
    clock: systemClock,
  });
  const howToStart = {
    bin: found.bin,
    clock: systemClock,
    dataDir: join(directory, 'control-plane'),
    ...(gcPercent !== undefined && { gcPercent }),
  };
  let controlPlane = await startControlPlane(howToStart);
  await applyCRDs(
    { kubectl: found.kubectl, kubeconfig: controlPlane.kubeconfig },
    join(import.meta.dirname, '..', 'crds'),
  );
  const caFile = join(directory, 'ca.pem');
  const simulator = start(process.execPath, [
    bundle,
    'simulator',
    '--listen',
    '127.0.0.1:0',
    '--control',
    '127.0.0.1:0',
    '--ca-out',
    caFile,
    '--access-token',
    accessToken,
    '--access-token-secret',
    accessTokenSecret,
    '--migrating-time',
    '200',
    ...(seed ? ['--seed-file', seed] : []),
  ]);
  const line = await simulator.lines.next();
  const { baseURL, control }: { baseURL: string; control: string } = JSON.parse(line.value ?? '{}');
  const connection = await loadKubeconfig({ kubeconfig: controlPlane.kubeconfig, clock: systemClock, environment: {} });
  const client = createKubeClient({
    transport: createTransport(connection),
    userAgent: 'edgeline-bench',
    fieldManager: 'bench',
    clock: systemClock,
    random: Math.random,
  });

  async function apply(namespace: string | undefined, yaml: string): Promise<void> {
    for (const document of parseAllDocuments(yaml)) {
      const object = document.toJS();
      const resource = resources[object.kind];
      if (!resource) throw new Error(`the benchmark knows no ${object.kind}`);
      await client.create(resource, namespace, object);
    }
  }

  async function createAccount(namespace: string, credentials: Credentials, limits: object = {}): Promise<void> {
    const manifests = [
      secret('credentials', { ...credentials }),
      secret('service-ca', { 'ca.pem': await readFile(caFile, 'utf8') }),
      `apiVersion: edgeline.dev/v1alpha1
kind: CloudAccount
metadata: {name: default}
spec:
  baseURL: ${baseURL}
  credentialsSecretRef: {name: credentials}
  caBundleSecretRef: {name: service-ca, key: ca.pem}
  limits: ${JSON.stringify(limits)}`,
    ];
    await apply(namespace, manifests.join('\n---\n'));
  }

  await createAccount('default', { accessToken, accessTokenSecret }, { cloudRequestsPerSecond: 10_000 });
  await apply('default', secret('pass-codes', { code: 'bench-pass-code' }));

  return {
    kubeconfig: controlPlane.kubeconfig,
    get controlPlanePID() {
      return controlPlane.pid;
    },
    client,
    simulator,
    baseURL,
    control,
    apply,
    createAccount,
    async startOperator(flags = []) {
      const began = performance.now();
      const [health, metrics] = [await freePort(), await freePort()];
      const operator = start(
        process.execPath,
        [
          bundle,
          'operator',
          '--kubeconfig',
          controlPlane.kubeconfig,
          '--health-listen',
          `127.0.0.1:${health}`,
          '--metrics-listen',
          `127.0.0.1:${metrics}`,
          '--log-level',
          'warn',
          ...flags,
        ],
        { ...process.env, MALLOC_ARENA_MAX: '1' },
      );
      // The log of changes is written at any level.
      void operator.ignoreOutput();
      for (;;) {
        const answer = await fetch(`http://127.0.0.1:${health}/readyz`).catch(() => undefined);
        if (answer?.ok) break;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      return {
        operator,
        readySeconds: (performance.now() - began) / 1000,
        metrics: async () => (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text(),
      };
    },
    async restartControlPlane() {
      const port = Number(new URL(controlPlane.server).port);
      await controlPlane.stop();
      controlPlane = await startControlPlane({ ...howToStart, port });
    },
    async stop() {
      await simulator.kill();
      await client.close();
      await controlPlane.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** A port that is free at this moment. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (typeof address !== 'object' || address === null) throw new Error('no port is free');
  return address.port;
}

function secret(name: string, data: Record<string, string>): string {
  return `apiVersion: v1\nkind: Secret\nmetadata: {name: ${name}}\nstringData: ${JSON.stringify(data)}`;
}
