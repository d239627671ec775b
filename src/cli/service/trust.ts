import { canonicalHost } from '../../cloud/http/tls.ts';
import type { FoundAccount } from './account.ts';
import { AccountUnusable } from './errors.ts';

/** Hosts that a person trusts, separated by commas: credentials go to these, and to no other. */
export const ALLOWED_HOSTS = 'EDGELINE_ALLOWED_HOSTS';

/**
 * Refuses an account that may lead the credentials astray. Whoever may write a CloudAccount names a host in it, and a Secret
 * that he may not read: an operator with --allowed-hosts sends it nowhere else, and a command, which has the permissions of
 * whoever runs it, must not do so in its place. `status.identity` says that an operator has verified these credentials at
 * this host, and only who has the token's secret can write it; or a person says which hosts are to be trusted.
 * `identity`: what it would be. `trusted`: the value of {@link ALLOWED_HOSTS}. Pure; throws `AccountUnusable`.
 */
export function refuseUntrusted(
  { ref: { kind, name }, account: { spec, status } }: Pick<FoundAccount, 'ref' | 'account'>,
  identity: string,
  trusted: string | undefined,
): void {
  const host = canonicalHost(spec.baseURL);
  const hosts = trusted?.split(',').flatMap((one) => one.trim() || []) ?? [];
  if (hosts.some((one) => canonicalHost(one) === host)) return;
  if (hosts.length > 0)
    throw new AccountUnusable(
      `the ${kind} ${name} leads to ${host}, and ${ALLOWED_HOSTS} allows ${hosts.join(', ')} only, so its credentials are not sent`,
      'Correct baseURL of the account, or the variable.',
    );
  if (status?.identity === identity) return;
  throw new AccountUnusable(
    `no operator has verified the credentials of the ${kind} ${name} at ${host} yet, so they are not sent there`,
    `Wait until the account is Ready: \`edgeline explain ${kind.toLowerCase()}/${name}\` says what it waits for. Where no operator runs, and ${host} is the service: ${ALLOWED_HOSTS}=${host} says so.`,
  );
}
