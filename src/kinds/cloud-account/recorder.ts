import type { Clock } from '../../clock.ts';
import type { Limiter } from '../../cloud/limiter/limiter.ts';
import { REFRESH_MILLISECONDS } from './status.ts';

/** Where the hour is not put on record in the one account's status for so long, any of them does it. Milliseconds. */
const RECORDING_MILLISECONDS = 1000;

/**
 * Which of the accounts that share an hour put it on record: one record covers the requests of all, and one in each of many
 * accounts, for each few requests, would be most of what the cluster does.
 */
export interface Recorder {
  /** Requests wait for a record. */
  wanted(): void;
  /** The hour is on record in the account's status, as was wanted. */
  recorded(account: string): void;
}

export function createRecorder(options: {
  readonly clock: Pick<Clock, 'after'>;
  readonly limiter: Pick<Limiter, 'wantsRecord'>;
  /** The accounts (keys) that may put the hour on record. */
  readonly accounts: () => string[];
  readonly onRecordWanted: (accounts: string[]) => void;
  readonly onUntold: (accounts: string[]) => void;
}): Recorder {
  const { clock, limiter, accounts, onRecordWanted, onUntold } = options;
  /** The account that did it last: there it can be done. */
  let last: string | undefined;
  let isToBeShown = false;

  return {
    wanted() {
      const all = accounts();
      if (last === undefined || !all.includes(last)) return onRecordWanted(all);
      onRecordWanted([last]);
      if (all.length === 1) return;
      clock.after(RECORDING_MILLISECONDS, () => {
        if (limiter.wantsRecord()) onRecordWanted(accounts());
      });
    },

    recorded(account) {
      last = account;
      if (isToBeShown || accounts().length === 1) return;
      isToBeShown = true;
      clock.after(REFRESH_MILLISECONDS, () => {
        isToBeShown = false;
        onUntold(accounts());
      });
    },
  };
}
