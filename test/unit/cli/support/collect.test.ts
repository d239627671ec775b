import { expect, it } from 'vitest';
import { operatorNamespaces } from '../../../../src/cli/support/collect.ts';
import { filesOfPod, type Pod } from '../../../../src/cli/support/pods.ts';

const metadata = { name: 'edgeline-operator-0', uid: 'u', resourceVersion: '1' };
const head = { apiVersion: 'v1', kind: 'Pod', metadata };
const heldBy = (holderIdentity: string) => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata,
  spec: { holderIdentity },
});

it.each([
  ['where it is asked for', 'mine', [heldBy('edgeline-system/edgeline-operator')], ['mine']],
  ['where the Leases say', undefined, [heldBy('b/x'), heldBy('a/x'), heldBy('b/x'), heldBy('')], ['a', 'b']],
  ['where it is installed by default', undefined, [], ['edgeline-system']],
  ['nowhere that is no namespace', undefined, [heldBy('../x'), heldBy('a?b#/x'), heldBy('A/x'), heldBy('b/x')], ['b']],
])('the operator is looked for %s', (_, asked, holders, expected) => {
  expect(operatorNamespaces(asked, holders)).toEqual(expected);
});

it('of a pod the logs are read, also those before its restart, and the metrics', () => {
  const pod: Pod = {
    ...head,
    spec: { containers: [{ name: 'operator', ports: [{ name: 'metrics', containerPort: 8080 }] }, { name: 'side' }] },
    status: { containerStatuses: [{ name: 'operator', restartCount: 2 }] },
  };
  const api = '/api/v1/namespaces/edgeline-system/pods/edgeline-operator-0';
  const limits = 'tailLines=100&limitBytes=10485760';
  const folder = 'operator/edgeline-system/edgeline-operator-0';
  expect(filesOfPod('edgeline-system', pod, 100).map(({ path, from }) => [path, from])).toEqual([
    [`${folder}/operator.log`, `${api}/log?container=operator&${limits}`],
    [`${folder}/operator.previous.log`, `${api}/log?container=operator&${limits}&previous=true`],
    [`${folder}/metrics.txt`, `${api}:8080/proxy/metrics`],
    [`${folder}/side.log`, `${api}/log?container=side&${limits}`],
  ]);
});

it('a log that is a single line of JSON is stored as it was', () => {
  const [log] = filesOfPod('a', { ...head, spec: { containers: [{ name: 'operator' }] } }, 1);
  expect(log?.clean('{"level":30,"accessToken":"x"}')).toBe('{"level":30,"accessToken":"(removed)"}');
});
