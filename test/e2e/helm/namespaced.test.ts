import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../../src/sandbox/package-root.ts';
import { chartDirectory } from '../../support/helm.ts';
import { commandsOf, type HelmCluster, startHelmCluster } from './cluster.ts';

const NAMESPACE = 'team-fleet';
let cluster: HelmCluster;

beforeAll(async () => {
  cluster = await startHelmCluster({
    sims: ['8981040000000000031', '8981040000000000048'].map((iccid) => ({ name: iccid, iccid, activated: true })),
  });
  for (const name of [NAMESPACE, 'fleet', 'elsewhere']) await cluster.kubectl(['create', 'namespace', name]);
}, 900_000);

afterAll(() => cluster.stop());

describe('an operator for single namespaces', () => {
  it('looks after these, and touches nothing elsewhere', async () => {
    const values = { ...cluster.values, namespaces: ['fleet', NAMESPACE] };
    const install = ['install', 'edgeline', chartDirectory, '-n', NAMESPACE, '--wait'];
    const commands = commandsOf(await cluster.helm.output(install, values));
    const operator = await cluster.startPod(NAMESPACE);
    await cluster.makeAccount('elsewhere');
    await cluster.kubectl(['apply', '-n', 'elsewhere', '-f', '-'], {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'Sim',
      metadata: { name: 'truck' },
      spec: { iccid: '8981040000000000048', adoption: 'Required' },
    });
    await cluster.paste(commands, { ICCID: '8981040000000000031' });
    await cluster.ready('fleet', 'sim/my-first-sim');

    for (const name of ['sim/truck', 'cloudaccount/default']) {
      const { metadata, status } = await cluster.get('-n', 'elsewhere', name);
      expect({ finalizers: metadata.finalizers, status }).toEqual({
        finalizers: undefined,
        status: { observedGeneration: -1 },
      });
    }
    expect(operator.log()).not.toMatch(/elsewhere|forbidden|a permission is missing/i);
  });

  it('has no role in the whole cluster', async () => {
    const wanted = ['clusterroles,clusterrolebindings', '-l', 'app.kubernetes.io/instance=edgeline', '-o', 'name'];
    expect(await cluster.kubectl(['get', ...wanted])).toBe('');
    const account = `system:serviceaccount:${NAMESPACE}:edgeline-operator`;
    const may = async (namespace: string) =>
      (await cluster.tryKubectl(['auth', 'can-i', 'list', 'secrets', '-n', namespace, '--as', account])).stdout.trim();
    expect([await may('fleet'), await may(NAMESPACE), await may('elsewhere')]).toEqual(['yes', 'yes', 'no']);
  });

  it('is installed by whoever administers the namespace, once somebody let them', async () => {
    // What a cluster's own role admin has, as far as it matters here; the role itself is filled by a controller.
    const admin = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'admin', namespace: 'own' },
      rules: [
        ['', ['secrets', 'serviceaccounts', 'services']],
        ['apps', ['deployments', 'replicasets']],
        ['coordination.k8s.io', ['leases']],
        ['policy', ['poddisruptionbudgets']],
        ['rbac.authorization.k8s.io', ['roles', 'rolebindings']],
      ].map(([group, resources]) => ({
        apiGroups: [group],
        resources,
        verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'],
      })),
    };
    await cluster.kubectl(['create', 'namespace', 'own']);
    await cluster.kubectl(['apply', '-f', '-'], admin);
    await cluster.kubectl(['create', 'rolebinding', 'admin', '-n', 'own', '--role=admin', '--user=owner']);
    const values = { namespaces: ['own'], crds: { enabled: false } };
    const install = ['install', 'edgeline', chartDirectory, '-n', 'own', '--kube-as-user=owner'];
    expect((await cluster.helm.run(install, values)).stderr).toContain(
      'attempting to grant RBAC permissions not currently held',
    );

    await cluster.kubectl(['apply', '-f', join(packageRoot(), 'deploy', 'namespace-admins.yaml')]);
    const bind = [
      'create',
      'rolebinding',
      'installer',
      '-n',
      'own',
      '--clusterrole=edgeline-installer',
      '--user=owner',
    ];
    await cluster.kubectl(bind);
    await cluster.helm.output(['uninstall', 'edgeline', '-n', 'own', '--kube-as-user=owner', '--ignore-not-found']);
    await cluster.helm.output(install, { ...values, rbac: { namespaceRole: 'edgeline-namespaced-operator' } });
    const account = 'system:serviceaccount:own:edgeline-operator';
    const may = async (...what: string[]) =>
      (await cluster.tryKubectl(['auth', 'can-i', ...what, '--as', account])).stdout.trim();
    expect([
      await may('patch', 'sims.edgeline.dev/status', '-n', 'own'),
      await may('update', 'leases.coordination.k8s.io/edgeline-operator', '-n', 'own'),
      await may('list', 'secrets', '-n', 'elsewhere'),
    ]).toEqual(['yes', 'yes', 'no']);
  });

  it('a second release for one of them is refused', async () => {
    const args = ['install', 'another', chartDirectory, '-n', 'elsewhere'];
    const { stderr } = await cluster.helm.run(args, { namespaces: ['fleet'], crds: { enabled: false } });
    expect(stderr).toContain('namespaces: fleet is looked after by team-fleet/edgeline-operator, another installation');
  });

  it('a second release for the whole cluster is refused', async () => {
    const { stderr } = await cluster.helm.run(['install', 'another', chartDirectory, '-n', 'elsewhere']);
    expect(stderr).toContain(
      'Namespace team-fleet has an operator already, and this one would be for the whole cluster',
    );
  });
});
