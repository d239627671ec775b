import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { systemClock } from '../../src/clock.ts';
import { clusterRules, namespaceRules, operatorName, ownNamespaceRules, type Rule } from '../../src/rbac.ts';
import { ensureControlPlane, startControlPlane } from '../../src/sandbox/control-plane/control-plane.ts';
import { runKubectl } from '../../src/sandbox/control-plane/kubectl.ts';
import type { RunningControlPlane } from '../../src/sandbox/control-plane/running.ts';
import { packageRoot } from '../../src/sandbox/package-root.ts';

const deploy = join(packageRoot(), 'deploy');
const clusterWide = join(deploy, 'overlays', 'cluster-wide');
const namespaced = join(deploy, 'overlays', 'namespaced');
const account = 'system:serviceaccount:edgeline-system:edgeline-operator';

/** Of its own: with a pretended node, and without CRDs or anything else of ours. */
let cluster: RunningControlPlane;
/** Where a person would have checked the repository out, to change it. */
const checkout = mkdtempSync(join(tmpdir(), 'kustomize-test-'));

beforeAll(async () => {
  const { bin } = await ensureControlPlane({
    sourceDir: join(packageRoot(), 'test', 'control-plane'),
    progress: (line) => void process.stderr.write(`${line}\n`),
    clock: systemClock,
  });
  cluster = await startControlPlane({ bin, clock: systemClock, fakeKubelet: true });
  cpSync(deploy, join(checkout, 'deploy'), { recursive: true });
}, 900_000);

afterAll(async () => {
  await cluster.stop();
  rmSync(checkout, { recursive: true });
});

const run = (...args: string[]) => runKubectl({ kubectl: inject('kubectl'), kubeconfig: cluster.kubeconfig }, args);

async function kubectl(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args);
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}

async function rulesOf(kind: string, ...at: string[]): Promise<unknown> {
  return JSON.parse(await kubectl('get', kind, operatorName, ...at, '-o', 'jsonpath={.rules}'));
}

/** What is built, as objects. */
async function built(folder: string): Promise<{ kind: string; metadata: { name: string; namespace?: string } }[]> {
  return parseAllDocuments(await kubectl('kustomize', folder)).map((document) => document.toJS());
}

const withoutWhy = (rules: readonly Rule[]) => rules.map(({ why: _why, ...rule }) => rule);

