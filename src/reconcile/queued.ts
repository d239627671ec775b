import { timestamp } from '../kubernetes/objects.ts';
import type { AccountSession } from './account.ts';
import type { Hold } from './kind.ts';
import { CommonReason } from './verdict.ts';

/** How much of an hour is used, as a clause. More than there may be counts as sent where a limit was lowered, or after a restart. */
export function usedOfHour(used: number, limit: number): string {
  const requests = 'web acceleration requests of an hour';
  if (used <= limit) return `${used} of the ${limit} ${requests} are used`;
  return `all ${limit} ${requests} are used (${used} count as sent, from before the limit was lowered or the operator restarted)`;
}

/** Says that a read waits for the hour, where the account has used up what of it is not kept for changes. */
export function holdForHour({ used, limit, resetsAt }: ReturnType<AccountSession['webAccelBudget']>): Hold | undefined {
  if (used < limit - Math.floor(limit / 10)) return undefined;
  const rest = used < limit ? ', and the rest is kept for changes' : '';
  const when = resetsAt === undefined ? '' : ` It goes on from ${timestamp(resetsAt)} on.`;
  return {
    kind: 'Waiting',
    reason: CommonReason.Queued,
    message: `Waiting for its turn in the account: ${usedOfHour(used, limit)}${rest}.${when}`,
    isProgress: true,
    keepsReady: true,
  };
}
