import { digesterOf } from '../../src/kinds/cloud-account/members.ts';
import type { AccountResolver } from '../../src/reconcile/account.ts';
import type { AccountRef } from '../../src/reconcile/managed-object.ts';
import type { Sealer } from '../../src/reconcile/seal.ts';
import { SecretValue } from '../../src/reconcile/secret-value.ts';
import { partial } from './partial.ts';

/** Who seals with the secret of an account, as the account's session does. */
export function sealerOf(identity: string, secret = `secret of ${identity}`): Sealer {
  return { identity, digest: digesterOf({ accessTokenSecret: new SecretValue(secret) }) };
}

/** An account that a namespace has, as it is resolved. */
export interface PlayedAccount {
  readonly session: Sealer;
  readonly accountRef: AccountRef;
}

/** Accounts by namespace: where there is none, it can't be told. */
export function accountsOf(of: (namespace: string) => PlayedAccount | undefined): AccountResolver {
  return partial<AccountResolver>({ resolve: (namespace: string) => of(namespace) ?? { hold: {} } });
}

/** The account of the cluster that its tenants share. */
export const sharedAccount = (session: Sealer): PlayedAccount => ({
  session,
  accountRef: { kind: 'ClusterCloudAccount', name: 'shared' },
});

/** An account that a tenant has made. */
export const ownAccount = (session: Sealer): PlayedAccount => ({
  session,
  accountRef: { kind: 'CloudAccount', name: 'default' },
});
