import { timestamp } from '../kubernetes/objects.ts';
import type { AccountSession } from './account.ts';
import type { Hold } from './kind.ts';
import { CommonReason } from './verdict.ts';

/** Says that a read waits for the hour, where the account has used up what of it is not kept for changes. */
export function holdForHour({ used, limit, resetsAt }: ReturnType<AccountSession['webAccelBudget']>): Hold | undefined {
  if (used < limit - Math.floor(limit / 10)) return undefined;
  const rest = used < limit ? ', and the rest is kept for changes' : '';
  const when = resetsAt === undefined ? '' : ` It goes on from ${timestamp(resetsAt)} on.`;
  return {
    kind: 'Waiting',
    reason: CommonReason.Queued,
    message: `Waiting for its turn: the account has used ${used} of the ${limit} web acceleration requests of an hour${rest}.${when}`,
    isProgress: true,
    keepsReady: true,
  };
}
