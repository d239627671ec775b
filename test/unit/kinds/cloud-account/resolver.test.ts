import { expect, test } from 'vitest';
import { createAccountResolver } from '../../../../src/kinds/cloud-account/resolver.ts';
import type { Account } from '../../../../src/kinds/cloud-account/schema.ts';

type Registry = Parameters<typeof createAccountResolver>[1];

/** What is said of new resources where the account is like this and its session is open; undefined: they may come. */
function leavingWhere(account: object | undefined): string | undefined {
  const session = { verified: true, circuit: { isOpen: () => false } };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of an account as is asked
  const found = account as Account | undefined;
  const resolver = createAccountResolver(
    { accounts: { get: () => found }, clusterAccounts: undefined, namespaces: undefined },
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of a session as is asked
    { get: () => session } as unknown as Registry,
    { ofUser: () => undefined },
  );
  const resolved = resolver.resolve('fleet', { accountRef: { kind: 'CloudAccount', name: 'second' } }, undefined);
  return 'session' in resolved ? resolved.leaving?.reason : `held: ${resolved.hold.reason}`;
}

test.each<[string, object | undefined, string | undefined]>([
  ['is open to what is new', { metadata: {}, spec: {} }, undefined],
  [
    'that is being deleted takes on nothing new',
    { metadata: { deletionTimestamp: 'now' }, spec: {} },
    'AccountNotReady',
  ],
  ['that is gone takes on nothing new, though its session is still there', undefined, 'AccountNotFound'],
])('an account %s', (_, account, reason) => {
  expect(leavingWhere(account)).toBe(reason);
});
