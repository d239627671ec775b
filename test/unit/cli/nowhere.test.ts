import { expect, it } from 'vitest';
import { clusterError } from '../../../src/cli/errors.ts';
import { refuseNowhere } from '../../../src/cli/nowhere.ts';
import type { Session } from '../../../src/cli/session.ts';
import { KubeError } from '../../../src/kubernetes/errors.ts';

/** A session in a namespace of which the apiserver answers this. */
function sessionIn(namespace: string | undefined, status: number): Pick<Session, 'namespace' | 'get'> {
  return {
    namespace,
    get: async (resource, _, name) => {
      throw clusterError(new KubeError({ status, reason: 'Unknown', message: 'no' }), {
        verb: 'get',
        resource,
        namespace: undefined,
        name,
        server: 'https://kube.example.jp',
      });
    },
  };
}

it('a namespace that does not exist is not all ready', async () => {
  await expect(refuseNowhere(sessionIn('fleeet', 404))).rejects.toMatchObject({
    code: 'Cluster',
    message: 'the namespace fleeet does not exist',
    advice: 'Check -n and the context: `kubectl get namespaces` lists what there is.',
  });
});

it.each<[string, Pick<Session, 'namespace' | 'get'>]>([
  ['may not be read', sessionIn('fleeet', 403)],
  ['cannot be asked for', sessionIn('fleeet', 0)],
  ['is all of them', sessionIn(undefined, 404)],
  ['is there', { namespace: 'fleet', get: async () => JSON.parse('{}') }],
])('nothing is said where the namespace %s', async (_, session) => {
  await expect(refuseNowhere(session)).resolves.toBeUndefined();
});
