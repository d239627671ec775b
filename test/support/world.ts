import { parseAllDocuments } from 'yaml';
import { systemClock } from '../../src/clock.ts';
import { cloudAccountResource, clusterCloudAccountResource } from '../../src/kinds/cloud-account/schema.ts';
import { gatewayResource } from '../../src/kinds/mobile-gateway/schema.ts';
import { simResource } from '../../src/kinds/sim/schema.ts';
import { certificateResource } from '../../src/kinds/site-certificate/schema.ts';
import { siteResource } from '../../src/kinds/web-accel-site/schema.ts';
import { createKubeClient, type KubeClient } from '../../src/kubernetes/client.ts';
import { loadKubeconfig } from '../../src/kubernetes/config.ts';
import { isNotFound } from '../../src/kubernetes/errors.ts';
import type { Condition, KubernetesObject } from '../../src/kubernetes/objects.ts';
import { EVENTS, NAMESPACES, type Resource, SECRETS } from '../../src/kubernetes/resource.ts';
import { createTransport } from '../../src/kubernetes/transport.ts';
import type { RequestRecord } from '../../src/simulator/request-log.ts';
import type { Seed } from '../../src/simulator/seed-schema.ts';
import { startSimulator } from '../../src/simulator/server.ts';
import type { Settings } from '../../src/simulator/settings.ts';
import { adminKubeconfig } from './control-plane.ts';
import { eventually, kubectlOutput } from './kubernetes.ts';
import { ACCESS_TOKEN, ACCESS_TOKEN_SECRET, PASS_CODE, secret } from './manifests.ts';
import { type SimulatorClient, simulatorClient } from './simulator-client.ts';

const resources: readonly Resource[] = [
  simResource,
  gatewayResource,
  siteResource,
  certificateResource,
  cloudAccountResource,
  clusterCloudAccountResource,
  SECRETS,
  EVENTS,
  NAMESPACES,
];

/** An object as a test looks at it. */
export interface Seen extends KubernetesObject {
  readonly spec?: Record<string, unknown>;
  readonly status?: Record<string, unknown> & { readonly conditions?: readonly Condition[] };
}

export interface Credentials {
  readonly accessToken: string;
  readonly accessTokenSecret: string;
  readonly passCode: string;
}

export interface WorldOptions {
  readonly dialect?: 'Documented' | 'Extended';
  readonly authentication?: 'Basic' | 'Digest';
  readonly seed?: Seed;
  readonly settings?: Partial<Settings>;
  /** What the account is opened with, and the pass code; those of manifests.ts unless given. */
  readonly credentials?: Credentials;
  /** Of the namespace; the rest is chosen so that no two are the same. */
  readonly prefix?: string;
  /** How manifests are applied: as `kubectl apply` does, or server-side without kubectl (faster; the default). */
  readonly applyWith?: 'kubectl' | 'server-side';
  /** The service of another world, in place of one of its own; stop that world last. */
  readonly at?: World;
  /** The host the account's baseURL names; `localhost` unless given. */
  readonly host?: string;
  /** False: no account and no Secrets are made. */
  readonly account?: boolean;
}

/** A namespace with an account `default` at a simulator of its own. Any number of them share one operator. */
export interface World {
  readonly namespace: string;
  readonly baseURL: string;
  /** Of the simulator's control port, which speaks plain HTTP. */
  readonly control: string;
  /** PEM. */
  readonly ca: string;
  readonly client: KubeClient;
  readonly simulator: SimulatorClient;
  /** Makes the account `default` and its Secrets: credentials, CA and pass codes. Done at the start unless told not to. */
  makeAccount(): Promise<void>;
  /** Applies manifests: an object, or YAML of any number of documents. */
  apply(manifest: object | string): Promise<void>;
  get(kind: string, name: string): Promise<Seen>;
  /** Resolves when the object, as it is specified now, is Ready and Synced. */
  ready(kind: string, name: string): Promise<Seen>;
  /** Resolves when the condition has this status and reason for the spec as it is now. */
  condition(kind: string, name: string, expected: Pick<Condition, 'type' | 'status' | 'reason'>): Promise<Condition>;
  annotate(kind: string, name: string, annotations: Record<string, string | null>): Promise<void>;
  patch(kind: string, name: string, patch: object): Promise<void>;
  /** Asks for deletion and returns at once. */
  delete(kind: string, name: string): Promise<void>;
  /** Resolves when there is no such object. */
  gone(kind: string, name: string): Promise<void>;
  /** The reasons and notes of the events about an object, oldest first. */
  events(name: string): Promise<{ reason: string; note: string; count: number }[]>;
  /** What was asked of the service since the world began or `forget` was called. */
  requests(): Promise<readonly RequestRecord[]>;
  /** The requests that change something, each as `METHOD /route {body}`. */
  writes(): Promise<string[]>;
  /** How often each route was asked. */
  counts(): Promise<Record<string, number>>;
  /** What was asked until now no longer counts. */
  forget(): Promise<void>;
  /** Resolves after the list of SIMs was taken twice more, so that what a change leads to has happened. */
  settle(): Promise<void>;
  /** Lets go of the namespace's resources and stops the simulator. */
  stop(): Promise<void>;
}

