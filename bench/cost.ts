import { parseArgs } from 'node:util';
import { simResource } from '../src/kinds/sim/schema.ts';
import type { KubernetesObject } from '../src/kubernetes/objects.ts';
import { EVENTS } from '../src/kubernetes/resource.ts';
import { createEnvironment, type Environment } from './environment.ts';
import { memoryOf } from './processes.ts';
import { createSims, prepareGateway, simManifest } from './sims.ts';

/** What Sims cost a cluster that has them: `node bench/cost.ts --sims 1000,3000`. */
export interface CostFigures {
  /** Of one Ready Sim as etcd has it, by how it was applied. */
  readonly bytesOfSim: Readonly<Record<Applied, BytesOfObject>>;
  readonly bytesOfEvent: number;
  readonly eventsPerSim: number;
  /** etcd and kube-apiserver, one process, with so many Sims and one operator that watches them. */
  readonly controlPlane: readonly ControlPlaneFigures[];
  /** The same with the most Sims, after it was started anew: without the history that watches may ask for. */
  readonly afterRestart: ControlPlaneFigures;
  /** What each of the most Sims adds to what there is without any. */
  readonly kilobytesPerSim: Readonly<Record<'resident' | 'live' | 'residentAfterRestart' | 'liveAfterRestart', number>>;
}

interface ControlPlaneFigures {
  readonly sims: number;
  readonly residentMB: number;
  /** What the garbage collector found in use. */
  readonly liveMB: number;
}

/** `create`: by a program; the others by kubectl. */
type Applied = 'create' | 'apply' | 'apply --server-side';

interface BytesOfObject {
  readonly total: number;
  readonly managedFields: number;
  readonly status: number;
  readonly spec: number;
  readonly annotations: number;
  /** The rest of metadata, and names of members. */
  readonly rest: number;
}

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
/** As kube-apiserver has it unless it is told otherwise. */
const GC_PERCENT = 100;
/** Sims beside those of the fleet, one for each way to apply. */
const ways: readonly Applied[] = ['create', 'apply', 'apply --server-side'];

/** Creates the Sims in steps and measures after each. `counts` ascend. */
export async function measureCost(counts: readonly number[]): Promise<CostFigures> {
  const environment = await createEnvironment({ gcPercent: GC_PERCENT });
  try {
    const { operator, metrics } = await environment.startOperator();
    await prepareGateway(environment);
    const controlPlane = [await measured(environment, 0)];
    let created = 0;
    for (const count of counts) {
      await createSims(environment, created, count);
      created = count;
      await untilReady(metrics, count);
      controlPlane.push(await measured(environment, count));
    }
    const [none, most] = [controlPlane[0], controlPlane.at(-1)];
    if (!none || !most || created === 0) throw new Error('no number of Sims');
    const { items: events } = await environment.client.list<KubernetesObject>(EVENTS, 'default');
    const bytesOfSim = await bytesByApplying(environment, created, metrics);
    await operator.kill();
    await environment.restartControlPlane();
    const again = await environment.startOperator();
    await untilReady(again.metrics, created + ways.length);
    const afterRestart = await measured(environment, created);
    await again.operator.kill();
    const sizes = events.map(bytesOf);
    const eachAdds = (megabytes: number) => Math.round((megabytes * 1024) / created);
    return {
      bytesOfSim,
      bytesOfEvent: Math.round(sizes.reduce((sum, size) => sum + size, 0) / sizes.length),
      eventsPerSim: Math.round((events.length / created) * 100) / 100,
      controlPlane,
      afterRestart,
      kilobytesPerSim: {
        resident: eachAdds(most.residentMB - none.residentMB),
        live: eachAdds(most.liveMB - none.liveMB),
        residentAfterRestart: eachAdds(afterRestart.residentMB - none.residentMB),
        liveAfterRestart: eachAdds(afterRestart.liveMB - none.liveMB),
      },
    };
  } finally {
    await environment.stop();
  }
}

/** The part of bench/results.md. Pure. */
export function costSection(figures: CostFigures): string {
  const { bytesOfSim, controlPlane, afterRestart, kilobytesPerSim } = figures;
  const parts = ['total', 'managedFields', 'status', 'spec', 'annotations', 'rest'] as const;
  const steps = [
    ...controlPlane.map((step) => [String(step.sims), step] as const),
    [`${afterRestart.sims}, started anew`, afterRestart] as const,
  ];
  return `## What Sims cost the cluster

| bytes of a Ready Sim in etcd, applied by | ${ways.map((way) => (way === 'create' ? 'a program (create)' : `kubectl ${way}`)).join(' | ')} |
|---|${ways.map(() => '---').join('|')}|
${parts.map((part) => `| ${part} | ${ways.map((way) => bytesOfSim[way][part]).join(' | ')} |`).join('\n')}

etcd and kube-apiserver, one process (GOGC=${GC_PERCENT}), with one operator that watches:

| Sims | ${steps.map(([title]) => title).join(' | ')} |
|---|${steps.map(() => '---').join('|')}|
| resident, MB | ${steps.map(([, step]) => step.residentMB).join(' | ')} |
| in use after a garbage collection, MB | ${steps.map(([, step]) => step.liveMB).join(' | ')} |

Each Sim adds ${kilobytesPerSim.resident} kB of resident memory, ${kilobytesPerSim.live} kB of it in use; once the control plane was started anew
${kilobytesPerSim.residentAfterRestart} and ${kilobytesPerSim.liveAfterRestart} kB. ${figures.eventsPerSim} Events a Sim, ${figures.bytesOfEvent} bytes each.
`;
}

