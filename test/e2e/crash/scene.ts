import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemClock } from '../../../src/clock.ts';
import { cloudAccountResource } from '../../../src/kinds/cloud-account/schema.ts';
import { type Sim, simResource } from '../../../src/kinds/sim/schema.ts';
import { createKubeClient } from '../../../src/kubernetes/client.ts';
import { loadKubeconfig } from '../../../src/kubernetes/config.ts';
import { isNotFound } from '../../../src/kubernetes/errors.ts';
import { NAMESPACES, SECRETS } from '../../../src/kubernetes/resource.ts';
import { createTransport } from '../../../src/kubernetes/transport.ts';
import { Annotation } from '../../../src/reconcile/annotations.ts';
import { startSimulator } from '../../../src/simulator/server.ts';
import { adminKubeconfig } from '../../support/control-plane.ts';
import { makeCertificates } from '../../support/https-server.ts';
import { simulatorClient } from '../../support/simulator-client.ts';
import { createDirector, type Director } from './director.ts';
import { startHoldingProxy } from './holding-proxy.ts';
import { type OperatorProcess, startOperatorProcess } from './operator-process.ts';

/** How many subjects a scene has room for: accounts are fixed when the simulator starts. */
const ROOM = 64;
const DAY_MILLISECONDS = 86_400_000;

/** A SIM as the simulator keeps it, as far as a spec can say. */
export interface StoredSim {
  readonly id: string;
  readonly account: string;
  readonly iccid: string;
  readonly name: string;
  readonly activated: boolean;
  readonly imeiLock: string | null;
  readonly gatewayID: string | null;
  readonly ip: string | null;
  readonly carriers: readonly { readonly name: string; readonly allow: boolean }[];
}

/**
 * A namespace, a simulated service that would register an ICCID twice, and an operator between two proxies. Each subject
 * (a Sim) has an account and a world of its own, named as it is, so that all its calls can be told from the others'.
 */
