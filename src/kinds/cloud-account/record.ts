import type { RestoredBudget } from '../../cloud/limiter/limiter.ts';
import type { OpenSession } from './members.ts';
import type { Account } from './schema.ts';

/**
 * What an earlier process put on record of the hour, as far as it counts: for who has the token's secret, and for the
 * account at the service of which it was written. What an account used at another service, or says to have used of a token
 * that it only names, must not use up the hour of others. `isSameAccount`: another token, but found to be of the account
 * it was written of. Pure.
 */
export function recordOf(
  { status }: Account,
  session: Pick<OpenSession, 'verified' | 'identity' | 'digest'>,
  isSameAccount: boolean,
): RestoredBudget | undefined {
  const { budget, identity } = status ?? {};
  if (!budget || !session.verified) return undefined;
  // Older versions wrote no identity.
  const isOfIt = identity === undefined || identity === session.digest(session.identity) || isSameAccount;
  if (!isOfIt) return undefined;
  // The time is written in whole seconds, so it may have been almost one later.
  return { used: budget.used, reserved: budget.reserved ?? 0, at: Date.parse(budget.recordedAt) + 1000 };
}