/** One Sim more for each way to apply, of which the bytes are counted once it is Ready. */
async function bytesByApplying(
  { client }: Environment,
  next: number,
  metrics: () => Promise<string>,
): Promise<Record<Applied, BytesOfObject>> {
  const manifests = ways.map((way, index) => [way, simManifest(next + index)] as const);
  for (const [way, manifest] of manifests) {
    const { name } = manifest.metadata;
    const asKubectl = { fieldManager: way === 'apply' ? 'kubectl-client-side-apply' : 'kubectl' };
    const annotations = {
      [LAST_APPLIED]: `${JSON.stringify({ ...manifest, metadata: { annotations: {}, name, namespace: 'default' } })}\n`,
    };
    if (way === 'create') await client.create(simResource, 'default', manifest);
    else if (way === 'apply') {
      await client.create(simResource, 'default', { ...manifest, metadata: { name, annotations } }, asKubectl);
    } else await client.applyServerSide(simResource, 'default', name, manifest, asKubectl);
  }
  await untilReady(metrics, next + ways.length);
  const found = await Promise.all(
    manifests.map(async ([way, manifest]) => {
      const object = await client.get<KubernetesObject>(simResource, 'default', manifest.metadata.name);
      return [way, partsOf(object)] as const;
    }),
  );
  const of = (way: Applied) => {
    const one = found.find(([name]) => name === way);
    if (!one) throw new Error(`nothing was applied by ${way}`);
    return one[1];
  };
  return { create: of('create'), apply: of('apply'), 'apply --server-side': of('apply --server-side') };
}

function partsOf(
  object: KubernetesObject & { spec?: unknown; status?: unknown; metadata: { managedFields?: unknown } },
): BytesOfObject {
  const total = bytesOf(object);
  const bytes = (part: unknown) => (part === undefined ? 0 : Buffer.byteLength(JSON.stringify(part)));
  const { managedFields, annotations } = object.metadata;
  const parts = {
    managedFields: bytes(managedFields),
    status: bytes(object.status),
    spec: bytes(object.spec),
    annotations: bytes(annotations),
  };
  return { total, ...parts, rest: total - Object.values(parts).reduce((sum, part) => sum + part, 0) };
}

/** As etcd has a custom resource, and about an Event: JSON without the resource version, which is etcd's own. */
function bytesOf(object: KubernetesObject): number {
  const { resourceVersion: _, ...metadata } = object.metadata;
  return Buffer.byteLength(JSON.stringify({ ...object, metadata }));
}

async function measured(environment: Environment, sims: number): Promise<ControlPlaneFigures> {
  await untilCollected(environment);
  const live = metricIn(await ofApiserver(environment), /^go_gc_heap_live_bytes (\S+)$/m);
  const { rss } = await memoryOf(environment.controlPlanePID);
  return { sims, residentMB: Math.round(rss), liveMB: Math.round(live / 2 ** 20) };
}

/** Waits until the garbage collector has run twice since, which it does every two minutes if nobody gives it reason to. */
async function untilCollected(environment: Environment): Promise<void> {
  const cycles = async () => metricIn(await ofApiserver(environment), /^go_gc_cycles_total_gc_cycles_total (\S+)$/m);
  const before = await cycles();
  while ((await cycles()) < before + 2) {
    await environment.client.list(simResource, 'default', { limit: 500 });
    await pause(100);
  }
}

const ofApiserver = async ({ client }: Environment) => String(await client.raw('GET', '/metrics'));

function metricIn(text: string, pattern: RegExp): number {
  const value = pattern.exec(text)?.[1];
  if (value === undefined) throw new Error(`the apiserver has no metric like ${pattern.source}`);
  return Number(value);
}

/** Resolves when the operator counts so many Ready Sims. */
async function untilReady(metrics: () => Promise<string>, count: number): Promise<void> {
  for (;;) {
    const lines = (await metrics()).matchAll(/^edgeline_resource_condition\{(.*)\} (\d+)$/gm);
    let ready = 0;
    for (const [, labels = '', value] of lines) {
      const isOfReady = ['kind="Sim"', 'type="Ready"', 'status="True"'].every((label) => labels.includes(label));
      if (isOfReady) ready += Number(value);
    }
    if (ready >= count) return;
    await pause(500);
  }
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

if (import.meta.main) {
  const { values } = parseArgs({ options: { sims: { type: 'string', default: '1000,3000' } } });
  console.log(JSON.stringify(await measureCost(values.sims.split(',').map(Number)), undefined, 2));
  process.exit(0);
}
