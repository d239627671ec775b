import type { AccountOptions } from '../../../../../src/shadow/service/types.ts';
import type { Act } from '../../script.ts';
import type { Draft } from '../draft.ts';
import { accountPlural, credentialsData, type DrawnAccount } from '../setting.ts';
import { CANARY, manifest, secret } from '../vocabulary.ts';

/** The account that resources of a story use if they name none. */
export function defaultAccount({ drawn }: Draft): DrawnAccount {
  const found = drawn.accounts.find(({ ref: { name } }) => name === 'default');
  if (!found) throw new Error('the setting has no default account');
  return found;
}

/** Other credentials are put into the Secret of an account. */
export function rotation({ credentials }: DrawnAccount, to: AccountOptions): Act {
  const { namespace = '', name } = credentials;
  const made = secret(namespace, name, credentialsData(to));
  return { what: 'create', ref: credentials, manifest: made, patience: 0 };
}

export function mistyped(credentials: AccountOptions): AccountOptions {
  return { ...credentials, accessTokenSecret: `${CANARY}-mistyped` };
}

export function creation({ ref: account, spec }: DrawnAccount): Act {
  const made = manifest(accountPlural(account), account.namespace, account.name, spec);
  return { what: 'create', ref: account, manifest: made, patience: 600_000 };
}
