import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { digesterOf, identityOf } from '../src/kinds/cloud-account/members.ts';
import { type Sim, simResource } from '../src/kinds/sim/schema.ts';
import { sealOf } from '../src/reconcile/seal.ts';
import { SecretValue } from '../src/reconcile/secret-value.ts';
import { imsiOf } from '../src/simulator/sim/make.ts';
import { type Credentials, createEnvironment, type Environment } from './environment.ts';
import { memoryOf } from './processes.ts';
import { clearCounts, counts, kubernetesWrites, pause, round, subtract, sum } from './sims.ts';

/**
 * One operator with a fleet that is Ready already, over several accounts: what it takes to begin with it, to keep it, and to
 * carry out an edit. The fleet is put into the cluster as an operator left it; making it would take the hours of another
 * benchmark. `node bench/loaded.ts --sims 100000 --accounts 20`
 */
export interface LoadedFigures {
  readonly sims: number;
  readonly accounts: number;
  readonly loadSeconds: number;
  readonly readySeconds: number;
  /** In the first two minutes. */
  readonly startWrites: number;
  /** While nothing happens but polls. */
  readonly steady: {
    readonly seconds: number;
    readonly cpuSeconds: number;
    readonly requests: Record<string, number>;
    readonly kubernetesWrites: number;
    readonly rssMB: number;
    readonly peakMB: number;
  };
  /** From a patch of the spec until the service has the request. */
  readonly editSeconds: readonly number[];
  readonly controlPlaneMB: number;
  readonly simulatorMB: number;
}

const WRITERS = 24;
const EDITS = 20;
const FIRST_ID = 113_300_500_000;
const DEACTIVATION = 'PUT /commonserviceitem/:id/sim/deactivate';

interface Place {
  readonly namespace: string;
  readonly name: string;
  readonly id: string;
  readonly iccid: string;
}

const credentialsOf = (account: number): Credentials => ({
  accessToken: `bench-token-${account}`,
  accessTokenSecret: `bench-secret-${account}`,
});
const namespaceOf = (account: number) => `fleet-${String(account).padStart(3, '0')}`;

function placeOf(index: number, accounts: number): Place {
  return {
    namespace: namespaceOf(index % accounts),
    name: `sim-${String(index).padStart(6, '0')}`,
    id: String(FIRST_ID + index),
    iccid: `8981040000${String(index).padStart(9, '0')}`,
  };
}