/** The operator's own roles and bindings in what is built. */
const rolesIn = async (folder: string) =>
  (await built(folder))
    .filter(({ kind, metadata }) => /^(Cluster)?Role/.test(kind) && metadata.name === operatorName)
    .map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}`.trim());

async function canI(verb: string, resource: string, ...at: string[]): Promise<string> {
  return (await run('auth', 'can-i', verb, resource, ...at, `--as=${account}`)).stdout.trim();
}

describe('kubectl apply -k', () => {
  it('of deploy/overlays/cluster-wide installs an operator whose pod the restricted level admits', async () => {
    const applied = await kubectl('apply', '-k', clusterWide);
    expect(applied).toContain('deployment.apps/edgeline-operator created');
    await kubectl('rollout', 'status', '-n', 'edgeline-system', 'deployment/edgeline-operator', '--timeout=60s');
    const pods = await kubectl('get', 'pods', '-n', 'edgeline-system', '-o', 'jsonpath={.items[*].status.phase}');
    expect(pods).toBe('Running');
    const image = 'jsonpath={.spec.template.spec.containers[*].image}';
    expect(await kubectl('get', 'deployment', operatorName, '-n', 'edgeline-system', '-o', image)).toBe(
      `ghcr.io/edgeline/edgeline:${JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')).version}`,
    );
    const privileged = await run('run', 'other', '-n', 'edgeline-system', '--image=other', '--privileged');
    expect(privileged.stderr).toMatch(/violates PodSecurity "restricted:latest"/);
  });

  it('a second time changes nothing', async () => {
    const lines = (await kubectl('apply', '-k', clusterWide)).split('\n');
    // kubectl calls a PodDisruptionBudget configured whenever it is applied; that nothing is different the next line says.
    const others = lines.filter((line) => !line.startsWith('poddisruptionbudget.'));
    expect(others.filter((line) => !line.endsWith(' unchanged'))).toEqual([]);
    expect(await run('diff', '-k', clusterWide)).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('gives the operator the permissions that the code names, and no others', async () => {
    expect(await rolesIn(clusterWide)).toEqual([
      'Role edgeline-system',
      'ClusterRole',
      'RoleBinding edgeline-system',
      'ClusterRoleBinding',
    ]);
    expect(await rulesOf('clusterrole')).toEqual(withoutWhy(clusterRules));
    expect(await rulesOf('role', '-n', 'edgeline-system')).toEqual(withoutWhy(ownNamespaceRules));
    expect(await canI('patch', 'sims.edgeline.dev', '-n', 'default')).toBe('yes');
    await kubectl('delete', 'clusterrole,clusterrolebinding', operatorName);
  });

  it('of deploy/overlays/namespaced gives it permissions in one namespace alone', async () => {
    expect(await rolesIn(namespaced)).toEqual([
      'Role edgeline-system',
      'Role fleet',
      'RoleBinding edgeline-system',
      'RoleBinding fleet',
    ]);
    await kubectl('create', 'namespace', 'fleet');
    await kubectl('apply', '-k', namespaced);
    expect(await rulesOf('role', '-n', 'fleet')).toEqual(withoutWhy(namespaceRules));
    const allowed = await Promise.all([
      canI('patch', 'sims.edgeline.dev', '-n', 'fleet'),
      canI('get', 'secrets', '-n', 'fleet'),
      canI('patch', 'sims.edgeline.dev', '-n', 'default'),
      canI('list', 'clustercloudaccounts.edgeline.dev'),
    ]);
    expect(allowed).toEqual(['yes', 'yes', 'no', 'no']);
  });

  it('of the namespaced overlay takes another namespace as its comments say', async () => {
    const folder = join(checkout, 'deploy', 'overlays', 'namespaced');
    const change = (file: string, from: string, to: string) => {
      const before = readFileSync(join(folder, file), 'utf8');
      expect(before).toContain(from);
      writeFileSync(join(folder, file), before.replace(from, to));
    };
    cpSync(join(folder, 'namespaces', 'fleet'), join(folder, 'namespaces', 'shop'), { recursive: true });
    change(join('namespaces', 'shop', 'kustomization.yaml'), 'namespace: fleet', 'namespace: shop');
    change('kustomization.yaml', '  - namespaces/fleet\n', '  - namespaces/fleet\n  - namespaces/shop\n');
    change('kustomization.yaml', 'value: --namespaces=fleet', 'value: --namespaces=fleet,shop');

    await kubectl('create', 'namespace', 'shop');
    await kubectl('apply', '-k', folder);
    expect(await rulesOf('role', '-n', 'shop')).toEqual(withoutWhy(namespaceRules));
    expect(await rulesOf('role', '-n', 'fleet')).toEqual(withoutWhy(namespaceRules));
    expect(await canI('patch', 'sims.edgeline.dev', '-n', 'shop')).toBe('yes');
    const args = 'jsonpath={.spec.template.spec.containers[*].args}';
    expect(JSON.parse(await kubectl('get', 'deployment', operatorName, '-n', 'edgeline-system', '-o', args))).toEqual([
      'operator',
      '--leader-elect',
      '--namespaces=fleet,shop',
    ]);
    await kubectl('rollout', 'status', '-n', 'edgeline-system', 'deployment/edgeline-operator', '--timeout=60s');
  });

  it('of a kustomization of one’s own, as docs/install-kustomize.md has it, is taken by the apiserver', async () => {
    const text = readFileSync(join(packageRoot(), 'docs', 'install-kustomize.md'), 'utf8');
    const [, example = ''] = /```yaml\n(.*?)```/s.exec(text) ?? [];
    const url = 'https://github.com/edgeline/edgeline//deploy/overlays/cluster-wide?ref=v0.1.0';
    expect(example).toContain(url);
    const folder = join(checkout, 'own');
    mkdirSync(folder);
    writeFileSync(join(folder, 'kustomization.yaml'), example.replace(url, '../deploy/overlays/cluster-wide'));
    await kubectl('apply', '--dry-run=server', '-k', folder);
    const deployment = (await built(folder)).find(({ kind }) => kind === 'Deployment');
    expect(deployment).toMatchObject({
      spec: {
        replicas: 2,
        template: {
          spec: {
            containers: [
              {
                image: 'registry.example.jp/edgeline:0.1.0',
                args: ['operator', '--leader-elect', '--allowed-hosts=api.example.jp'],
              },
            ],
          },
        },
      },
    });
  });
});
