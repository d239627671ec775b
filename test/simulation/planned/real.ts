import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeClient } from '../../../src/kubernetes/client.ts';
import { KubeError } from '../../../src/kubernetes/errors.ts';
import { NAMESPACES } from '../../../src/kubernetes/resource.ts';
import { keyOf, managedPlurals, memberAt, type ObjectJson, plannedKindOf, textAt } from '../../../src/plan/objects.ts';
import { runPlan } from '../../../src/plan/run.ts';
import type { RequestRecord } from '../../../src/simulator/request-log.ts';
import { type Simulator, startSimulator } from '../../../src/simulator/server.ts';
import { capture, kubeconfigWith } from '../../support/cli.ts';
import { ACCESS_TOKEN, ACCESS_TOKEN_SECRET } from '../../support/manifests.ts';
import { type SimulatorClient, simulatorClient } from '../../support/simulator-client.ts';
import { letGo, resourceOf, type Seen, testClient } from '../../support/world.ts';
import { type DrawnState, drawState } from './draw.ts';
import { type RelocatedState, relocated } from './relocate.ts';

/** What is to be pruned has this label. */
const LEAVES = 'edgeline.test/leaves';
/** Without a write and without news of a status for so long, nothing more comes. Milliseconds. */
const QUIET = 3000;
/** The same while something waits, which is looked at again by itself. Milliseconds. */
const QUIET_WAITING = 9000;
const LOOK = 250;
const PATIENCE = 180_000;
/** How often the log is asked for where the connection has just been closed for want of use. */
const TRIES = 3;

/** A plan of the command on a real apiserver, and the service's log of requests after the manifests were applied. */
export interface RealComparison {
  /** The calls, as `METHOD /path`, sorted; of what is new, the resource stands for the ID. */
  readonly planned: readonly string[];
  readonly sent: readonly string[];
  /** The manifests that the plan says the apiserver refuses, and those that it refused. */
  readonly refusals: { readonly planned: readonly string[]; readonly met: readonly string[] };
  /** What the plan says chance decides. */
  readonly undecided: readonly string[];
}

/** A state in the cluster. */
interface Built {
  readonly client: KubeClient;
  readonly service: SimulatorClient;
  readonly state: RelocatedState;
}

/**
 * Builds a state that a seed decides with the real apiserver and a simulator of its own, plans, applies and compares. An
 * operator of all namespaces must run. `digits`: three, which no other state under way has.
 */
export async function compareReal(seed: number, digits: string): Promise<RealComparison> {
  const drawn = drawState(seed, { hasClusterAccount: false });
  const state = await relocated(drawn, { digits, now: Date.now() });
  const client = await testClient();
  const simulator = await serviceOf(drawn, state, digits);
  try {
    const built = { client, service: simulatorClient(simulator.control), state };
    await build(built, simulator);
    await settled(built);
    const { calls, undecided, refused } = await planned(built);
    const { sims, gateways } = await built.service.state();
    const { next } = await logOf(built.service);
    const refusedNow = await applyManifests(built);
    await settled(built);
    const { requests } = await logOf(built.service, next);
    const made = new Map((await idsOf(built)).filter(([id]) => !(id in sims) && !(id in gateways)));
    const refusals = { planned: refused, met: refusedNow };
    return { planned: calls, sent: callsIn(requests, made), refusals, undecided };
  } finally {
    for (const namespace of state.namespaces) await letGo(client, namespace, simulator.baseURL);
    await simulator.close();
  }
}

function serviceOf({ setting }: DrawnState, { seed, passCodes }: RelocatedState, digits: string): Promise<Simulator> {
  const { allowDuplicateICCID, ipMustBeInSubnet } = setting.service;
  return startSimulator({
    listen: '127.0.0.1:0',
    control: '127.0.0.1:0',
    accessToken: ACCESS_TOKEN,
    accessTokenSecret: ACCESS_TOKEN_SECRET,
    migratingMilliseconds: 0,
    firstID: Number(`1${digits}00000001`),
    seed: {
      passCodes,
      accounts: setting.credentials.map((credentials) => ({
        ...credentials,
        ...(credentials.sameAs === undefined && seed[credentials.name]),
      })),
    },
    settings: {
      ...(allowDuplicateICCID !== undefined && { allowDuplicateICCID }),
      ...(ipMustBeInSubnet !== undefined && { ipMustBeInSubnet }),
    },
  });
}

