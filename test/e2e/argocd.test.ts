import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { packageRoot } from '../../src/sandbox/package-root.ts';
import { ensureEngines, shippedConfigMap } from '../support/health/engines.ts';
import { eventually, kubectl, kubectlOutput, testNamespace } from '../support/kubernetes.ts';

const root = packageRoot();
const argocd = join(root, 'deploy', 'argocd');
const read = (...path: string[]) => readFileSync(join(argocd, ...path), 'utf8');

/** The folder of a person's own repository. */
const repository = mkdtempSync(join(tmpdir(), 'argocd-test-'));
let crds: string;

beforeAll(async () => {
  crds = (await ensureEngines()).argoCRDs;
  await kubectlOutput(['apply', '--server-side', '-f', crds]);
  // Right after they were made, kubectl stumbles over what they do not have yet.
  await eventually(() => kubectlOutput(['wait', '--for=condition=Established', '--timeout=60s', '-f', crds]));
  await kubectlOutput(['create', 'namespace', 'argocd']);
  cpSync(argocd, join(repository, 'argocd'), { recursive: true });
}, 900_000);

afterAll(async () => {
  await kubectlOutput(['delete', '-f', crds]);
  await kubectlOutput(['delete', 'namespace', 'argocd', '--wait=false']);
  rmSync(repository, { recursive: true });
});

/** Builds a folder of the repository with these files. */
async function built(name: string, files: Readonly<Record<string, string>>) {
  const folder = join(repository, name);
  cpSync(join(root, 'deploy', 'examples'), folder, { recursive: true });
  for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), content);
  return parseAllDocuments(await kubectlOutput(['kustomize', folder])).map((document) => document.toJS());
}

/** The examples with a component, by kind: the annotation it gives them. */
async function annotated(component: string, annotation: string): Promise<Record<string, unknown>> {
  const resources = ['depot.yaml', 'truck-17.yaml', 'media.yaml', 'account.yaml'];
  const objects = await built(component, {
    'account.yaml': `
apiVersion: edgeline.dev/v1alpha1
kind: CloudAccount
metadata: {name: default}
spec: {baseURL: https://api.example.jp, credentialsSecretRef: {name: service-credentials}}
`,
    'kustomization.yaml': stringify({ namespace: 'fleet', resources, components: [`../argocd/${component}`] }),
  });
  return Object.fromEntries(objects.map(({ kind, metadata }) => [kind, metadata.annotations?.[annotation]]));
}

describe('for Argo CD', () => {
  it.each(['application.yaml', 'applicationset.yaml'])('%s is what its CRDs take', async (file) => {
    const path = join(argocd, file);
    const applied = await kubectl(['apply', '--dry-run=server', '--validate=strict', '-f', path]);
    expect(applied).toMatchObject({ code: 0, stderr: '' });
    expect(applied.stdout.trim().split('\n')).toHaveLength(parseAllDocuments(read(file)).length);
  });

  it('the Application of the operator names a folder there is', () => {
    const [operator] = parseAllDocuments(read('application.yaml')).map((document) => document.toJS());
    expect(existsSync(join(root, operator.spec.source.path, 'kustomization.yaml'))).toBe(true);
  });

  it('the health checks come into argocd-cm beside what is there, by kubectl and by kustomize', async () => {
    const url = 'https://argocd.example.jp';
    const cm = stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'argocd-cm' }, data: { url } });
    const expected = { ...parse(readFileSync(shippedConfigMap, 'utf8')).data, url };

    const namespace = await testNamespace('argocd');
    await kubectlOutput(['apply', '-n', namespace, '-f', '-'], { input: cm });
    // Not kubectl apply --server-side: it takes over what kubectl apply put there, and with it drops every other key.
    await kubectlOutput(['patch', 'configmap', 'argocd-cm', '-n', namespace, '--patch-file', shippedConfigMap]);
    const output = await kubectlOutput(['get', 'configmap', 'argocd-cm', '-n', namespace, '-o', 'json']);
    expect(JSON.parse(output).data).toEqual(expected);

    const kustomization = stringify({
      namespace: 'argocd',
      resources: ['cm.yaml'],
      components: ['../argocd/health'],
    });
    const [configMap] = await built('argo', { 'cm.yaml': cm, 'kustomization.yaml': kustomization });
    expect(configMap).toMatchObject({ metadata: { name: 'argocd-cm', namespace: 'argocd' }, data: expected });
  });

  it('the values of the Helm chart hold the same health checks', () => {
    expect(parse(read('health', 'helm-values.yaml'))).toEqual({
      configs: { cm: parse(readFileSync(shippedConfigMap, 'utf8')).data },
    });
  });

  it('waves put accounts first and certificates last', async () => {
    expect(await annotated('waves', 'argocd.argoproj.io/sync-wave')).toEqual({
      Secret: undefined,
      CloudAccount: '1',
      MobileGateway: '2',
      Sim: '2',
      WebAccelSite: '2',
      SiteCertificate: '3',
    });
  });

  it('a component has it ask before what would go at the service is deleted', async () => {
    const asks = 'Prune=confirm,Delete=confirm';
    expect(await annotated('confirm', 'argocd.argoproj.io/sync-options')).toEqual({
      Secret: undefined,
      CloudAccount: asks,
      MobileGateway: asks,
      Sim: asks,
      WebAccelSite: undefined,
      SiteCertificate: undefined,
    });
  });
});
