import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { simResource } from '../src/kinds/sim/schema.ts';
import { createEnvironment, type Environment } from './environment.ts';

/** What one scrape was like. */
interface Scrape {
  readonly series: number;
  readonly bytes: number;
  /** The median of nine. */
  readonly milliseconds: number;
}

const CREATORS = 20;
const SCRAPES = 9;

const { values } = parseArgs({
  options: {
    sims: { type: 'string', default: '10000' },
    minutes: { type: 'string', default: '25' },
    /** For a build without `--resource-metrics`: only what it writes and asks is measured. */
    bare: { type: 'boolean', default: false },
  },
});
const count = Number(values.sims);
const minutes = Number(values.minutes);
const iccidOf = (index: number) => `8981040000${String(index).padStart(9, '0')}`;

/** SIMs at the service that all have a session, so that their traffic moves from poll to poll. */
function liveSims(): string {
  const sims = Array.from({ length: count }, (_, index) => ({
    iccid: iccidOf(index),
    name: `sim-${index}`,
    activated: true,
    gateway: 'depot',
    ip: `10.${64 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`,
  }));
  return JSON.stringify({ gateways: [{ name: 'depot', zone: 'is1b', instanceStatus: 'up' }], sims });
}

async function createSims(environment: Environment): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: CREATORS }, async () => {
      for (let index = next++; index < count; index = next++) {
        await environment.client.create(simResource, 'default', {
          apiVersion: 'edgeline.dev/v1alpha1',
          kind: 'Sim',
          metadata: { name: `sim-${String(index).padStart(5, '0')}` },
          spec: { iccid: iccidOf(index) },
        });
      }
    }),
  );
}

/** Resolves when the metrics count so many Sims that are Ready. */
async function untilReady(metrics: () => Promise<string>): Promise<void> {
  const ready = /^edgeline_resource_condition\{kind="Sim",type="Ready",status="True"[^}]*\} (\d+)$/gm;
  for (;;) {
    const all = [...(await metrics()).matchAll(ready)].reduce((sum, [, some]) => sum + Number(some), 0);
    if (all >= count) return;
    await pause(2);
  }
}

/** By method. */
async function kubernetesWrites(metrics: () => Promise<string>): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const [, labels = '', value] of (await metrics()).matchAll(/^rest_client_requests_total\{(.*)\} (\d+)$/gm)) {
    const method = /method="(\w+)"/.exec(labels)?.[1] ?? '';
    if (method !== 'GET') found[method] = (found[method] ?? 0) + Number(value);
  }
  return found;
}

async function serviceRequests(environment: Environment): Promise<Record<string, number>> {
  const { byRoute }: { byRoute: Record<string, number> } = JSON.parse(
    await (await fetch(`${environment.control}/counts`)).text(),
  );
  return byRoute;
}

async function scrape(metrics: () => Promise<string>): Promise<Scrape> {
  const times: number[] = [];
  let text = '';
  for (let round = 0; round < SCRAPES; round++) {
    const began = performance.now();
    text = await metrics();
    times.push(performance.now() - began);
  }
  return {
    series: text.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length,
    bytes: Buffer.byteLength(text),
    milliseconds: Math.round(times.toSorted((a, b) => a - b)[Math.floor(SCRAPES / 2)] ?? 0),
  };
}

const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** So many an hour, by what they are. */
function hourly(after: Record<string, number>, before: Record<string, number>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(after)
      .map(([key, value]) => [key, Math.round(((value - (before[key] ?? 0)) * 60) / minutes)] as const)
      .filter(([, value]) => value > 0),
  );
}

/**
 * A fleet of live SIMs that nothing happens to but their traffic: what the operator writes to Kubernetes and asks the service
 * meanwhile, and what scraping it takes. `node bench/fleet.ts --sims 10000 --minutes 25`
 */
const directory = await mkdtemp(join(tmpdir(), 'edgeline-bench-'));
const seed = join(directory, 'seed.json');
await writeFile(seed, liveSims());
const environment = await createEnvironment(seed);
try {
  const first = await environment.startOperator();
  await createSims(environment);
  await untilReady(first.metrics);
  console.error(`${count} Sims are Ready; waiting until the carriers of each were read, which its status shows`);
  const carriers = 'GET /commonserviceitem/:id/sim/network_operator_config';
  while (((await serviceRequests(environment))[carriers] ?? 0) < count * 1.05) await pause(5);
  await pause(30);
  console.error(`watching them for ${minutes} minutes`);
  const writes = await kubernetesWrites(first.metrics);
  const asked = await serviceRequests(environment);
  const cpu = await first.operator.cpuSeconds();
  await pause(minutes * 60);
  const result = {
    sims: count,
    minutes,
    kubernetesWritesAnHour: hourly(await kubernetesWrites(first.metrics), writes),
    serviceRequestsAnHour: hourly(await serviceRequests(environment), asked),
    operatorCPUSecondsAnHour: Math.round((((await first.operator.cpuSeconds()) - cpu) * 60) / minutes),
    scrapeOfTotals: await scrape(first.metrics),
  };
  await first.operator.kill();
  if (values.bare) console.log(JSON.stringify(result, undefined, 2));
  else {
    const again = await environment.startOperator(['--resource-metrics', 'names']);
    const sessions = /^edgeline_sim_session_up\{/gm;
    while (((await again.metrics()).match(sessions)?.length ?? 0) < count) await pause(2);
    console.log(JSON.stringify({ ...result, scrapeOfEach: await scrape(again.metrics) }, undefined, 2));
    await again.operator.kill();
  }
} finally {
  await environment.stop();
  await rm(directory, { recursive: true, force: true });
}
process.exit(0);
