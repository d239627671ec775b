import { parseArgs } from 'node:util';
import { systemClock } from '../src/clock.ts';
import { gatewayResource, type MobileGateway } from '../src/kinds/mobile-gateway/schema.ts';
import { type Sim, simResource } from '../src/kinds/sim/schema.ts';
import { createInformer } from '../src/kubernetes/informer.ts';
import { createLogger } from '../src/telemetry/log.ts';
import { createEnvironment, type Environment } from './environment.ts';
import { cpuSecondsOf } from './processes.ts';

/** What one run with so many Sims showed. */
export interface SimFigures {
  readonly sims: number;
  readonly readySeconds: number;
  readonly simsPerSecond: number;
  readonly requestsPerSim: Record<string, number>;
  readonly totalRequestsPerSim: number;
  readonly kubernetesWritesPerSim: Record<string, number>;
  readonly operator: { startSeconds: number; rssMB: number; peakMB: number; cpuSeconds: number };
  readonly controlPlaneCPUSeconds: number;
  /** The same until all Events are written, too, which come after everything else. */
  readonly controlPlaneCPUSecondsWithEvents: number;
  readonly simulatorCPUSeconds: number;
  readonly steady: { seconds: number; requests: Record<string, number>; kubernetesWrites: number; cpuSeconds: number };
  readonly restart: {
    startSeconds: number;
    seconds: number;
    requests: Record<string, number>;
    kubernetesWrites: number;
    rssMB: number;
    peakMB: number;
  };
}

const CREATORS = 20;

const gateway = `apiVersion: edgeline.dev/v1alpha1
kind: MobileGateway
metadata: {name: depot}
spec: {zone: is1b, planID: 2, internetConnection: true}`;

/** Creates so many Sims at once, waits until all are Ready, then watches the steady state and a restart. */
export async function measureSims(count: number, steadySeconds: number): Promise<SimFigures> {
  const environment = await createEnvironment();
  try {
    const first = await environment.startOperator();
    const ready = await watchReady(environment, count);
    await prepareGateway(environment);
    await clearCounts(environment);
    const cpuBefore = await cpu(environment, first.operator.pid);
    const writesBefore = await kubernetesWrites(first.metrics);
    const began = performance.now();
    await createSims(environment, 0, count);
    await ready.all;
    const seconds = (performance.now() - began) / 1000;
    const cpuAfter = await cpu(environment, first.operator.pid);
    const requests = await counts(environment);
    await settleEvents(first.metrics);
    const writes = subtract(await kubernetesWrites(first.metrics), writesBefore);
    const memory = await first.operator.memory();
    const withEvents = await cpuSecondsOf(environment.controlPlanePID);

    await clearCounts(environment);
    const steadyWrites = await kubernetesWrites(first.metrics);
    const steadyCPU = await first.operator.cpuSeconds();
    await pause(steadySeconds);
    const steady = {
      seconds: steadySeconds,
      requests: await counts(environment),
      kubernetesWrites: sum(subtract(await kubernetesWrites(first.metrics), steadyWrites)),
      cpuSeconds: round((await first.operator.cpuSeconds()) - steadyCPU),
    };
    await first.operator.kill('SIGTERM');

    await clearCounts(environment);
    const again = await environment.startOperator();
    await pause(15);
    const afterRestart = await again.operator.memory();
    const restart = {
      startSeconds: round(again.readySeconds),
      seconds: 15,
      requests: await counts(environment),
      kubernetesWrites: sum(await kubernetesWrites(again.metrics)),
      rssMB: Math.round(afterRestart.rss),
      peakMB: Math.round(afterRestart.peak),
    };
    await again.operator.kill();
    await ready.stop();
    return {
      sims: count,
      readySeconds: round(seconds),
      simsPerSecond: round(count / seconds),
      requestsPerSim: mapValues(requests, (value) => round(value / count)),
      totalRequestsPerSim: round(sum(requests) / count),
      kubernetesWritesPerSim: mapValues(writes, (value) => round(value / count)),
      operator: {
        startSeconds: round(first.readySeconds),
        rssMB: Math.round(memory.rss),
        peakMB: Math.round(memory.peak),
        cpuSeconds: round(cpuAfter.operator - cpuBefore.operator),
      },
      controlPlaneCPUSeconds: round(cpuAfter.controlPlane - cpuBefore.controlPlane),
      controlPlaneCPUSecondsWithEvents: round(withEvents - cpuBefore.controlPlane),
      simulatorCPUSeconds: round(cpuAfter.simulator - cpuBefore.simulator),
      steady,
      restart,
    };
  } finally {
    await environment.stop();
  }
}