const usual: Credentials = {
  accessToken: ACCESS_TOKEN,
  accessTokenSecret: ACCESS_TOKEN_SECRET,
  passCode: PASS_CODE,
};

let number = 0;
let shared: Promise<KubeClient> | undefined;

/** A client of the shared control plane, as administrator; one for the process. */
export function testClient(): Promise<KubeClient> {
  shared ??= loadKubeconfig({ kubeconfig: adminKubeconfig(), clock: systemClock, environment: {} }).then((connection) =>
    createKubeClient({
      transport: createTransport(connection),
      userAgent: 'edgeline-test',
      fieldManager: 'kubectl',
      clock: systemClock,
      random: Math.random,
    }),
  );
  return shared;
}

/** See {@link World}. */
export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const client = await testClient();
  const namespace = `${options.prefix ?? 'world'}-${process.pid.toString(36)}-${Date.now().toString(36)}-${number++}`;
  const { credentials = usual } = options;
  const running = options.at
    ? serviceOf(options.at)
    : await startSimulator({
        listen: '127.0.0.1:0',
        control: '127.0.0.1:0',
        ...(options.host !== undefined && { hosts: [options.host] }),
        accessToken: credentials.accessToken,
        accessTokenSecret: credentials.accessTokenSecret,
        migratingMilliseconds: 0,
        // No two services give the same IDs.
        firstID: 113_400_000_001 + Math.floor(Math.random() * 1e5) * 1e4,
        ...(options.seed && { seed: aged(options.seed) }),
        ...(options.settings && { settings: options.settings }),
      });
  const baseURL = running.baseURL.replace('127.0.0.1', options.host ?? 'localhost');
  const simulator = simulatorClient(running.control);
  await client.create(NAMESPACES, undefined, { metadata: { name: namespace } });
  let since = 0;

  const scope = (resource: Resource) => (resource.namespaced ? namespace : undefined);
  const get = (kind: string, name: string) => {
    const resource = resourceOf(kind);
    return client.get<Seen>(resource, scope(resource), name);
  };
  const requests = async () => (await simulator.requests(since)).requests;
  const lists = async () =>
    (await requests()).filter(({ route, status }) => route === 'GET /commonserviceitem' && status === 200).length;

  const world: World = {
    namespace,
    baseURL,
    control: running.control,
    ca: running.ca,
    client,
    simulator,
    get,
    requests,
    makeAccount: () => world.apply(accountManifests(world, options)),
    async apply(manifest) {
      const objects = typeof manifest === 'string' ? parseAllDocuments(manifest).map((one) => one.toJS()) : [manifest];
      for (const { kind, metadata } of objects) if (resourceOf(kind).namespaced) metadata.namespace ??= namespace;
      if (options.applyWith === 'kubectl') {
        const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });
        await kubectlOutput(['apply', '-f', '-'], { input });
        return;
      }
      for (const object of objects) {
        const { name, namespace: place } = object.metadata;
        await client.applyServerSide(resourceOf(object.kind), place, name, object);
      }
    },
    ready: (kind, name) =>
      eventually(async () => {
        const seen = await get(kind, name);
        const wanted = kind === 'Sim' || kind === 'MobileGateway' ? ['Ready', 'Synced'] : ['Ready'];
        for (const type of wanted) conditionOf(seen, { type, status: 'True', reason: '*' });
        return seen;
      }),
    condition: (kind, name, wanted) => eventually(async () => conditionOf(await get(kind, name), wanted)),
    annotate: (kind, name, annotations) => world.patch(kind, name, { metadata: { annotations } }),
    async patch(kind, name, patch) {
      const resource = resourceOf(kind);
      await client.mergePatch(resource, scope(resource), name, patch);
    },
    async delete(kind, name) {
      const resource = resourceOf(kind);
      await client.delete(resource, scope(resource), name);
    },
    gone: (kind, name) =>
      eventually(async () => {
        const found = await get(kind, name).catch((error: unknown) => {
          if (isNotFound(error)) return undefined;
          throw error;
        });
        if (found) throw new Error(`${kind} ${name} is there: ${JSON.stringify(found.status?.conditions)}`);
      }),
    async events(name) {
      interface Event extends KubernetesObject {
        reason: string;
        note?: string;
        eventTime: string;
        series?: { count: number };
        regarding?: { name: string };
      }
      const { items } = await client.list<Event>(EVENTS, namespace);
      return items
        .filter((event) => event.regarding?.name === name)
        .sort((a, b) => a.eventTime.localeCompare(b.eventTime))
        .map(({ reason, note, series }) => ({ reason, note: note ?? '', count: series?.count ?? 1 }));
    },
    async writes() {
      return (await requests())
        .filter(({ method }) => method !== 'GET')
        .map(({ route, body }) => (body === undefined ? route : `${route} ${JSON.stringify(body)}`));
    },
    async counts() {
      return Object.fromEntries(
        [...Map.groupBy(await requests(), ({ route }) => route)].map(([route, all]) => [route, all.length]),
      );
    },
    async forget() {
      since = (await simulator.requests(since)).next;
    },
    async settle() {
      const before = await lists();
      await eventually(async () => {
        const now = await lists();
        if (now < before + 2) throw new Error(`the list of SIMs was taken ${now - before} times`);
      });
    },
    async stop() {
      await letGo(client, namespace, baseURL);
      await running.close();
    },
  };
  if (options.account !== false) await world.makeAccount();
  return world;
}

