import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { systemClock } from '../../src/clock.ts';
import { kindDefinitions } from '../../src/kinds/index.ts';
import { createKubeClient, type KubeClient } from '../../src/kubernetes/client.ts';
import { loadKubeconfig } from '../../src/kubernetes/config.ts';
import { HOLDER_LEASE } from '../../src/kubernetes/holdings.ts';
import { createTransport } from '../../src/kubernetes/transport.ts';
import { operatorName, operatorNamespace } from '../../src/rbac.ts';
import { packageRoot } from '../../src/sandbox/package-root.ts';
import { adminKubeconfig } from '../support/control-plane.ts';
import { kubectl, kubectlOutput } from '../support/kubernetes.ts';

const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'] as const;

/** A question of RBAC: which verbs are allowed on this? */
interface Subject {
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

const plurals = kindDefinitions.map(({ plural, scope }) => ({ plural, scoped: scope === 'Namespaced' }));
const own = (plural: string, scoped: boolean, subresource?: string): Subject => ({
  group: 'edgeline.dev',
  resource: plural,
  ...(subresource !== undefined && { subresource }),
  ...(scoped && { namespace: 'fleet' }),
});
const lease = { group: 'coordination.k8s.io', resource: 'leases' };

/** What the operator may do, with all that is beside it; a verb that is not listed is refused. */
const table: readonly (readonly [Subject, readonly string[]])[] = [
  ...plurals.flatMap(
    ({ plural, scoped }) =>
      [
        [own(plural, scoped), ['get', 'list', 'watch', 'patch']],
        [own(plural, scoped, 'status'), ['patch']],
        [own(plural, scoped, 'finalizers'), []],
      ] as const,
  ),
  [{ group: '', resource: 'secrets', namespace: 'fleet' }, ['get', 'list', 'watch']],
  [{ group: '', resource: 'namespaces' }, ['list', 'watch']],
  [{ group: 'events.k8s.io', resource: 'events', namespace: 'fleet' }, ['create', 'patch']],
  [{ group: '', resource: 'events', namespace: 'fleet' }, []],
  [{ ...lease, namespace: operatorNamespace }, ['create']],
  [{ ...lease, namespace: operatorNamespace, name: operatorName }, ['get', 'create', 'update']],
  [{ ...lease, namespace: operatorNamespace, name: 'of-somebody-else' }, ['create']],
  [{ ...lease, namespace: 'fleet', name: operatorName }, ['create']],
  [{ ...lease, namespace: 'fleet', name: HOLDER_LEASE }, ['create', 'list', 'watch', 'update']],
  [{ ...lease, namespace: 'fleet' }, ['create']],
  [{ group: '', resource: 'serviceaccounts', subresource: 'token', namespace: operatorNamespace }, []],
  [{ group: '', resource: 'pods', namespace: operatorNamespace }, []],
  [{ group: '', resource: 'configmaps', namespace: operatorNamespace }, []],
  [{ group: 'apps', resource: 'deployments', namespace: operatorNamespace }, []],
  [{ group: 'rbac.authorization.k8s.io', resource: 'clusterroles' }, []],
  [{ group: 'rbac.authorization.k8s.io', resource: 'clusterrolebindings' }, []],
  [{ group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' }, []],
  [{ group: '*', resource: '*' }, []],
];

const answer = z.object({ status: z.object({ allowed: z.boolean() }) });

const files = ['base', join('overlays', 'cluster-wide')].flatMap((directory) => [
  '-f',
  join(packageRoot(), 'deploy', directory, 'rbac.yaml'),
]);

describe('the role the operator ships with', () => {
  let client: KubeClient;

  beforeAll(async () => {
    const connection = await loadKubeconfig({ kubeconfig: adminKubeconfig(), clock: systemClock, environment: {} });
    client = createKubeClient({
      transport: createTransport(connection),
      userAgent: 'test',
      fieldManager: 'test',
      clock: systemClock,
      random: Math.random,
    });
    await kubectl(['create', 'namespace', operatorNamespace]);
    await kubectlOutput(['apply', '--server-side', ...files]);
    return async () => {
      await kubectl(['delete', ...files]);
      await kubectl(['delete', 'namespace', operatorNamespace, '--wait=false']);
      await client.close();
    };
  });

  async function allowed(subject: Subject): Promise<string[]> {
    const answers = await Promise.all(
      verbs.map(async (verb) => {
        const review = {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SubjectAccessReview',
          spec: {
            user: `system:serviceaccount:${operatorNamespace}:${operatorName}`,
            groups: ['system:authenticated', 'system:serviceaccounts', `system:serviceaccounts:${operatorNamespace}`],
            resourceAttributes: { ...subject, verb },
          },
        };
        const { status } = answer.parse(
          await client.raw('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', review),
        );
        return status.allowed ? [verb] : [];
      }),
    );
    return answers.flat();
  }

  it('allows exactly what the operator does, and nothing beside it', async () => {
    const granted = await Promise.all(table.map(async ([subject]) => [subject, await allowed(subject)] as const));
    expect(granted).toEqual(table.map(([subject, some]) => [subject, verbs.filter((verb) => some.includes(verb))]));
  });
});
