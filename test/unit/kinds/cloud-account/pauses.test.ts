import { expect, test } from 'vitest';
import { createPauses } from '../../../../src/kinds/cloud-account/pauses.ts';
import { partial } from '../../../support/partial.ts';

const KEY = 'CloudAccount/fleet/default';
const REF = { kind: 'CloudAccount', name: 'default' } as const;
const annotations = { 'edgeline.dev/paused': 'true' };

test.each([
  ['CloudAccount default', { account: { annotations }, namespace: {} }],
  ['Namespace fleet', { account: {}, namespace: { annotations } }],
])('what uses an account paused by the %s goes on once that was looked at after the pause', (by, paused) => {
  let now: { readonly account: object; readonly namespace: object } = paused;
  const pauses = createPauses(
    partial({
      accounts: { get: () => ({ metadata: { name: 'default', namespace: 'fleet', ...now.account } }) },
      namespaces: { get: () => ({ metadata: { name: 'fleet', ...now.namespace } }) },
    }),
  );
  const told = () => [pauses.ofAccount(KEY), pauses.ofUser('fleet', REF)];
  expect([pauses.begin(KEY), told()]).toEqual([by, [by, by]]);
  now = { account: {}, namespace: {} };
  expect([told(), pauses.begin(KEY), told()]).toEqual([[by, by], undefined, [by, by]]);
  pauses.resumed(KEY);
  expect(told()).toEqual([undefined, undefined]);
});

test('what uses an account of the cluster is paused with its namespace, and no other namespace with that', () => {
  const pauses = createPauses(
    partial({
      accounts: { get: () => undefined },
      clusterAccounts: { get: () => ({ metadata: { name: 'default' } }) },
      namespaces: {
        get: (_: undefined, name: string) => ({ metadata: { name, ...(name === 'fleet' && { annotations }) } }),
      },
    }),
  );
  const ref = { kind: 'ClusterCloudAccount', name: 'default' } as const;
  expect([pauses.ofUser('fleet', ref), pauses.ofUser('harbour', ref)]).toEqual(['Namespace fleet', undefined]);
});
