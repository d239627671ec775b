import { expect, it } from 'vitest';
import { clusterError } from '../../../src/cli/errors.ts';
import { kindOf } from '../../../src/cli/kinds.ts';
import type { Session } from '../../../src/cli/session.ts';
import { standingOf } from '../../../src/cli/standing.ts';
import { type Scope, scopesOf } from '../../../src/cli/status/fetch.ts';
import { refuseNowhere } from '../../../src/cli/status/nowhere.ts';
import { KubeError } from '../../../src/kubernetes/errors.ts';
import { readyStatus, sim } from './objects.ts';

const everything = scopesOf([]);
const accounts: Scope[] = [{ kind: kindOf('ClusterCloudAccount'), names: undefined, isNamed: true }];
const found = [standingOf(kindOf('Sim'), sim('van-03', readyStatus))];

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
  await expect(refuseNowhere(sessionIn('fleeet', 404), everything, { all: [] })).rejects.toMatchObject({
    code: 'Cluster',
    message: 'the namespace fleeet does not exist',
    advice: 'Check -n and the context: `kubectl get namespaces` lists what there is.',
  });
});

it.each<[string, Pick<Session, 'namespace' | 'get'>, readonly Scope[], typeof found]>([
  ['may not be read', sessionIn('fleeet', 403), everything, []],
  ['cannot be asked for', sessionIn('fleeet', 0), everything, []],
  ['is all of them', sessionIn(undefined, 404), everything, []],
  ['has something in it', sessionIn('fleet', 404), everything, found],
  ['does not matter', sessionIn('fleeet', 404), accounts, []],
  ['is there', { namespace: 'fleet', get: async () => JSON.parse('{}') }, everything, []],
])('nothing is said where the namespace %s', async (_, session, scopes, all) => {
  await expect(refuseNowhere(session, scopes, { all })).resolves.toBeUndefined();
});
