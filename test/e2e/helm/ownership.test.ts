import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { packageRoot } from '../../../src/sandbox/package-root.ts';
import { chartDirectory } from '../../support/helm.ts';
import { eventually } from '../../support/kubernetes.ts';
import { commandsOf, type HelmCluster, startHelmCluster } from './cluster.ts';

const NAMESPACE = 'edgeline-system';
const ICCID = '8981040000000000031';
const install = ['install', 'edgeline', chartDirectory, '-n', NAMESPACE, '--wait'];
const upgrade = ['upgrade', 'edgeline', chartDirectory, '-n', NAMESPACE, '--wait'];
const crds = ['-f', join(packageRoot(), 'crds')];
let cluster: HelmCluster;

beforeAll(async () => {
  cluster = await startHelmCluster({ sims: [{ name: 'found', iccid: ICCID, activated: true }] });
  for (const name of [NAMESPACE, 'depot', 'elsewhere']) await cluster.kubectl(['create', 'namespace', name]);
  await cluster.kubectl(['label', 'namespace', NAMESPACE, 'pod-security.kubernetes.io/enforce=restricted']);
}, 900_000);

afterAll(() => cluster.stop());

/** What Helm complains of. */
async function refusal(args: readonly string[], values: object): Promise<string> {
  const { code, stderr } = await cluster.helm.run(args, values);
  expect(code).toBe(1);
  return stderr;
}

describe('a ClusterCloudAccount of the chart', () => {
  const withAccount = (more: object) => ({
    ...cluster.values,
    clusterCloudAccount: {
      create: true,
      baseURL: cluster.baseURL,
      credentialsSecretRef: { name: 'service-credentials' },
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'fleet' } },
      ...more,
    },
  });
  const account = () => cluster.get('clustercloudaccount/default');

  it('comes with its CRD in one install, and serves the namespaces it selects', async () => {
    const commands = commandsOf(await cluster.helm.output(install, withAccount({})));
    const operator = await cluster.startPod(NAMESPACE);
    await cluster.paste(commands, { ICCID });
    await cluster.ready('fleet', 'sim/my-first-sim');
    await cluster.kubectl(['apply', '-n', 'depot', '-f', '-'], {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'Sim',
      metadata: { name: 'truck' },
      spec: { iccid: ICCID, adoption: 'Required' },
    });
    await eventually(async () => {
      const { status } = await cluster.get('-n', 'depot', 'sim/truck');
      expect(status?.conditions).toContainEqual(expect.objectContaining({ reason: 'AccountNotAllowed' }));
    });
    await cluster.kubectl(['delete', 'sim', '-n', 'depot', 'truck']);
    await operator.stop();
  });

  const again = 'Run the same command again, as helm upgrade, to bring it what the values say.';

  /** What the account is limited to, and whether it is still the same object. */
  async function limited(uid: unknown): Promise<object> {
    const { metadata, spec } = await account();
    const { limits } = z.object({ limits: z.unknown().optional() }).parse(spec);
    return { same: metadata['uid'] === uid, goes: 'deletionTimestamp' in metadata, limits };
  }

  it('becomes part of the release with the first upgrade, and is changed by the next', async () => {
    const { uid } = (await account()).metadata;
    const slower = withAccount({ limits: { cloudRequestsPerSecond: 3 } });
    expect(await cluster.helm.output(upgrade, slower)).toContain(again);
    expect(await limited(uid)).toEqual({ same: true, goes: false, limits: undefined });
    expect(await cluster.helm.output(upgrade, slower)).not.toContain(again);
    expect(await limited(uid)).toEqual({ same: true, goes: false, limits: { cloudRequestsPerSecond: 3 } });
    await cluster.helm.output(upgrade, withAccount({ limits: { cloudRequestsPerSecond: 4 } }));
    expect(await limited(uid)).toEqual({ same: true, goes: false, limits: { cloudRequestsPerSecond: 4 } });
  });

  it('stays when the release goes, and is taken over by the next', async () => {
    const { uid } = (await account()).metadata;
    await cluster.helm.output(['uninstall', 'edgeline', '-n', NAMESPACE, '--wait']);
    expect(await limited(uid)).toEqual({ same: true, goes: false, limits: { cloudRequestsPerSecond: 4 } });
    const faster = withAccount({ limits: { cloudRequestsPerSecond: 5 } });
    expect(await cluster.helm.output(install, faster)).toContain(again);
    expect(await limited(uid)).toEqual({ same: true, goes: false, limits: { cloudRequestsPerSecond: 4 } });
    expect(await cluster.helm.output(upgrade, faster)).not.toContain(again);
    expect(await limited(uid)).toEqual({ same: true, goes: false, limits: { cloudRequestsPerSecond: 5 } });
  });
});

