import { expect, it } from 'vitest';
import type { Informer } from '../../../src/kubernetes/informer.ts';
import type { Change } from '../../../src/kubernetes/store.ts';
import { createHolders } from '../../../src/operator/holders.ts';
import { createClaims } from '../../../src/reconcile/claims.ts';
import type { CommonStatus, ManagedObject } from '../../../src/reconcile/managed-object.ts';
import { type Sealer, sealOf } from '../../../src/reconcile/seal.ts';
import { accountsOf, sealerOf, sharedAccount } from '../../support/accounts.ts';
import { partial } from '../../support/partial.ts';

const RECORD = { id: '113300500001', createdAt: '2026-01-01T12:34:56+09:00' };
const session = sealerOf('shared');

function object(namespace: string, status: CommonStatus = {}): ManagedObject {
  return {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: {
      name: 'one',
      namespace,
      uid: namespace,
      resourceVersion: '1',
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
    spec: {},
    status: { uid: namespace, ...RECORD, ...status },
  };
}

const NOW = Date.parse('2026-06-01T00:00:00Z');
const sealed = (uid: string, by: Sealer = session, since = NOW) => ({
  seal: sealOf('Sim', by, { uid, ...RECORD }, since),
});

/** Which of these have what their statuses name, after some of them were looked at. */
function havingOf(all: readonly ManagedObject[], looked: readonly ManagedObject[] = []): (string | undefined)[] {
  const claims = createClaims<ManagedObject>(
    'Sim',
    accountsOf(() => sharedAccount(session)),
    () => NOW,
    () => new Map(),
  );
  let tell: ((change: Change<ManagedObject>) => void) | undefined;
  const informer = partial<Informer<ManagedObject>>({
    get: (namespace: string | undefined) => all.find(({ metadata }) => metadata.namespace === namespace),
    onChange: (handler: typeof tell) => void (tell = handler),
  });
  const holders = createHolders('Sim', informer, claims);
  for (const one of all) tell?.({ new: one });
  for (const one of looked) claims.claim(one, RECORD, session, looked);
  return all.filter((one) => holders.has(one, session)).map(({ metadata }) => metadata.namespace);
}

const victim = object('victim', sealed('victim'));

it.each([
  ['of several that name an object, the one that was seen to have it', [victim, object('evil')], [victim], ['victim']],
  ['nobody else, whatever an earlier process sealed', [victim, object('evil', sealed('evil'))], [victim], ['victim']],
  ['none that was found to be another’s', [victim, object('evil')], [victim, object('evil')], ['victim']],
  ['who has a sealed record, before any was looked at', [victim, object('evil')], [], ['victim']],
  [
    'the last of those with a sealed record',
    [victim, object('evil', sealed('evil', session, NOW - 1))],
    [],
    ['victim'],
  ],
  ['none whose seal is of another account', [object('evil', sealed('evil', sealerOf('other')))], [], []],
  ['none with the status of another', [object('evil', { uid: 'victim', ...sealed('victim') })], [], []],
  ['none that was never looked at and only names it', [object('evil')], [], []],
  ['none that was seen to have something else', [object('evil', { id: '1' })], [object('evil', { id: '1' })], []],
] as const)('what a status names is had by %s', (_, all, looked, expected) => {
  expect(havingOf(all, looked)).toEqual(expected);
});
