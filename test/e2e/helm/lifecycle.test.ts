import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import * as z from 'zod';
import { readPageAt } from '../../support/documents.ts';
import { chartDirectory } from '../../support/helm.ts';
import { eventually } from '../../support/kubernetes.ts';
import { commandsOf, type HelmCluster, startHelmCluster } from './cluster.ts';
import type { PodProcess } from './pod-process.ts';

const NAMESPACE = 'edgeline-system';
const FOUND = '8981040000000000031';
const MADE = '8981040000000000017';

const directory = mkdtempSync(join(tmpdir(), 'edgeline-old-chart-'));
let cluster: HelmCluster;
let operator: PodProcess;
let notes: string;
let requestsBefore = 0;

beforeAll(async () => {
  cluster = await startHelmCluster({ sims: [{ name: 'found', iccid: FOUND, activated: true }] });
  makeOldChart();
}, 900_000);

afterAll(async () => {
  await cluster.stop();
  rmSync(directory, { recursive: true });
});

/** The chart of a version before this one, whose Sims took short names only. */
function makeOldChart(): void {
  cpSync(chartDirectory, directory, { recursive: true });
  const chart = join(directory, 'Chart.yaml');
  writeFileSync(chart, readFileSync(chart, 'utf8').replaceAll(/^(version|appVersion): .*$/gm, '$1: 0.0.9'));
  const file = join(directory, 'files', 'crds', 'sims.edgeline.dev.yaml');
  const crd = parse(readFileSync(file, 'utf8'));
  crd.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.displayName.maxLength = 10;
  writeFileSync(file, stringify(crd));
}

/** The versions and settings that show which chart is installed, with which values. */
async function installed(): Promise<object> {
  const path = '{.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.displayName.maxLength}';
  const { image, args } = operator.pod.spec.containers[0];
  return {
    image,
    workers: args.find((arg) => arg.startsWith('--workers')),
    displayName: await cluster.kubectl(['get', 'crd', 'sims.edgeline.dev', '-o', `jsonpath=${path}`]),
  };
}

/** Runs the operator of the pod that a release made, beside the one before, and then ends that. */
async function roll(): Promise<void> {
  const next = await cluster.startPod(NAMESPACE);
  expect(await operator.stop()).toBe(0);
  operator = next;
}

/** The commands below a heading of the how-to. */
function documented(heading: string): string {
  const { path, blocks } = readPageAt('docs/uninstall.md');
  const commands = blocks.filter((block) => block.heading === heading && block.language === 'sh');
  if (commands.length === 0) throw new Error(`${path} has no commands below "${heading}"`);
  return commands.map(({ text }) => text).join('\n');
}

/** Names and numbers of the SIMs at the service. */
async function atService(): Promise<unknown[]> {
  const sims = Object.values((await cluster.simulator.state()).sims);
  return sims.map((sim) => sim?.['iccid']).sort((one, other) => String(one).localeCompare(String(other)));
}

/** The Sim's pass since now: the operator answered a request to look at it again. */
async function reconciledNow(name: string): Promise<void> {
  const asked = new Date().toISOString();
  await cluster.kubectl(['-n', 'fleet', 'annotate', '--overwrite', 'sim', name, `edgeline.dev/reconcile-at=${asked}`]);
  await eventually(
    async () => {
      const { status } = await cluster.get('-n', 'fleet', `sim/${name}`);
      expect(status).toMatchObject({ lastHandledReconcileAt: asked });
    },
    { timeoutSeconds: 30 },
  );
  await cluster.ready('fleet', `sim/${name}`);
}

const names = z.object({ items: z.array(z.object({ metadata: z.object({ name: z.string() }) })) });

async function listed(...args: readonly string[]): Promise<string[]> {
  const text = await cluster.kubectl(['get', ...args, '-o', 'json']);
  return names.parse(JSON.parse(text)).items.map(({ metadata }) => metadata.name);
}

