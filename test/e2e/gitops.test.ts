import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import * as z from 'zod';
import { createDemoAuthority, type DemoAuthority } from '../../src/sandbox/cluster/demo-certificates.ts';
import { packageRoot } from '../../src/sandbox/package-root.ts';
import { parseSeed } from '../../src/simulator/seed.ts';
import { adminKubeconfig } from '../support/control-plane.ts';
import { ensureEngines } from '../support/health/engines.ts';
import { eventually, kubectl, kubectlOutput } from '../support/kubernetes.ts';
import { createWorld, type World } from '../support/world.ts';
import { type OperatorProcess, startOperatorProcess } from './crash/operator-process.ts';

const root = packageRoot();
const folder = join(root, 'deploy', 'examples');
const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));

const manifest = z.object({
  kind: z.string(),
  metadata: z.object({
    name: z.string(),
    labels: z.record(z.string(), z.string()).default({}),
    annotations: z.record(z.string(), z.string()).default({}),
  }),
  spec: z.unknown().optional(),
});
type Written = z.infer<typeof manifest>;

/** Everything in the examples. */
const written = files.flatMap((name) =>
  parseAllDocuments(readFileSync(join(folder, name), 'utf8')).map((document) => manifest.parse(document.toJS())),
);
const ours = written.filter(({ kind }) => kind !== 'Secret');

/** The two ways in which people, and Argo CD, apply. */
const ways = [
  // Whoever applies server-side what kubectl applied before has another name, or it would take over kubectl's annotation.
  { way: 'kubectl apply', flags: [], serverSide: ['--server-side', '--field-manager=argocd-controller'] },
  { way: 'kubectl apply --server-side', flags: ['--server-side'], serverSide: ['--server-side'] },
] as const;

describe.each(ways)('what was applied with $way', ({ flags, serverSide }) => {
  let world: World;
  let operator: OperatorProcess;
  let authority: DemoAuthority;
  const start = () =>
    startOperatorProcess(adminKubeconfig(), ['--namespaces', world.namespace, '--sim-poll', '1', '--site-poll', '1']);

  beforeAll(async () => {
    const seed = parseSeed(parse(readFileSync(join(root, 'deploy', 'sandbox', 'seed.yaml'), 'utf8')));
    world = await createWorld({ prefix: 'gitops', seed });
    authority = await createDemoAuthority(Date.now());
    await ensureEngines();
    operator = start();
  }, 900_000);
  afterAll(async () => {
    await operator.kill();
    await world.stop();
  });

  /** Puts a new certificate where cert-manager would. */
  async function renew(name: string): Promise<void> {
    const wanted = { secretName: `${name}-tls`, domain: `${name}.example.jp` };
    await world.apply((await authority.issue(wanted, world.namespace)).object);
  }

  async function allReady(): Promise<void> {
    for (const { kind, metadata } of ours) {
      await eventually(() => world.condition(kind, metadata.name, { type: 'Ready', status: 'True', reason: '*' }), {
        timeoutSeconds: 60,
      });
    }
  }

  const stateOf = async () => {
    const { sims, sites } = await world.simulator.state();
    const sim = Object.values(sims).find((one) => one?.['iccid'] === '8981040000000000017');
    const site = Object.values(sites).find((one) => one?.['domain'] === 'shop.example.jp');
    return { sim, site };
  };

  /** Somebody changes the SIM and the site at the service; the operator puts them right. */
  async function drift(): Promise<void> {
    const { sim, site } = await stateOf();
    await world.simulator.patch({
      sims: { [String(sim?.['id'])]: { activated: false } },
      sites: { [String(site?.['id'])]: { settings: { Origin: 'elsewhere.example.jp' } } },
    });
    await eventually(
      async () => {
        const after = await stateOf();
        expect(after.sim).toMatchObject({ activated: true });
        expect(after.site).toMatchObject({ settings: { Origin: 'origin.shop.example.jp' } });
      },
      { timeoutSeconds: 30 },
    );
  }

  const certificate = async () => (await world.get('SiteCertificate', 'shop')).status?.['current'];

  it('is Ready, and was put right, renewed and taken up again by an operator started anew', async () => {
    for (const name of files) await kubectlOutput(['apply', ...flags, '-n', world.namespace, '-f', join(folder, name)]);
    await renew('shop');
    await renew('media');
    await allReady();
    await drift();

    const before = await certificate();
    await renew('shop');
    await eventually(async () => expect(await certificate()).not.toEqual(before), { timeoutSeconds: 30 });

    await operator.kill();
    operator = start();
    await drift();
    await allReady();
  });

  it.each(files)('%s shows no difference afterwards', async (name) => {
    const args = ['-n', world.namespace, '-f', join(folder, name)];
    const nothing = { code: 0, stdout: '', stderr: '' };
    expect(await kubectl(['diff', ...args])).toEqual(nothing);
    expect(await kubectl(['diff', ...serverSide, ...args])).toEqual(nothing);
  });

  it('has the spec, the labels and the annotations it was given, and no others', async () => {
    const found: Written[] = await Promise.all(
      written.map(async ({ kind, metadata }) => {
        const { spec, metadata: now } = await world.get(kind, metadata.name);
        const { 'kubectl.kubernetes.io/last-applied-configuration': _, ...annotations } = now.annotations ?? {};
        return {
          kind,
          metadata: { name: metadata.name, labels: now.labels ?? {}, annotations },
          ...(spec !== undefined && { spec }),
        };
      }),
    );
    expect(found).toStrictEqual(written);
  });

  it('is Healthy for Argo CD and Current for kstatus', async () => {
    const { argo, kstatus } = await ensureEngines();
    const objects = await Promise.all(ours.map(({ kind, metadata }) => world.get(kind, metadata.name)));
    expect(new Set((await argo(objects)).map(({ status }) => status))).toEqual(new Set(['Healthy']));
    expect(new Set((await kstatus(objects)).map(({ status }) => status))).toEqual(new Set(['Current']));
  });
});

/** The paths below a schema at which the apiserver would put a default in. */
function defaultsIn(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => [
    ...(key === 'default' && !path.endsWith('.properties') ? [path] : []),
    ...defaultsIn(value, `${path}.${key}`),
  ]);
}

describe('what is applied later', () => {
  it('gets nothing added by the apiserver: no field of a spec has a default', () => {
    const crds = readdirSync(join(root, 'crds')).map((name) => parse(readFileSync(join(root, 'crds', name), 'utf8')));
    const specs = crds.map(({ spec }) => spec.versions[0].schema.openAPIV3Schema.properties.spec);
    expect(specs.map((spec) => spec.type)).toEqual(crds.map(() => 'object'));
    expect(specs.flatMap((spec) => defaultsIn(spec, 'spec'))).toEqual([]);
  });
});