/** What is there before anybody plans. */
async function build({ client, state }: Built, { baseURL, ca }: Simulator): Promise<void> {
  for (const name of state.namespaces) await client.create(NAMESPACES, undefined, { metadata: { name } });
  for (const object of state.objects) {
    const spec = memberAt(object, 'spec');
    if (object['kind'] === 'Secret') {
      await apply(client, object);
      continue;
    }
    const namespace = textAt(object, 'metadata', 'namespace');
    const bundle = { 'ca.crt': Buffer.from(ca).toString('base64') };
    await apply(client, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'service-ca', namespace },
      data: bundle,
    });
    await apply(client, {
      ...object,
      spec: {
        ...(typeof spec === 'object' ? spec : {}),
        baseURL: baseURL.replace('127.0.0.1', 'localhost'),
        caBundleSecretRef: { name: 'service-ca', key: 'ca.crt' },
        limits: { cloudRequestsPerSecond: 1000 },
      },
    });
  }
  for (const object of state.present) {
    const labels = state.prune.has(keyOfObject(object)) ? { [LEAVES]: 'true' } : {};
    await apply(client, { ...object, metadata: { ...objectAt(object, 'metadata'), labels } });
  }
}

async function planned({ state }: Built): Promise<{ calls: string[]; undecided: string[]; refused: string[] }> {
  const surroundings = capture();
  await runPlan(
    {
      manifests: state.manifests.map((object) => ({ source: keyOfObject(object), object })),
      kubeconfig: kubeconfigWith({ namespace: state.namespaces[0] ?? 'default' }),
      ...(state.prune.size > 0 ? { prune: true, selector: LEAVES } : { prune: false }),
      maxRequests: 500,
      // As `apply` below does.
      applying: { by: 'server', manager: 'kubectl', force: false },
      output: 'json',
    },
    surroundings,
  );
  const { calls, undecided, refused, notLookedAt } = JSON.parse(surroundings.said());
  if (notLookedAt.length > 0) throw new Error(notLookedAt.join(' '));
  const texts: string[] = calls.map(({ method, path }: { method: string; path: string }) => `${method} ${path}`);
  const sources: string[] = refused.map(({ source }: { source: string }) => source);
  return { calls: texts.toSorted(), undecided, refused: sources.toSorted() };
}

/** Gives those that the apiserver refused. */
async function applyManifests({ client, state }: Built): Promise<string[]> {
  const refused: string[] = [];
  for (const object of state.manifests) {
    await apply(client, object).catch((error: unknown) => {
      if (!(error instanceof KubeError && error.status === 422)) throw error;
      refused.push(keyOfObject(object));
    });
  }
  // What is pruned is looked for where the manifests are.
  const places = new Set(state.manifests.map((object) => textAt(object, 'metadata', 'namespace')));
  places.add(state.namespaces[0]);
  for (const object of state.present) {
    const namespace = textAt(object, 'metadata', 'namespace');
    if (!state.prune.has(keyOfObject(object)) || !places.has(namespace)) continue;
    await client.delete(resourceOf(textAt(object, 'kind') ?? ''), namespace, textAt(object, 'metadata', 'name') ?? '');
  }
  return refused.toSorted();
}

function apply(client: KubeClient, object: ObjectJson): Promise<unknown> {
  const namespace = textAt(object, 'metadata', 'namespace');
  const resource = resourceOf(textAt(object, 'kind') ?? '');
  return client.applyServerSide(resource, namespace, textAt(object, 'metadata', 'name') ?? '', object);
}