describe('the life of a release', () => {
  it('helm install --wait ends, and its operator runs', async () => {
    const args = ['install', 'edgeline', directory, '-n', NAMESPACE, '--create-namespace', '--wait'];
    notes = await cluster.helm.output(args, cluster.values);
    operator = await cluster.startPod(NAMESPACE);
    expect(await installed()).toEqual({
      image: 'ghcr.io/edgeline/edgeline:0.0.9',
      workers: '--workers=50',
      displayName: '10',
    });
  });

  it('what its notes say can be pasted, and gives a Sim that is Ready', async () => {
    expect(await cluster.paste(commandsOf(notes), { ICCID: FOUND })).toMatch(
      /NAME +ICCID .*\nmy-first-sim +8981040000000000031 .* True /,
    );
  });

  it('a SIM the account does not have yet is made', async () => {
    const secret = { name: 'pass-codes', key: 'code' };
    await cluster.kubectl(['create', 'secret', 'generic', 'pass-codes', '-n', 'fleet', '--from-literal=code=1234']);
    await cluster.kubectl(['apply', '-n', 'fleet', '-f', '-'], {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'Sim',
      metadata: { name: 'truck-17' },
      spec: { iccid: MADE, passCodeSecretRef: secret, carriers: [{ name: 'KDDI', allow: true }] },
    });
    await cluster.ready('fleet', 'sim/truck-17');
    expect(await atService()).toEqual([MADE, FOUND]);
  });

  it('helm upgrade brings values, the image and the CRDs of its version', async () => {
    const values = { ...cluster.values, workers: 7 };
    await cluster.helm.output(['upgrade', 'edgeline', chartDirectory, '-n', NAMESPACE, '--wait'], values);
    await roll();
    expect(await installed()).toEqual({
      image: expect.stringMatching(/^ghcr\.io\/edgeline\/edgeline:(?!0\.0\.9)/),
      workers: '--workers=7',
      displayName: '64',
    });
    await reconciledNow('truck-17');
  });

  it('helm rollback goes back to what was', async () => {
    await cluster.helm.output(['rollback', 'edgeline', '1', '-n', NAMESPACE, '--wait']);
    await roll();
    expect(await installed()).toEqual({
      image: 'ghcr.io/edgeline/edgeline:0.0.9',
      workers: '--workers=50',
      displayName: '10',
    });
    await reconciledNow('truck-17');
  });

  it('helm uninstall leaves the CRDs, the Sims and the SIMs', async () => {
    requestsBefore = (await cluster.simulator.requests()).next;
    await cluster.helm.output(['uninstall', 'edgeline', '-n', NAMESPACE, '--wait']);
    await eventually(async () => expect(await listed('pods', '-n', NAMESPACE)).toEqual([]));
    await operator.stop();
    expect(await listed('crd')).toEqual([
      'cloudaccounts.edgeline.dev',
      'clustercloudaccounts.edgeline.dev',
      'mobilegateways.edgeline.dev',
      'sims.edgeline.dev',
      'sitecertificates.edgeline.dev',
      'webaccelsites.edgeline.dev',
    ]);
    expect(await listed('sims', '-n', 'fleet')).toEqual(['my-first-sim', 'truck-17']);
    expect(await atService()).toEqual([MADE, FOUND]);
  });

  it('installed again it goes on where it was, and writes nothing', async () => {
    const args = ['install', 'edgeline', chartDirectory, '-n', NAMESPACE, '--wait'];
    await cluster.helm.output(args, cluster.values);
    operator = await cluster.startPod(NAMESPACE);
    expect(await installed()).toMatchObject({ workers: '--workers=50', displayName: '64' });
    await reconciledNow('truck-17');
    await reconciledNow('my-first-sim');
    const { requests } = await cluster.simulator.requests(requestsBefore);
    expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('what is deleted after the operator is gone hangs, until the commands of the how-to', async () => {
    // Before its role goes, so that it can give back the Lease and the next need not wait for it.
    await operator.stop();
    await cluster.helm.output(['uninstall', 'edgeline', '-n', NAMESPACE, '--wait']);
    await cluster.kubectl(['delete', 'sim', '-n', 'fleet', 'my-first-sim', '--wait=false']);
    expect(await listed('sims', '-n', 'fleet')).toEqual(['my-first-sim', 'truck-17']);
    await cluster.paste(documented('When the operator is gone and something hangs'));
    expect(await listed('sims', '-n', 'fleet')).toEqual(['truck-17']);
    expect(await atService()).toEqual([MADE, FOUND]);
  });

  it('nothing is left by the commands of the how-to, in the cluster or at the service', async () => {
    await cluster.helm.output(['install', 'edgeline', chartDirectory, '-n', NAMESPACE, '--wait'], cluster.values);
    operator = await cluster.startPod(NAMESPACE);
    await reconciledNow('truck-17');
    await cluster.paste(documented('Remove everything'));
    expect(await listed('crd')).toEqual([]);
    expect(await listed('clusterroles', '-l', 'app.kubernetes.io/name=edgeline')).toEqual([]);
    expect(await atService()).toEqual([FOUND]);
  });
});
