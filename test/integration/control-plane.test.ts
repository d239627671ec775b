import { beforeAll, describe, expect, inject, it } from 'vitest';
import { apply, eventually, kubectl, kubectlOutput, testNamespace } from '../support/kubernetes.ts';

const group = 'control-plane-test.example.com';

function crd(): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'Widget', listKind: 'WidgetList', plural: 'widgets', singular: 'widget' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: {
                  type: 'object',
                  properties: {
                    size: {
                      type: 'integer',
                      'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'size is immutable' }],
                    },
                    low: { type: 'integer' },
                    high: { type: 'integer' },
                  },
                  'x-kubernetes-validations': [
                    {
                      rule: '!has(self.low) || !has(self.high) || self.low <= self.high',
                      message: 'low must not exceed high',
                    },
                  ],
                },
                status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
              },
            },
          },
        },
      ],
    },
  };
}

function widget(namespace: string, name: string, spec: object, metadata: object = {}): object {
  return { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { namespace, name, ...metadata }, spec };
}

describe('the control plane', () => {
  it('reports the version it was built from, as does kubectl', async () => {
    const { clientVersion, serverVersion } = JSON.parse(await kubectlOutput(['version', '-o', 'json']));
    // Who runs the tests on several versions must not be shown one for another.
    const wanted = process.env['EDGELINE_TEST_KUBERNETES'];
    expect(serverVersion.gitVersion).toMatch(wanted === undefined ? /^v1\.\d+\.\d+/ : new RegExp(`^v${wanted}$`));
    expect(clientVersion.gitVersion).toBe(serverVersion.gitVersion);
  });

  it('issues service account tokens that it then accepts', async () => {
    const namespace = await testNamespace('token');
    await kubectlOutput(['create', 'serviceaccount', 'client', '-n', namespace]);
    const token = await kubectlOutput(['create', 'token', 'client', '-n', namespace]);
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } };
    const answer = await kubectlOutput(['create', '-f', '-', '-o', 'json'], { input: JSON.stringify(review) });
    expect(JSON.parse(answer).status).toMatchObject({
      authenticated: true,
      user: { username: `system:serviceaccount:${namespace}:client` },
    });
  });

  it.runIf(inject('controllers'))('removes a namespace with all that is in it', async () => {
    const namespace = await testNamespace('going');
    await kubectlOutput(['create', 'configmap', 'inhabitant', '-n', namespace]);
    await kubectlOutput(['delete', 'namespace', namespace, '--wait=false']);
    await eventually(
      async () => expect((await kubectl(['get', 'namespace', namespace])).stderr).toContain('NotFound'),
      { timeoutSeconds: 30 },
    );
  });

  describe('with a CRD', () => {
    let namespace = '';
    beforeAll(async () => {
      await apply(crd());
      // A CRD is stored with conditions that are null for a moment, and kubectl wait gives up on those.
      await eventually(() =>
        kubectlOutput(['wait', '--for=condition=Established', `crd/widgets.${group}`, '--timeout=30s']),
      );
      namespace = await testNamespace('widgets');
      await eventually(() => apply(widget(namespace, 'first', { size: 1 })));
    });

    it.each([
      ['a rule across fields', 'second', { low: 2, high: 1 }, 'low must not exceed high'],
      ['an immutable field', 'first', { size: 2 }, 'size is immutable'],
    ])('enforces %s, written in CEL', async (_what, name, spec, message) => {
      const { code, stderr } = await kubectl(['apply', '-f', '-'], {
        input: JSON.stringify(widget(namespace, name, spec)),
      });
      expect(code).toBe(1);
      expect(stderr).toContain(message);
    });

    it.runIf(inject('controllers'))('collects what belonged to an object that was deleted', async () => {
      await apply(widget(namespace, 'owner', {}));
      const uid = await kubectlOutput(['get', 'widget', 'owner', '-n', namespace, '-o', 'jsonpath={.metadata.uid}']);
      const ownerReferences = [{ apiVersion: `${group}/v1`, kind: 'Widget', name: 'owner', uid }];
      await apply(widget(namespace, 'owned', {}, { ownerReferences }));
      await kubectlOutput(['delete', 'widget', 'owner', '-n', namespace]);
      await eventually(
        async () => expect((await kubectl(['get', 'widget', 'owned', '-n', namespace])).stderr).toContain('NotFound'),
        { timeoutSeconds: 20 },
      );
    });
  });
});