export async function measureLoaded(count: number, accounts: number, steadySeconds: number): Promise<LoadedFigures> {
  const directory = await mkdtemp(join(tmpdir(), 'edgeline-bench-'));
  const all = Array.from({ length: count }, (_, index) => placeOf(index, accounts));
  const seed = join(directory, 'seed.json');
  await writeFile(seed, JSON.stringify({ accounts: seedOf(all, accounts) }));
  const environment = await createEnvironment({ seed });
  try {
    for (let account = 0; account < accounts; account++) {
      const namespace = namespaceOf(account);
      await environment.apply(undefined, `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${namespace}}`);
      await environment.createAccount(namespace, credentialsOf(account));
    }
    const began = performance.now();
    const [first, ...others] = all;
    if (!first) throw new Error('there has to be one Sim');
    const template = { ...(await makeTemplate(environment, first)), place: first };
    await load(environment, others, accounts, template);
    const loadSeconds = round((performance.now() - began) / 1000);

    const { operator, readySeconds, metrics } = await environment.startOperator();
    // Whatever a start leaves to do is done by then.
    await pause(120);
    await clearCounts(environment);
    const [writes, cpu] = [await kubernetesWrites(metrics), await operator.cpuSeconds()];
    await pause(steadySeconds);
    const memory = await operator.memory();
    const steady = {
      seconds: steadySeconds,
      cpuSeconds: round((await operator.cpuSeconds()) - cpu),
      requests: await counts(environment),
      kubernetesWrites: sum(subtract(await kubernetesWrites(metrics), writes)),
      rssMB: Math.round(memory.rss),
      peakMB: Math.round(memory.peak),
    };
    const editSeconds: number[] = [];
    for (let edit = 0; edit < EDITS; edit++) {
      const place = all[Math.floor((edit * count) / EDITS)];
      if (place) editSeconds.push(await editOf(environment, place));
    }
    const figures = {
      sims: count,
      accounts,
      loadSeconds,
      readySeconds: round(readySeconds),
      startWrites: sum(writes),
      steady,
      editSeconds,
      controlPlaneMB: Math.round((await memoryOf(environment.controlPlanePID)).rss),
      simulatorMB: Math.round((await environment.simulator.memory()).rss),
    };
    await operator.kill();
    return figures;
  } finally {
    await environment.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

function seedOf(all: readonly Place[], accounts: number) {
  return Array.from({ length: accounts }, (_, account) => ({
    name: namespaceOf(account),
    ...credentialsOf(account),
    sims: all
      .filter(({ namespace }) => namespace === namespaceOf(account))
      .map(({ id, iccid, name }) => ({ id, createdAt: '2026-01-01T00:00:00Z', iccid, name, activated: true })),
  }));
}

const manifestOf = ({ name, iccid }: Place) => ({
  apiVersion: 'edgeline.dev/v1alpha1',
  kind: 'Sim',
  metadata: { name },
  spec: { iccid, activated: true },
});

/** One that an operator took over, which then ends: the others are made like it. */
async function makeTemplate({ client, startOperator }: Environment, place: Place): Promise<Sim> {
  const { operator } = await startOperator();
  await client.create(simResource, place.namespace, manifestOf(place));
  for (;;) {
    const found = await client.get<Sim>(simResource, place.namespace, place.name);
    const { conditions = [], seal } = found.status ?? {};
    const isReady = ['Ready', 'Synced'].every((type) =>
      conditions.some((condition) => condition.type === type && condition.status === 'True'),
    );
    if (isReady && seal !== undefined) {
      await operator.kill();
      return found;
    }
    await pause(0.2);
  }
}

async function load(
  { client, baseURL }: Environment,
  places: readonly Place[],
  accounts: number,
  { metadata: { finalizers }, status, place: template }: Sim & { readonly place: Place },
): Promise<void> {
  const sealers = new Map(
    Array.from({ length: accounts }, (_, account) => {
      const { accessToken, accessTokenSecret } = credentialsOf(account);
      const identity = identityOf({ baseURL, accessToken: new SecretValue(accessToken) });
      const digest = digesterOf({ accessTokenSecret: new SecretValue(accessTokenSecret) });
      return [namespaceOf(account), { identity, digest }];
    }),
  );
  let next = 0;
  const write = async () => {
    for (let place = places[next++]; place; place = places[next++]) {
      const { namespace, name, id } = place;
      const manifest = manifestOf(place);
      const made = await client.create<Sim>(simResource, namespace, {
        ...manifest,
        metadata: { ...manifest.metadata, ...(finalizers && { finalizers }) },
      });
      const { uid } = made.metadata;
      const record = { uid, id, ...(status?.createdAt !== undefined && { createdAt: status.createdAt }) };
      const sealer = sealers.get(namespace);
      if (!sealer) throw new Error(`no account is in ${namespace}`);
      const text = JSON.stringify({ ...status, imsi: [imsiOf(place.iccid)] })
        .replaceAll(template.iccid, place.iccid)
        .replaceAll(template.name, name)
        .replaceAll(template.id, id);
      const own: object = { ...JSON.parse(text), ...record, seal: sealOf('Sim', sealer, record, Date.now()) };
      await client.mergePatch(simResource, namespace, name, { status: own }, { subresource: 'status' });
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
}

/** Seconds until the service has what follows from an edit. */
async function editOf(environment: Environment, { namespace, name }: Place): Promise<number> {
  await clearCounts(environment);
  const began = performance.now();
  await environment.client.mergePatch(simResource, namespace, name, { spec: { activated: false } });
  while (!(await counts(environment))[DEACTIVATION]) await pause(0.02);
  return round((performance.now() - began) / 1000);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      sims: { type: 'string', default: '100000' },
      accounts: { type: 'string', default: '20' },
      steady: { type: 'string', default: '300' },
    },
  });
  const figures = await measureLoaded(Number(values.sims), Number(values.accounts), Number(values.steady));
  console.log(JSON.stringify(figures, undefined, 2));
  process.exit(0);
}
