import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runSupportBundle } from '../../../src/cli/support/run.ts';
import * as writer from '../../../src/commands/bundle-file.ts';
import { capture, kubeconfigWith } from '../../support/cli.ts';
import { apply, kubectlOutput, testNamespace } from '../../support/kubernetes.ts';

const CANARY = 'hunter2hunter2';

/** Writes a bundle, and gives what it holds, by path below its folder. */
async function bundleOf(namespace: string, as?: string) {
  const surroundings = capture();
  const directory = mkdtempSync(join(tmpdir(), 'edgeline-bundle-'));
  const out = join(directory, 'bundle.tar.gz');
  const kubeconfig = kubeconfigWith(as === undefined ? {} : { as });
  const code = await runSupportBundle(
    { namespace, operatorNamespace: namespace, logLines: 100, force: false, out, kubeconfig },
    surroundings,
    writer,
  );
  execFileSync('tar', ['xzf', out, '-C', directory]);
  const [folder = ''] = readdirSync(directory).filter((name) => name.startsWith('edgeline-support-'));
  const names = readdirSync(join(directory, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const files = Object.fromEntries(
    names.map((path) => [path.slice(join(directory, folder).length + 1), readFileSync(path, 'utf8')]),
  );
  return {
    code,
    files,
    mode: statSync(out).mode & 0o777,
    said: surroundings.said(),
    told: surroundings.complained(),
    out,
  };
}

/** A Sim, and a pod that passes for the operator's; people put secrets where none belong. */
async function plant(namespace: string): Promise<void> {
  await apply({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'pass-codes', namespace },
    stringData: { code: CANARY },
  });
  await apply({
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: { name: 'truck-17', namespace, annotations: { note: `the token is token=${CANARY}` } },
    spec: { iccid: '8981040000000000017', passCodeSecretRef: { name: 'pass-codes', key: 'code' } },
  });
  await apply({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'operator', namespace, labels: { 'app.kubernetes.io/name': 'edgeline' } },
    spec: {
      automountServiceAccountToken: false,
      nodeName: 'nowhere',
      containers: [
        {
          name: 'operator',
          image: 'edgeline',
          args: ['operator', `--access-token=${CANARY}`],
          env: [{ name: 'ACCESS_TOKEN_SECRET', value: CANARY }],
        },
      ],
    },
  });
}

it('holds what there is, says what is not in it, and holds no secret', async () => {
  const namespace = await testNamespace('bundle');
  await kubectlOutput(['create', 'serviceaccount', 'default', '-n', namespace]).catch(() => undefined);
  await plant(namespace);
  const { code, files, mode, said, told, out } = await bundleOf(namespace);
  expect(Object.keys(files).sort()).toEqual(
    expect.arrayContaining([
      'README.md',
      'events.json',
      'leases.json',
      `operator/${namespace}/pods.json`,
      'resources/sims.json',
      'status.json',
      'versions.json',
    ]),
  );
  expect(Object.values(files).join('\n')).not.toContain(CANARY);
  expect(JSON.parse(files['resources/sims.json'] ?? '')).toMatchObject([
    { metadata: { name: 'truck-17', annotations: { note: 'the token is token=(removed)' } } },
  ]);
  expect(JSON.parse(files['versions.json'] ?? '')).toMatchObject({
    edgeline: '0.0.0-test',
    cluster: { gitVersion: expect.stringMatching(/^v1\./) },
    definitions: expect.arrayContaining([expect.objectContaining({ name: 'sims.edgeline.dev' })]),
  });
  // No kubelet runs that would have a log.
  expect({ code, mode, said }).toEqual({ code: 3, mode: 0o600, said: `${out}\n` });
  expect(told).toContain(`not in it: operator/${namespace}/operator/operator.log`);
  expect(files['README.md']).toContain('- resources/sims.json');
});

it('of what a person may not read it says so, and holds the rest', async () => {
  const namespace = await testNamespace('bundle');
  await plant(namespace);
  await kubectlOutput([
    'create',
    'role',
    'viewer',
    '-n',
    namespace,
    '--verb=get,list,watch',
    '--resource=sims.edgeline.dev',
  ]);
  await kubectlOutput(['create', 'rolebinding', 'viewer', '-n', namespace, '--role=viewer', '--user=viewer']);
  const { code, files, told } = await bundleOf(namespace, 'viewer');
  expect(code).toBe(3);
  expect(files['resources/sims.json']).toContain('truck-17');
  expect(Object.keys(files)).not.toContain('resources/mobilegateways.json');
  expect(told).toContain(
    `not in it: mobilegateways: you may not list mobilegateways.edgeline.dev in namespace ${namespace}`,
  );
});

it('writes over nothing', async () => {
  const namespace = await testNamespace('bundle');
  const { out } = await bundleOf(namespace);
  const again = runSupportBundle(
    { namespace, logLines: 1, force: false, out, kubeconfig: kubeconfigWith({}) },
    capture(),
    writer,
  );
  await expect(again).rejects.toThrow(`${out} is there already`);
});