/** Watches Sims; `all` resolves when so many have become Ready. */
export async function watchReady(
  environment: Environment,
  count: number,
): Promise<{ all: Promise<void>; stop(): Promise<void> }> {
  const informer = createInformer<Sim>({
    client: environment.client,
    resource: simResource,
    clock: systemClock,
    random: Math.random,
    log: createLogger({ level: 'error', format: 'json' }),
  });
  const ready = new Set<string>();
  const all = Promise.withResolvers<void>();
  informer.onChange(({ new: sim }) => {
    const isReady = sim?.status?.conditions?.some(
      (condition) => condition.type === 'Ready' && condition.status === 'True',
    );
    if (!sim || !isReady) return;
    ready.add(sim.metadata.name);
    if (ready.size === count) all.resolve();
  });
  informer.start();
  await informer.synced();
  return { all: all.promise, stop: () => informer.stop() };
}

/** A Sim that asks for everything: carriers, activation, a gateway and an address. */
export function simManifest(index: number) {
  return {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: { name: `sim-${String(index).padStart(5, '0')}` },
    spec: {
      iccid: `8981040000${String(index).padStart(9, '0')}`,
      passCodeSecretRef: { name: 'pass-codes', key: 'code' },
      activated: true,
      gatewayRef: { name: 'depot' },
      ipAddress: `10.${64 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`,
      carriers: [{ name: 'KDDI', allow: true }],
    },
  };
}

/** Creates the Sims from one number to another (which is not among them). */
export async function createSims(environment: Environment, from: number, to: number): Promise<void> {
  let next = from;
  await Promise.all(
    Array.from({ length: CREATORS }, async () => {
      for (let index = next++; index < to; index = next++) {
        await environment.client.create(simResource, 'default', simManifest(index));
      }
    }),
  );
}

/** The gateway of the Sims; resolves when it is Ready. */
export async function prepareGateway(environment: Environment): Promise<void> {
  await environment.apply('default', gateway);
  for (;;) {
    const found = await environment.client.get<MobileGateway>(gatewayResource, 'default', 'depot');
    if (found.status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True'))
      return;
    await pause(0.2);
  }
}

async function cpu(environment: Environment, operator: number) {
  return {
    operator: await cpuSecondsOf(operator),
    controlPlane: await cpuSecondsOf(environment.controlPlanePID),
    simulator: await environment.simulator.cpuSeconds(),
  };
}

export async function counts(environment: Environment): Promise<Record<string, number>> {
  const answer = await fetch(`${environment.control}/counts`);
  const { byRoute }: { byRoute: Record<string, number> } = JSON.parse(await answer.text());
  return byRoute;
}

export async function clearCounts(environment: Environment): Promise<void> {
  await fetch(`${environment.control}/requests`, { method: 'DELETE' });
}

/** Writes by HTTP method and, for events, apart. */
export async function kubernetesWrites(metrics: () => Promise<string>): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const [, labels = '', value] of (await metrics()).matchAll(/^rest_client_requests_total\{(.*)\} (\d+)$/gm)) {
    const method = /method="(\w+)"/.exec(labels)?.[1] ?? '';
    if (method === 'GET') continue;
    found[method] = (found[method] ?? 0) + Number(value);
  }
  return found;
}

/** Events are written in the background; wait until they are. */
async function settleEvents(metrics: () => Promise<string>): Promise<void> {
  for (let before = -1; ; ) {
    const now = sum(await kubernetesWrites(metrics));
    if (now === before) return;
    before = now;
    await pause(2);
  }
}

export const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));
export const round = (value: number) => Math.round(value * 100) / 100;
export const sum = (record: Record<string, number>) => Object.values(record).reduce((total, value) => total + value, 0);

function mapValues(record: Record<string, number>, change: (value: number) => number): Record<string, number> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

export function subtract(after: Record<string, number>, before: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(after).map(([key, value]) => [key, value - (before[key] ?? 0)]));
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { sims: { type: 'string', default: '1000' }, steady: { type: 'string', default: '65' } },
  });
  console.log(JSON.stringify(await measureSims(Number(values.sims), Number(values.steady)), undefined, 2));
  process.exit(0);
}