describe('a second operator', () => {
  it('in the same namespace is refused', async () => {
    const args = ['install', 'another', chartDirectory, '-n', NAMESPACE];
    expect(await refusal(args, { crds: { enabled: false } })).toContain(
      'Namespace edgeline-system has an operator already, of release edgeline; one of the two would only wait for the other. Upgrade that release, or install into another namespace.',
    );
  });

  it('for the whole cluster is refused', async () => {
    const args = ['install', 'another', chartDirectory, '-n', 'elsewhere'];
    expect(await refusal(args, { crds: { enabled: false } })).toContain(
      'Namespace edgeline-system has an operator already, and this one would be for the whole cluster: two would look after the same resources. Upgrade or uninstall that one, or name the namespaces that this one is for.',
    );
  });

  it('for single namespaces beside one for the whole cluster is refused', async () => {
    const args = ['install', 'another', chartDirectory, '-n', 'elsewhere'];
    expect(await refusal(args, { namespaces: ['depot'] })).toContain(
      'Release edgeline in namespace edgeline-system looks after the whole cluster already, these namespaces too; two operators must not look after the same resources. Upgrade or uninstall that one.',
    );
    expect(await refusal(args, { namespaces: ['fleet'], crds: { enabled: false } })).toContain(
      'namespaces: fleet is looked after by edgeline-system/edgeline-operator, another installation of the operator. Uninstall it, or take the namespace from one of the two. If it is gone: kubectl -n fleet delete lease edgeline-holder',
    );
  });
});

describe('CRDs that kubectl applied', () => {
  beforeAll(async () => {
    await cluster.helm.output(['uninstall', 'edgeline', '-n', NAMESPACE, '--wait']);
    for (const one of [['sim/my-first-sim', '-n', 'fleet'], ['clustercloudaccount/default']]) {
      await cluster.kubectl(['patch', ...one, '--type=merge', '-p', '{"metadata":{"finalizers":null}}']);
    }
    await cluster.kubectl(['delete', ...crds]);
    await cluster.kubectl(['apply', '--server-side', ...crds]);
  });

  const owner = async () => {
    const { metadata } = await cluster.get('crd/sims.edgeline.dev');
    return Object(metadata['annotations'])['meta.helm.sh/release-name'];
  };

  it('are left alone with crds.enabled: false', async () => {
    await cluster.helm.output(install, { ...cluster.values, crds: { enabled: false } });
    const operator = await cluster.startPod(NAMESPACE);
    await operator.stop();
    expect(await owner()).toBeUndefined();
  });

  it('are not taken by accident', async () => {
    expect(await refusal(upgrade, cluster.values)).toContain(
      'CustomResourceDefinition "cloudaccounts.edgeline.dev" in namespace "" exists and cannot be imported into the current release: invalid ownership metadata',
    );
  });

  it('are taken over with --take-ownership', async () => {
    await cluster.helm.output([...upgrade, '--take-ownership'], cluster.values);
    expect(await owner()).toBe('edgeline');
  });
});
