import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runStatus } from '../../../src/cli/status/run.ts';
import type { Operator } from '../../../src/operator/start.ts';
import { runPlan } from '../../../src/plan/run.ts';
import { userRules } from '../../../src/rbac.ts';
import { capture, kubeconfigWith } from '../../support/cli.ts';
import { apply, kubectlOutput } from '../../support/kubernetes.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld, type World } from '../../support/world.ts';
import { DOMAIN, seededSite } from '../site/support.ts';

const ICCID = '8981040000000000017';
const apiVersion = 'edgeline.dev/v1alpha1';
const sim = { apiVersion, kind: 'Sim', metadata: { name: 'truck-17' }, spec: { iccid: ICCID, activated: true } };
const site = { apiVersion, kind: 'WebAccelSite', metadata: { name: 'www' }, spec: { domain: DOMAIN } };
const labelled = (object: { readonly metadata: object }) => ({
  ...object,
  metadata: { ...object.metadata, labels: { team: 'east' } },
});

let operator: Operator;
let world: World;
beforeAll(async () => {
  operator = await startTestOperator();
  world = await createWorld({
    prefix: 'one',
    seed: { sims: [{ iccid: ICCID, activated: true }], sites: [seededSite] },
  });
  const { namespace } = world;
  await world.apply(sim);
  await world.apply(site);
  await world.ready('Sim', 'truck-17');
  await world.ready('WebAccelSite', 'www');
  const view = userRules.view.map((rule) => ({ ...rule, why: undefined }));
  const edit = userRules.edit.map((rule) => ({ ...rule, why: undefined }));
  const secrets = { apiGroups: [''], resources: ['secrets'], verbs: ['get'] };
  const roles = { viewer: view, editor: [...view, ...edit, secrets] };
  for (const [name, rules] of Object.entries(roles)) {
    const metadata = { name, namespace };
    await apply({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata, rules });
    await kubectlOutput(['create', 'rolebinding', name, '-n', namespace, `--role=${name}`, `--user=one-${name}`]);
  }
});
afterAll(async () => {
  await world.stop();
  await operator.stop();
});

/** What `edgeline plan` of one manifest says to somebody, with its exit code. */
async function planned(as: string, object: object): Promise<{ code: number; said: string }> {
  const surroundings = capture();
  const kubeconfig = kubeconfigWith({ as, namespace: world.namespace });
  const manifests = [{ source: 'a.yaml', object: { ...object } }];
  const code = await runPlan({ kubeconfig, manifests, prune: false, maxRequests: 50, output: 'table' }, surroundings);
  return { code, said: surroundings.said() };
}

describe('who may read one namespace only', () => {
  it.each(['one-viewer', 'one-editor'])('is told by status that all is well, as %s', async (as) => {
    const surroundings = capture();
    const kubeconfig = kubeconfigWith({ as, namespace: world.namespace });
    const options = { kubeconfig, targets: [], output: 'table', all: false, watch: false } as const;
    expect(await runStatus(options, surroundings, new AbortController().signal)).toBe(0);
    expect(surroundings.said()).toContain(
      'ClusterCloudAccount: you may not list clustercloudaccounts.edgeline.dev; not shown.',
    );
  });

  it.each<[string, string, object]>([
    ['a Sim that stays as it is, as a viewer', 'one-viewer', sim],
    ['a Sim with another label, as a viewer', 'one-viewer', labelled(sim)],
    ['a site with another label, as a viewer', 'one-viewer', labelled(site)],
    ['a Sim with another label, as an editor', 'one-editor', labelled(sim)],
    ['a site with another label, as an editor', 'one-editor', labelled(site)],
  ])('is told by plan that nothing would be written for %s', async (_, as, object) => {
    const { code, said } = await planned(as, object);
    expect({ code, said }).toEqual({
      code: 0,
      said: expect.stringContaining('Nothing would be written at the service'),
    });
    expect(said).toContain('You may not list clustercloudaccounts: only those that something names were looked for.');
  });

  it('is told what would be written, and what was taken from the statuses', async () => {
    const { code, said } = await planned('one-viewer', { ...sim, spec: { iccid: ICCID, activated: false } });
    expect(code).toBe(2);
    expect(said).toContain('activated: true → false');
    expect(said).toContain(
      'the service did not say what it has, which was taken from the statuses: you may not get secrets',
    );
  });

  it('is not told that all is well about what nobody looked at: a new Sim, and an account of the cluster', async () => {
    const fresh = {
      ...sim,
      metadata: { name: 'truck-18' },
      spec: { iccid: '8981040000000000018', adoption: 'Required' },
    };
    expect((await planned('one-viewer', fresh)).code).toBe(2);
    const accountRef = { kind: 'ClusterCloudAccount', name: 'shared' };
    const ofCluster = {
      ...labelled(sim),
      metadata: { name: 'truck-19' },
      spec: { iccid: '8981040000000000019', accountRef },
    };
    const { code, said } = await planned('one-editor', ofCluster);
    expect(code).toBe(2);
    expect(said).toContain(
      `Sim ${world.namespace}/truck-19: you may not read the ClusterCloudAccount shared, if it is there.`,
    );
  });
});