async function logOf(service: SimulatorClient, since = 0): ReturnType<SimulatorClient['requests']> {
  for (let tries = 1; ; tries++) {
    try {
      return await service.requests(since);
    } catch (error) {
      if (tries === TRIES || !(error instanceof TypeError)) throw error;
    }
  }
}

/** Resolves when the operator has done all it can. */
async function settled(built: Built): Promise<void> {
  const deadline = performance.now() + PATIENCE;
  let last = '';
  let since = performance.now();
  for (;;) {
    const objects = await objectsOf(built);
    const { requests } = await logOf(built.service);
    const writes = requests.filter(isDone).length;
    const seen = JSON.stringify([writes, objects.map(shownOf)]);
    if (seen !== last) since = performance.now();
    last = seen;
    const quiet = performance.now() - since;
    const isTold = objects.every(isToldOf);
    if (isTold && quiet > (objects.every(isSettled) ? QUIET : QUIET_WAITING)) return;
    if (performance.now() > deadline) throw new Error(`the operator does not come to rest: ${seen}`);
    await sleep(LOOK);
  }
}

/** What a status says, but for numbers of requests that the service refuses again and again. */
function shownOf({ metadata, status }: Seen): unknown {
  return [
    metadata.name,
    status?.conditions?.map(({ type, reason, observedGeneration }) => [type, reason, observedGeneration]),
  ];
}

/** What the service refused changed nothing. */
function isDone({ method, status }: RequestRecord): boolean {
  return method !== 'GET' && status >= 200 && status < 300;
}

function isToldOf({ metadata, status }: Seen): boolean {
  return (status?.conditions ?? []).some(
    ({ type, observedGeneration }) => type === 'Synced' && observedGeneration === metadata.generation,
  );
}

function isSettled({ metadata, status }: Seen): boolean {
  const isTrue = (type: string) => status?.conditions?.some((one) => one.type === type && one.status === 'True');
  return metadata.deletionTimestamp === undefined && (isTrue('Synced') === true || isTrue('Stalled') === true);
}

async function objectsOf({ client, state }: Built): Promise<Seen[]> {
  const lists = await Promise.all(
    state.namespaces.flatMap((namespace) =>
      managedPlurals.map(async (plural) => {
        const { items } = await client.list<Seen>(resourceOf(plannedKindOf(plural).kind), namespace);
        return items.map((one) => ({ ...one, kind: plannedKindOf(plural).kind }));
      }),
    ),
  );
  return lists.flat();
}

/** What resources have, each with the words that a plan has for what is new. */
async function idsOf(built: Built): Promise<[id: string, words: string][]> {
  const objects = await objectsOf(built);
  return objects.flatMap(({ kind, metadata, status }): [string, string][] => {
    const id = status?.['id'];
    // Sites, and so their certificates, are never made.
    const isMade = kind === 'Sim' || kind === 'MobileGateway';
    return isMade && typeof id === 'string' ? [[id, `(new ${kind} ${metadata.namespace ?? ''}/${metadata.name})`]] : [];
  });
}

/** What was written, as the plan spells it. */
function callsIn(requests: readonly RequestRecord[], made: ReadonlyMap<string, string>): string[] {
  return requests
    .filter(isDone)
    .map(({ method, path }) => {
      const plain = path.replace(/^\/cloud\/zone\/\w+\/api\/(webaccel|cloud)\/[\d.]+/, '');
      const named = plain.replace('/applience', '/appliance').split('/');
      return `${method} ${named.map((part) => made.get(part) ?? part).join('/')}`;
    })
    .toSorted();
}

function keyOfObject(object: ObjectJson): string {
  const plural = managedPlurals.find((one) => plannedKindOf(one).kind === object['kind']) ?? '';
  return keyOf(plural, textAt(object, 'metadata', 'namespace'), textAt(object, 'metadata', 'name') ?? '');
}

function objectAt(object: ObjectJson, member: string): object {
  const found = object[member];
  return typeof found === 'object' && found !== null ? found : {};
}
