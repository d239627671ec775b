import type { Clock } from '../../clock.ts';
import type { Limiter } from '../../cloud/limiter/limiter.ts';
import { parseKey } from '../../reconcile/reconciler.ts';
import { REFRESH_MILLISECONDS } from './status.ts';

/**
 * So many accounts record the hour at the same time, each of another namespace: whoever may put back what one has on record,
 * from a backup or by hand, has the next process count no less.
 */
const KEEPERS = 3;
/** Where none of them does so within this time, any account does. Milliseconds. */
const RECORDING_MILLISECONDS = 1000;
/** One that has not done so for this long, though it was asked to, is replaced. Milliseconds. */
const FAILING_MILLISECONDS = 5000;

/**
 * Which of the accounts that share an hour put it on record: one record covers the requests of all, and one in each of many
 * accounts, for each few requests, would be most of what the cluster does.
 */
export interface Recorder {
  /** Requests wait for a record. */
  wanted(): void;
  /** Whether the account (key) has the hour on record each time, and not only once a minute. */
  isKeeper(account: string): boolean;
  /** The hour is on record in the account's status, as it is now. */
  recorded(account: string): void;
}

export function createRecorder(options: {
  readonly clock: Pick<Clock, 'after' | 'monotonic'>;
  readonly limiter: Pick<Limiter, 'wantsRecord'>;
  /** The accounts (keys) that may put the hour on record. */
  readonly accounts: () => string[];
  readonly onRecordWanted: (accounts: string[]) => void;
  readonly onUntold: (accounts: string[]) => void;
}): Recorder {
  const { clock, limiter, accounts, onRecordWanted, onUntold } = options;
  /** By account, since when it is asked in vain; undefined: it has done what it was asked for. */
  const keepers = new Map<string, number | undefined>();
  let isToBeShown = false;

  /** Those that keep the record, without who is gone or can't. */
  function able(all: readonly string[]): string[] {
    for (const [account, since] of keepers) {
      const isFailing = since !== undefined && clock.monotonic() - since > FAILING_MILLISECONDS;
      if (isFailing || !all.includes(account)) keepers.delete(account);
    }
    return [...keepers.keys()];
  }

  const namespacesOf = (all: Iterable<string>) => new Set([...all].map((account) => parseKey(account).namespace));

  return {
    wanted() {
      const all = accounts();
      const found = able(all);
      for (const account of found) keepers.set(account, keepers.get(account) ?? clock.monotonic());
      const isEnough = found.length >= Math.min(KEEPERS, namespacesOf(all).size);
      onRecordWanted(isEnough ? found : all);
      if (!isEnough || found.length === all.length) return;
      clock.after(RECORDING_MILLISECONDS, () => {
        if (limiter.wantsRecord()) onRecordWanted(accounts());
      });
    },

    isKeeper: (account) => keepers.has(account),

    recorded(account) {
      const isOfAnother = !namespacesOf(keepers.keys()).has(parseKey(account).namespace);
      if (keepers.has(account) || (keepers.size < KEEPERS && isOfAnother)) keepers.set(account, undefined);
      if (isToBeShown || accounts().length <= keepers.size) return;
      isToBeShown = true;
      clock.after(REFRESH_MILLISECONDS, () => {
        isToBeShown = false;
        onUntold(accounts());
      });
    },
  };
}
