import { execFile } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, it } from 'vitest';
import { clusterCloudAccountResource } from '../../src/kinds/cloud-account/schema.ts';
import { simResource } from '../../src/kinds/sim/schema.ts';
import type { KubernetesObject } from '../../src/kubernetes/objects.ts';
import { adminKubeconfig } from '../support/control-plane.ts';
import { readPageAt } from '../support/documents.ts';
import { apply, testNamespace } from '../support/kubernetes.ts';
import { testClient } from '../support/world.ts';

const apiVersion = 'edgeline.dev/v1alpha1';
const finalizers = ['edgeline.dev/create'];
const iccids = { stuck: '8981040000000000017', staying: '8981040000000000025' };
const spec = {
  baseURL: 'https://api.example.jp',
  credentialsSecretRef: { name: 'credentials' },
  secretNamespace: 'default',
};

/** The commands of the page that take finalizers away. */
function script(): string {
  const found = readPageAt('docs/uninstall.md').blocks.find(({ text }) => text.includes('finalizers'));
  if (!found) throw new Error('docs/uninstall.md takes no finalizers away');
  return found.text;
}

it('without an operator, uninstall.md frees what is being deleted and touches nothing else', async () => {
  const client = await testClient();
  const namespace = await testNamespace('stuck');
  for (const [name, iccid] of Object.entries(iccids)) {
    await apply({ apiVersion, kind: 'Sim', metadata: { name, namespace, finalizers }, spec: { iccid } });
    const account = { name: `${namespace}-${name}`, finalizers: ['edgeline.dev/account'] };
    await apply({ apiVersion, kind: 'ClusterCloudAccount', metadata: account, spec });
  }
  await client.delete(simResource, namespace, 'stuck');
  await client.delete(clusterCloudAccountResource, undefined, `${namespace}-stuck`);
  const before = await client.list<KubernetesObject>(simResource, namespace);
  expect(before.items.map(({ metadata }) => metadata.name)).toEqual(['staying', 'stuck']);

  const path = [dirname(inject('kubectl')), process.env['PATH']].join(delimiter);
  await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script()], {
    env: { PATH: path, KUBECONFIG: adminKubeconfig() },
  });

  const left = await client.list<KubernetesObject>(simResource, namespace);
  expect(left.items.map(({ metadata }) => [metadata.name, metadata.finalizers])).toEqual([['staying', finalizers]]);
  const accounts = await client.list<KubernetesObject>(clusterCloudAccountResource, undefined);
  const own = accounts.items.filter(({ metadata }) => metadata.name.startsWith(namespace));
  expect(own.map(({ metadata }) => [metadata.name, metadata.finalizers])).toEqual([
    [`${namespace}-staying`, ['edgeline.dev/account']],
  ]);
  await client.mergePatch(simResource, namespace, 'staying', { metadata: { finalizers: null } });
  await client.mergePatch(clusterCloudAccountResource, undefined, `${namespace}-staying`, {
    metadata: { finalizers: null },
  });
  await client.delete(clusterCloudAccountResource, undefined, `${namespace}-staying`);
});
