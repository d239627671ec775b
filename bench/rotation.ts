import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { certificateResource, type SiteCertificate } from '../src/kinds/site-certificate/schema.ts';
import { SECRETS } from '../src/kubernetes/resource.ts';
import { createDemoAuthority, type DemoAuthority } from '../src/sandbox/cluster/demo-certificates.ts';
import type { ManifestObject } from '../src/sandbox/cluster/manifests.ts';
import { createEnvironment, type Environment } from './environment.ts';
import { createSims, prepareGateway, watchReady } from './sims.ts';

/** How long certificates took from the change of their Secret until the service had accepted them, milliseconds. */
export interface Lags {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** What one run showed. */
export interface RotationFigures {
  /** One site, its Secret changed again after each upload and a pause. */
  readonly oneByOne: Lags;
  /** As many sites, all Secrets changed together. Requests are spaced by 200 ms, so the last waits for all before it. */
  readonly atOnce: Lags;
  /** One site again, while so many Sims are made ready with no limit of requests: the operator never has nothing to do. */
  readonly besideSims: Lags & { readonly sims: number };
  /** Uploads the service took, in all. One for each change, or something is wrong. */
  readonly uploads: number;
  readonly changes: number;
  readonly requests: { readonly oneByOne: Record<string, number>; readonly atOnce: Record<string, number> };
}

const UPLOAD = 'PUT webaccel/site/:id/certificate';
/** Rotations come hours apart: each finds the spacing of requests (200 ms) long over. */
const PAUSE = 300;
const SIMS = 1000;

const request = z.object({ route: z.string(), path: z.string(), time: z.string(), status: z.number() });
const requestList = z.object({ requests: z.array(request), next: z.number() });
const state = z.object({ sites: z.record(z.string(), z.object({ domain: z.string() })) });
const tls = z.object({ 'tls.crt': z.string(), 'tls.key': z.string() });
type TLS = z.infer<typeof tls>;

/** So many rotations of one site one after another, then so many sites' at once. */
export async function measureRotation(count: number): Promise<RotationFigures> {
  const authority = await createDemoAuthority(Date.now());
  const one = await withSites(authority, 1, async (scene) => {
    const lags: number[] = [];
    while (lags.length < count) lags.push(await rotate(authority, scene));
    return { lags, uploads: await scene.settled() };
  });
  const busy = await withSites(authority, 1, async (scene) => {
    const { environment } = scene;
    const ready = await watchReady(environment, SIMS);
    await prepareGateway(environment);
    const over = new AbortController();
    const making = createSims(environment, 0, SIMS)
      .then(() => ready.all)
      .finally(() => over.abort());
    const lags: number[] = [];
    while (!over.signal.aborted) lags.push(await rotate(authority, scene));
    await making;
    await ready.stop();
    return { lags, uploads: await scene.settled() };
  });
  const all = await withSites(authority, count, async (scene) => {
    const next = await Promise.all(indexes(count).map((index) => issued(authority, index)));
    const changedAt = Date.now();
    await Promise.all(next.map((data, index) => change(scene.environment, index, data)));
    const uploads = await scene.uploads(count);
    return { lags: uploads.map(({ time }) => Date.parse(time) - changedAt), uploads: await scene.settled() };
  });
  return {
    oneByOne: summary(one.lags),
    atOnce: summary(all.lags),
    besideSims: { ...summary(busy.lags), sims: SIMS },
    uploads: one.uploads + all.uploads + busy.uploads,
    changes: 2 * count + busy.lags.length,
    requests: { oneByOne: one.requests, atOnce: all.requests },
  };
}

/** Milliseconds until the service has a certificate of which nothing is known before. */
async function rotate(authority: DemoAuthority, { environment, uploads }: Scene): Promise<number> {
  const next = await issued(authority, 0);
  await pause(PAUSE + Math.random() * 100);
  const changedAt = Date.now();
  await change(environment, 0, next);
  const [upload] = await uploads(1);
  return Date.parse(upload?.time ?? '') - changedAt;
}

/** The figures as a section of bench/results.md. */
export function rotationSection(figures: RotationFigures): string {
  const { oneByOne, atOnce, besideSims, uploads, changes, requests } = figures;
  const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(1)} s`;
  const each = (byRoute: Record<string, number>, { count }: Lags) =>
    Object.entries(byRoute)
      .map(([route, total]) => `${Math.round((total / count) * 100) / 100} ${route}`)
      .join('<br>');
  return `## Certificates

From the change of a Secret until the service has accepted the certificate. The operator sends web acceleration requests
200 ms apart: many at once wait for one another. ${changes} Secrets changed, ${uploads} uploads in all.

| | one by one | one by one, while ${besideSims.sims} Sims are made | all at once |
|---|---|---|---|
| certificates | ${oneByOne.count} | ${besideSims.count} | ${atOnce.count} |
| half of them within | ${oneByOne.p50} ms | ${besideSims.p50} ms | ${seconds(atOnce.p50)} |
| 99 of 100 within | ${oneByOne.p99} ms | ${besideSims.p99} ms | ${seconds(atOnce.p99)} |
| the slowest | ${oneByOne.max} ms | ${besideSims.max} ms | ${seconds(atOnce.max)} |
| requests a certificate | ${each(requests.oneByOne, oneByOne)} | | ${each(requests.atOnce, atOnce)} |
`;
}

interface Scene {
  readonly environment: Environment;
  /** Resolves with the next so many uploads the service accepted. */
  uploads(count: number): Promise<z.infer<typeof request>[]>;
  /** Waits a little for what nobody asked for. @returns how many uploads there were in all. */
  settled(): Promise<number>;
}

/** A service with these sites, their certificates in place, and an operator that has nothing to do. */
async function withSites<T>(
  authority: DemoAuthority,
  count: number,
  work: (scene: Scene) => Promise<T>,
): Promise<T & { requests: Record<string, number> }> {
  const directory = await mkdtemp(join(tmpdir(), 'edgeline-bench-'));
  const first = await Promise.all(indexes(count).map((index) => issued(authority, index)));
  const seed = join(directory, 'seed.json');
  const sites = first.map((data, index) => ({
    name: `site-${index}`,
    domain: domainOf(index),
    certificate: { chain: data['tls.crt'], key: data['tls.key'] },
  }));
  await writeFile(seed, JSON.stringify({ sites }));
  const environment = await createEnvironment({ seed });
  const ask = async (path: string): Promise<unknown> => (await fetch(`${environment.control}${path}`)).json();
  let since = 0;
  let seen = 0;
  const accepted = async () => {
    const { requests, next } = requestList.parse(await ask(`/requests?since=${since}`));
    since = next;
    const uploads = requests.filter(({ route, status }) => route === UPLOAD && status === 200);
    seen += uploads.length;
    return uploads;
  };
  try {
    const { operator } = await environment.startOperator();
    const ids = new Map(Object.entries(state.parse(await ask('/state')).sites).map(([id, { domain }]) => [domain, id]));
    await Promise.all(
      first.map(async (data, index) => {
        const name = `site-${index}`;
        await environment.client.create(SECRETS, 'default', {
          metadata: { name },
          type: 'kubernetes.io/tls',
          stringData: data,
        });
        await environment.client.create(certificateResource, 'default', {
          apiVersion: 'edgeline.dev/v1alpha1',
          kind: 'SiteCertificate',
          metadata: { name },
          spec: { siteID: ids.get(domainOf(index)), secretRef: { name } },
        });
      }),
    );
    await allReady(environment, count);
    await fetch(`${environment.control}/requests`, { method: 'DELETE' });
    const result = await work({
      environment,
      async uploads(wanted) {
        const found: z.infer<typeof request>[] = [];
        while (found.length < wanted) {
          found.push(...(await accepted()));
          await pause(5);
        }
        return found;
      },
      async settled() {
        await pause(2_000);
        await accepted();
        return seen;
      },
    });
    const { byRoute } = z.object({ byRoute: z.record(z.string(), z.number()) }).parse(await ask('/counts'));
    await operator.kill();
    return { ...result, requests: byRoute };
  } finally {
    await environment.stop();
    await rm(directory, { recursive: true });
  }
}

async function allReady(environment: Environment, count: number): Promise<void> {
  for (;;) {
    const { items } = await environment.client.list<SiteCertificate>(certificateResource, 'default');
    const ready = items.filter(({ status }) =>
      status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True'),
    );
    if (ready.length === count) return;
    await pause(200);
  }
}

async function change(environment: Environment, index: number, data: TLS): Promise<void> {
  await environment.client.mergePatch<ManifestObject>(SECRETS, 'default', `site-${index}`, { stringData: data });
}

async function issued(authority: DemoAuthority, index: number): Promise<TLS> {
  const { object } = await authority.issue({ secretName: `site-${index}`, domain: domainOf(index) }, 'default');
  return tls.parse(object['stringData']);
}

function summary(lags: readonly number[]): Lags {
  const sorted = lags.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: sorted.at(-1) ?? 0 };
}

const domainOf = (index: number) => `site-${index}.example.jp`;
const indexes = (count: number) => Array.from({ length: count }, (_, index) => index);
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

if (import.meta.main) {
  const { values } = parseArgs({ options: { count: { type: 'string', default: '100' } } });
  console.log(JSON.stringify(await measureRotation(Number(values.count)), undefined, 2));
  process.exit(0);
}
