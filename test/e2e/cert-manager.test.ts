import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import * as z from 'zod';
import { systemClock } from '../../src/clock.ts';
import { ensureCertManager, startCertManager } from '../../src/sandbox/cluster/cert-manager.ts';
import { type Cluster, connectCluster } from '../../src/sandbox/cluster/cluster.ts';
import { packageRoot } from '../../src/sandbox/package-root.ts';
import { createProcesses, type SandboxProcess } from '../../src/sandbox/processes/processes.ts';
import { adminKubeconfig } from '../support/control-plane.ts';
import { apply, eventually, kubectlOutput } from '../support/kubernetes.ts';
import { createWorld, type World } from '../support/world.ts';
import { type OperatorProcess, startOperatorProcess } from './crash/operator-process.ts';

const DOMAIN = 'shop.example.jp';
const directory = mkdtempSync(join(tmpdir(), 'cert-manager-test-'));
const processes = createProcesses({ clock: systemClock });
const never = new AbortController().signal;
let cluster: Cluster;
let world: World;
let certManager: SandboxProcess;
let operator: OperatorProcess;

beforeAll(async () => {
  const progress = (line: string) => void process.stderr.write(`${line}\n`);
  const found = await ensureCertManager({ progress, clock: systemClock, env: process.env });
  const kubeconfig = adminKubeconfig();
  cluster = await connectCluster({ kubeconfig, clock: systemClock, random: Math.random, signal: never });
  world = await createWorld({ prefix: 'cert-manager', seed: { sites: [{ name: 'shop', domain: DOMAIN }] } });
  operator = startOperatorProcess(kubeconfig, ['--namespaces', world.namespace]);
  certManager = await startCertManager(cluster, found, {
    kubeconfig,
    namespace: world.namespace,
    logFile: join(directory, 'cert-manager.log'),
    processes,
    clock: systemClock,
    signal: never,
  });
}, 900_000);

afterAll(async () => {
  await processes.stopAll();
  await world.stop();
  await operator.kill();
  await cluster.client.close();
  rmSync(directory, { recursive: true });
});

/** A manifest that ships with cert-manager's examples, as an object to change. */
function shipped(kind: string, name: string): Record<string, unknown> {
  const examples = join(packageRoot(), 'deploy', 'examples');
  const text = ['cert-manager/issuer.yaml', 'cert-manager/certificates.yaml', 'shop.yaml']
    .map((file) => readFileSync(join(examples, file), 'utf8'))
    .join('\n---\n');
  const found = parseAllDocuments(text)
    .map((document) => document.toJS())
    .find((object) => object.kind === kind && object.metadata.name === name);
  return { ...found, metadata: { ...found.metadata, namespace: world.namespace } };
}

const requestList = z.object({
  items: z.array(
    z.object({
      metadata: z.object({ annotations: z.record(z.string(), z.string()) }),
      status: z.object({ certificate: z.string().optional() }).default({}),
    }),
  ),
});

/** The fingerprints of all that cert-manager has issued for the shop, the first first. */
async function issued(): Promise<string[]> {
  const output = await kubectlOutput(['get', 'certificaterequests', '-n', world.namespace, '-o', 'json']);
  const of = (annotations: Record<string, string>, key: string) => annotations[`cert-manager.io/${key}`];
  return requestList
    .parse(JSON.parse(output))
    .items.filter(({ metadata }) => of(metadata.annotations, 'certificate-name') === 'shop')
    .map(({ metadata, status }) => ({
      revision: Number(of(metadata.annotations, 'certificate-revision')),
      certificate: Buffer.from(status.certificate ?? '', 'base64').toString(),
    }))
    .sort((one, other) => one.revision - other.revision)
    .flatMap(({ certificate }) => (certificate === '' ? [] : [fingerprintOf(certificate)]));
}

/** The fingerprint of the certificate in the shop's Secret. */
async function inSecret(): Promise<string> {
  const path = 'jsonpath={.data.tls\\.crt}';
  const encoded = await kubectlOutput(['get', 'secret', 'shop-tls', '-n', world.namespace, '-o', path]);
  return fingerprintOf(Buffer.from(encoded, 'base64').toString());
}

/** The fingerprint of the first certificate of a chain. */
function fingerprintOf(chain: string): string {
  return new X509Certificate(chain).fingerprint256.replaceAll(':', '').toLowerCase();
}

const uploadBody = z.object({ Certificate: z.object({ CertificateChain: z.string() }) });

/** Every write the service has seen, with what was uploaded. */
async function uploads(): Promise<{ method: string; fingerprint: string }[]> {
  return (await world.requests())
    .filter(({ method }) => method !== 'GET')
    .map(({ method, body }) => ({
      method,
      fingerprint: fingerprintOf(uploadBody.parse(body).Certificate.CertificateChain),
    }));
}

const stored = z.object({ chain: z.string() });
const siteState = z.object({ current: stored, previous: stored });

/** The two generations the service has, by fingerprint. */
async function generations(): Promise<{ current: string; previous: string }> {
  const [site] = Object.values((await world.simulator.state()).sites);
  const { current, previous } = siteState.parse(site);
  return { current: fingerprintOf(current.chain), previous: fingerprintOf(previous.chain) };
}

describe('certificates that cert-manager renews', () => {
  it('come to their site once each, by themselves, and the one before stays the previous one', async () => {
    for (const [kind, name] of [
      ['SiteCertificate', 'shop'],
      ['Issuer', 'demo-root'],
      ['Certificate', 'demo-ca'],
      ['Issuer', 'demo-ca'],
    ] as const) {
      await apply(shipped(kind, name));
    }
    await apply({ ...shipped('WebAccelSite', 'shop'), spec: { domain: DOMAIN } });
    const certificate = shipped('Certificate', 'shop');
    // Every 6 seconds, and the requests are kept: they are the record of what was issued.
    const spec = { ...Object(certificate['spec']), renewBefore: '59m54s', revisionHistoryLimit: 100 };
    await apply({ ...certificate, spec });

    const before = new Map<string, string>();
    await eventually(
      async () => {
        const { current, previous } = await generations();
        before.set(current, previous);
        expect((await uploads()).length).toBeGreaterThanOrEqual(4);
      },
      { timeoutSeconds: 60 },
    );
    await certManager.stop();
    // What was signed as it stopped, and is in no Secret, is nobody's certificate yet.
    const signed = await issued();
    const all = signed.slice(0, signed.indexOf(await inSecret()) + 1);
    expect(all.length).toBeGreaterThanOrEqual(4);
    await eventually(async () => {
      const { status } = await world.ready('SiteCertificate', 'shop');
      expect(status).toMatchObject({
        site: DOMAIN,
        current: { sha256Fingerprint: all.at(-1), issuer: 'CN=Edgeline demo CA', dnsNames: [DOMAIN] },
        previous: { sha256Fingerprint: all.at(-2) },
      });
    });

    expect(await uploads()).toEqual(
      all.map((fingerprint, index) => ({ method: index === 0 ? 'POST' : 'PUT', fingerprint })),
    );
    expect(await generations()).toEqual({ current: all.at(-1), previous: all.at(-2) });
    for (const [current, previous] of before) expect(previous).toBe(all[all.indexOf(current) - 1]);
  });
});
