import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../src/clock.ts';
import { loadKubeconfig } from '../../../src/kubernetes/config.ts';
import { clusterRules, operatorName, ownNamespaceRules, type Rule } from '../../../src/rbac.ts';
import { tokenKubeconfig } from '../../../src/sandbox/control-plane/operator-kubeconfig.ts';
import { freePort } from '../../../src/sandbox/processes/free-port.ts';
import { adminKubeconfig } from '../../support/control-plane.ts';
import { apply, kubectlOutput } from '../../support/kubernetes.ts';
import { type OperatorProcess, startOperatorProcess } from '../crash/operator-process.ts';

const apiVersion = 'rbac.authorization.k8s.io/v1';

/** The rules it gets; what is left out is those of src/rbac.ts. */
export interface Permissions {
  readonly cluster?: readonly Rule[];
  readonly ownNamespace?: readonly Rule[];
  /** Flags that go with them. */
  readonly flags?: readonly string[];
}

/** An operator for the whole cluster whose ServiceAccount, in a namespace of its own, has exactly these permissions. */
export async function startWith(
  permissions: Permissions,
  namespace: string,
): Promise<{
  /** The one that runs now. */
  readonly process: OperatorProcess;
  readonly isReady: () => Promise<boolean>;
  /** Ends it, and starts another with the same permissions. */
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
}> {
  await giveRoles(permissions, namespace);
  const directory = await mkdtemp(join(tmpdir(), 'edgeline-'));
  const kubeconfig = join(directory, 'kubeconfig');
  await writeFile(kubeconfig, await kubeconfigOf(namespace));
  const health = `127.0.0.1:${await freePort()}`;
  const flags = ['--leader-elect', '--health-listen', health, '--sim-poll', '1', ...(permissions.flags ?? [])];
  let running = startOperatorProcess(kubeconfig, flags);
  async function end(): Promise<void> {
    running.signal('SIGTERM');
    await running.exited;
  }
  return {
    get process() {
      return running;
    },
    async restart() {
      await end();
      running = startOperatorProcess(kubeconfig, flags);
    },
    async isReady() {
      const answer = await fetch(`http://${health}/readyz`).catch(() => undefined);
      return answer?.ok ?? false;
    },
    async stop() {
      await end();
      await rm(directory, { recursive: true });
      await kubectlOutput(['delete', 'clusterrole,clusterrolebinding', namespace]);
    },
  };
}

async function giveRoles(permissions: Permissions, namespace: string): Promise<void> {
  const { cluster = clusterRules, ownNamespace = ownNamespaceRules } = permissions;
  const subjects = [{ kind: 'ServiceAccount', name: operatorName, namespace }];
  const role = (kind: string, metadata: { name: string; namespace?: string }, rules: readonly Rule[]) => [
    { apiVersion, kind, metadata, rules: rules.map(({ why: _why, ...rule }) => rule) },
    {
      apiVersion,
      kind: `${kind}Binding`,
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: metadata.name },
      subjects,
    },
  ];
  await apply({
    apiVersion: 'v1',
    kind: 'List',
    items: [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: operatorName, namespace } },
      ...role('ClusterRole', { name: namespace }, cluster),
      ...role('Role', { name: operatorName, namespace }, ownNamespace),
    ],
  });
}

/** The ServiceAccount's own kubeconfig: nothing but a token. */
async function kubeconfigOf(namespace: string): Promise<string> {
  const connection = await loadKubeconfig({ kubeconfig: adminKubeconfig(), clock: systemClock, environment: {} });
  const token = await kubectlOutput(['create', 'token', operatorName, '-n', namespace]);
  return tokenKubeconfig(connection, token, { name: operatorName, namespace });
}