async function createScene() {
  const namespace = `crash-${randomBytes(4).toString('hex')}`;
  const directory = await mkdtemp(join(tmpdir(), 'edgeline-crash-'));
  const director = createDirector();
  const subjects = Array.from({ length: ROOM }, (_, index) => `sim-${index}`);
  const simulator = await startSimulator({
    listen: 'localhost:0',
    control: '127.0.0.1:0',
    accessToken: 'nobody',
    accessTokenSecret: 'secret',
    seed: { accounts: subjects.map((name) => ({ name, accessToken: name, accessTokenSecret: `secret of ${name}` })) },
    settings: { allowDuplicateICCID: true, migratingTime: 0 },
  });
  const control = simulatorClient(simulator.control);
  const certificates = await makeCertificates();
  const service = await startHoldingProxy({
    certificates,
    upstream: simulator.baseURL,
    upstreamTLS: { ca: simulator.ca },
    callOf: serviceCall,
    director,
  });
  const connection = await loadKubeconfig({ kubeconfig: adminKubeconfig(), clock: systemClock, environment: {} });
  const kube = createKubeClient({
    transport: createTransport(connection),
    userAgent: 'edgeline-test',
    fieldManager: 'edgeline-test',
    clock: systemClock,
    random: Math.random,
  });
  await kube.create(NAMESPACES, undefined, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const operators: OperatorProcess[] = [];
  /** How far the scene's clocks are ahead. */
  let milliseconds = 0;
  const proxies = [service];
  await createSecret('service-ca', { 'ca.pem': certificates.ca });
  await createSecret('pass-codes', { code: 'pass code' });

  async function createSecret(name: string, stringData: Record<string, string>): Promise<void> {
    await kube.create(SECRETS, namespace, { apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData });
  }

  /** A kubeconfig that leads through a proxy of its own. */
  async function proxiedKubeconfig(asked: Director): Promise<string> {
    const proxy = await startHoldingProxy({
      certificates,
      upstream: connection.server,
      upstreamTLS: connection.tls(),
      headers: () => connection.headers(),
      callOf: kubernetesCall,
      director: asked,
    });
    proxies.push(proxy);
    const file = join(directory, `kubeconfig-${proxies.length}`);
    const name = 'proxy';
    const authority = Buffer.from(certificates.ca).toString('base64');
    await writeFile(
      file,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': name,
        clusters: [{ name, cluster: { server: proxy.url, 'certificate-authority-data': authority } }],
        users: [{ name, user: {} }],
        contexts: [{ name, context: { cluster: name, user: name, namespace } }],
      }),
    );
    return file;
  }

  const kubeconfig = await proxiedKubeconfig(director);
  let asked: ReturnType<typeof control.state> | undefined;

  /** What the service has. Those that ask in one turn get one answer: of many subjects each looks at its own. */
  function state(): ReturnType<typeof control.state> {
    asked ??= nextTurn().then(() => {
      asked = undefined;
      return control.state();
    });
    return asked;
  }

  return {
    namespace,
    control,
    state,
    director,
    kube,
    subjects,

    /** A scene's one operator. */
    startOperator(): OperatorProcess {
      const operator = startOperatorProcess(kubeconfig, ['--namespaces', namespace], ahead(milliseconds));
      operators.push(operator);
      return operator;
    },

    /** Ends all operators, and moves the service's clock and that of those that are started from now on. */
    async moveOn(days: number): Promise<void> {
      await Promise.all(operators.map((operator) => operator.kill()));
      milliseconds += days * DAY_MILLISECONDS;
      await control.advance((days * DAY_MILLISECONDS) / 1000);
    },

    /** One of several operators, with a proxy and a director of its own. */
    async startRival(asked: Director): Promise<OperatorProcess> {
      const flags = ['--namespaces', namespace, '--leader-elect'];
      const operator = startOperatorProcess(await proxiedKubeconfig(asked), flags);
      operators.push(operator);
      return operator;
    },

    async createAccount(subject: string): Promise<void> {
      await createSecret(subject, { accessToken: subject, accessTokenSecret: `secret of ${subject}` });
      await kube.create(cloudAccountResource, namespace, {
        apiVersion: 'edgeline.dev/v1alpha1',
        kind: 'CloudAccount',
        metadata: { name: subject },
        spec: {
          baseURL: service.url,
          credentialsSecretRef: { name: subject },
          caBundleSecretRef: { name: 'service-ca', key: 'ca.pem' },
          limits: { cloudRequestsPerSecond: 10_000 },
        },
      });
    },

    async createSim(subject: string, spec: object): Promise<void> {
      await kube.create(simResource, namespace, {
        apiVersion: 'edgeline.dev/v1alpha1',
        kind: 'Sim',
        metadata: { name: subject },
        spec: { accountRef: { kind: 'CloudAccount', name: subject }, iccid: iccidOf(subject), ...spec },
      });
    },

    /** Merges into the spec; null removes a field. */
    async editSim(subject: string, spec: object): Promise<void> {
      await kube.mergePatch(simResource, namespace, subject, { spec });
    },

    /** Has the operator look at the service now. */
    async refresh(subject: string): Promise<void> {
      const annotations = { [Annotation.reconcileAt]: new Date().toISOString() };
      await kube.mergePatch(simResource, namespace, subject, { metadata: { annotations } });
    },

    deleteSim: (subject: string): Promise<void> => kube.delete(simResource, namespace, subject),

    /** The Sim as Kubernetes has it; undefined when it is gone. */
    async sim(subject: string): Promise<Sim | undefined> {
      try {
        return await kube.get<Sim>(simResource, namespace, subject);
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw error;
      }
    },

    /** Registers a SIM behind the operator's back. */
    addStored: (subject: string, seed: object = {}): Promise<{ id: string }> =>
      control.add('sims', { account: subject, iccid: iccidOf(subject), ...seed }),

    /** The SIMs of a subject's account. */
    async stored(subject: string): Promise<StoredSim[]> {
      const { sims } = await state();
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the control port is this repository's own
      const all = Object.values(sims) as unknown as StoredSim[];
      return all.filter((sim) => sim.account === subject);
    },

    /** The writes that reached the service for a subject, by route, in the order they ended. */
    async writes(subject: string, since = 0): Promise<string[]> {
      const { requests } = await control.requests(since);
      return requests
        .filter(({ account, method }) => account === subject && method !== 'GET')
        .map(({ route, status }) => `${route}${status < 400 ? '' : ` (${status})`}`);
    },

    async close(): Promise<void> {
      await Promise.all(operators.map((operator) => operator.kill()));
      await Promise.all(proxies.map((proxy) => proxy.close()));
      await kube.close();
      await simulator.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export type Scene = Awaited<ReturnType<typeof createScene>>;

/** Gives a test a scene of its own, so that several can run at a time: most of their time they wait. */
export async function onScene(play: (scene: Scene) => Promise<void>): Promise<void> {
  const scene = await createScene();
  try {
    await play(scene);
  } finally {
    await scene.close();
  }
}

/** An environment in which a process of Node has its wall clock that much ahead. */
function ahead(milliseconds: number): Record<string, string> {
  if (milliseconds === 0) return {};
  const source = `const now = Date.now; Date.now = () => now() + ${milliseconds};`;
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(source)}` };
}

/** The ICCID of a subject's SIM. */
export function iccidOf(subject: string): string {
  return `89810400000000${subject.replace(/\D/g, '').padStart(5, '0')}`;
}

/** A call of the service is about the Sim whose account's token it carries. */
function serviceCall(method: string, target: string, authorization: string | undefined) {
  const [subject = ''] = Buffer.from((authorization ?? '').replace('Basic ', ''), 'base64')
    .toString()
    .split(':');
  const [path = ''] = target.split('?');
  const route = path.replace(/^.*\/api\/cloud\/1\.1/, '').replaceAll(/\/\d{12}\b/g, '/:id');
  return { subject, route: `${method} ${route}` };
}

const kinds: Readonly<Record<string, string>> = {
  sims: 'Sim',
  mobilegateways: 'MobileGateway',
  sitecertificates: 'SiteCertificate',
  leases: 'Lease',
};

/** Of the calls of Kubernetes, the writes to what a story can be about and to the Lease. */
function kubernetesCall(method: string, target: string) {
  const [, plural = '', subject = '', status = ''] =
    /\/namespaces\/[^/]+\/(sims|mobilegateways|sitecertificates|leases)\/([^/?]+)(\/status)?/.exec(target) ?? [];
  if (plural === '' || method === 'GET') return undefined;
  return { subject, route: `${method} ${kinds[plural] ?? plural}${status}` };
}