/** The account `default` and its Secrets: credentials, CA and the pass code in `pass-codes` under `code`. */
function accountManifests(world: World, options: WorldOptions): string {
  const { accessToken, accessTokenSecret, passCode } = options.credentials ?? usual;
  return `
${secret('service-credentials', { accessToken, accessTokenSecret })}
---
${secret('service-ca', { 'ca.crt': world.ca })}
---
${secret('pass-codes', { code: passCode })}
---
apiVersion: edgeline.dev/v1alpha1
kind: CloudAccount
metadata: {name: default}
spec:
  baseURL: ${world.baseURL}
  credentialsSecretRef: {name: service-credentials}
  caBundleSecretRef: {name: service-ca, key: ca.crt}
  dialect: ${options.dialect ?? 'Documented'}
  authentication: ${options.authentication ?? 'Basic'}
  limits: {cloudRequestsPerSecond: 1000}
`;
}

/** The service of a world, for another to use. */
function serviceOf({ baseURL, control, ca }: World) {
  return { baseURL: baseURL.replace('localhost', '127.0.0.1'), control, ca, close: () => Promise.resolve() };
}

/**
 * A seed whose objects were made some time ago, and at no time that another service made the same: more than two
 * months ago, so that a test may set the clock to another day of this month.
 */
function aged(seed: Seed): Seed {
  const createdAt = new Date(Date.now() - 86_400_000 * (62 + Math.random() * 365)).toISOString();
  const age = <T extends object>(objects: readonly T[] | undefined) => objects?.map((one) => ({ createdAt, ...one }));
  const { sims, gateways, sites } = seed;
  return {
    ...seed,
    ...(sims && { sims: age(sims) }),
    ...(gateways && { gateways: age(gateways) }),
    ...(sites && { sites: age(sites) }),
  };
}

/** The condition that is wanted, of the generation that was seen beside it. */
function conditionOf(
  { kind, metadata, status: seen }: Seen,
  { type, status, reason }: Pick<Condition, 'type' | 'status' | 'reason'>,
): Condition {
  const found = seen?.conditions?.find((condition) => condition.type === type);
  const isCurrent = found?.observedGeneration === metadata.generation;
  if (found?.status === status && (reason === '*' || found.reason === reason) && isCurrent) return found;
  throw new Error(`${kind} ${metadata.name}: ${JSON.stringify(seen?.conditions)}, not ${type}=${status} ${reason}`);
}

export function resourceOf(kind: string): Resource {
  const resource = resources.find((one) => one.kind === kind);
  if (!resource) throw new Error(`the tests know no ${kind}`);
  return resource;
}

/** Nothing of the namespace may keep the next operator busy: its simulator is about to go. */
export async function letGo(client: KubeClient, namespace: string, baseURL: string): Promise<void> {
  for (const resource of [
    simResource,
    gatewayResource,
    siteResource,
    certificateResource,
    cloudAccountResource,
    clusterCloudAccountResource,
  ]) {
    const { items: all } = await client.list<Seen>(resource, resource.namespaced ? namespace : undefined);
    const items = resource.namespaced ? all : all.filter(({ spec }) => spec?.['baseURL'] === baseURL);
    await Promise.all(
      items.map(async ({ metadata }) => {
        const place = resource.namespaced ? namespace : undefined;
        await client.delete(resource, place, metadata.name).catch(ignoreGone);
        await client.mergePatch(resource, place, metadata.name, { metadata: { finalizers: null } }).catch(ignoreGone);
      }),
    );
  }
}

function ignoreGone(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
