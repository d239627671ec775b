import { expect, it } from 'vitest';
import { ClusterError } from '../../../../src/cli/errors.ts';
import type { FoundAccount } from '../../../../src/cli/service/account.ts';
import { stopOf } from '../../../../src/cli/service/stopped.ts';
import type { Session } from '../../../../src/cli/session.ts';
import {
  type Account,
  cloudAccountResource,
  clusterCloudAccountResource,
} from '../../../../src/kinds/cloud-account/schema.ts';
import { keyOf } from '../../../../src/reconcile/reconciler.ts';

const PAUSED = { 'edgeline.dev/paused': 'true' };

function accountOf(kind: 'CloudAccount' | 'ClusterCloudAccount', change: object = {}): FoundAccount {
  const namespace = kind === 'CloudAccount' ? 'fleet' : undefined;
  const account: Account = JSON.parse(
    JSON.stringify({
      apiVersion: 'edgeline.dev/v1alpha1',
      kind,
      metadata: { name: 'default', uid: 'u', resourceVersion: '1', ...(namespace !== undefined && { namespace }) },
      spec: { credentialsSecretRef: { name: 'token' } },
      ...change,
    }),
  );
  return {
    ref: { kind, name: 'default' },
    resource: kind === 'CloudAccount' ? cloudAccountResource : clusterCloudAccountResource,
    namespace,
    key: keyOf(kind, account.metadata),
    account,
  };
}

/** Namespaces of which some are paused; undefined: nobody may read them. */
function sessionWith(paused: readonly string[] | undefined): Pick<Session, 'get'> {
  return {
    get: async (_resource, _namespace, name) => {
      if (!paused) throw new ClusterError('you may not get namespaces', '');
      const metadata = { name, ...(paused.includes(name) && { annotations: PAUSED }) };
      return JSON.parse(JSON.stringify({ metadata }));
    },
  };
}

const told = { status: { conditions: [{ type: 'Ready', status: 'False', reason: 'Paused', message: '' }] } };
const metadata = { name: 'default', namespace: 'fleet', uid: 'u', resourceVersion: '1', annotations: PAUSED };

it.each([
  ['nothing is paused', accountOf('CloudAccount'), [], undefined],
  ['the account is', accountOf('CloudAccount', { metadata }), [], 'the CloudAccount default'],
  ['its namespace is', accountOf('CloudAccount'), ['fleet'], 'the Namespace fleet'],
  ['another namespace is', accountOf('CloudAccount'), ['depot'], undefined],
  [
    'an account of the cluster is used from one that is',
    accountOf('ClusterCloudAccount'),
    ['fleet'],
    'the Namespace fleet',
  ],
  [
    'nobody may look, and the account says that it is',
    accountOf('CloudAccount', told),
    undefined,
    'the Namespace fleet',
  ],
  ['nobody may look, and the account says nothing of it', accountOf('CloudAccount'), undefined, undefined],
  ['the account still says so, and the namespace does not any more', accountOf('CloudAccount', told), [], undefined],
])('%s', async (_case, account, paused, where) => {
  const stop = await stopOf(sessionWith(paused), account, 'fleet');
  expect(stop?.message).toBe(
    where && `nothing was sent: edgeline.dev/paused is set on ${where}, which stops everything that writes`,
  );
});
