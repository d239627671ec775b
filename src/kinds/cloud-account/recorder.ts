import type { Clock } from '../../clock.ts';
import { parseKey } from '../../reconcile/reconciler.ts';
import { REFRESH_MILLISECONDS } from './status.ts';

/**
 * So many accounts record the hour at the same time, each of another namespace: whoever may put back what one has on record,
 * from a backup or by hand, has the next process count no less.
 */
const KEEPERS = 3;
/** Who has not done so within this time is replaced, by any that can. Milliseconds. */
const RECORDING_MILLISECONDS = 1000;

/**
 * Which of the accounts that share an hour put it on record: one record covers the requests of all, and one in each of many
 * accounts, for each few requests, would be most of what the cluster does.
 */
export interface Recorder {
  /** Requests wait for a record. */
  wanted(): void;
  /** Whether the account (key) is to have the hour on record each time, and not only once a minute. */
  isKeeper(account: string): boolean;
  /** The hour is on record in the account's status, as it is now. */
  recorded(account: string): void;
}

export function createRecorder(options: {
  readonly clock: Pick<Clock, 'after' | 'monotonic'>;
  /** The accounts (keys) that may put the hour on record. */
  readonly accounts: () => string[];
  readonly onRecordWanted: (accounts: string[]) => void;
  readonly onUntold: (accounts: string[]) => void;
}): Recorder {
  const { clock, accounts, onRecordWanted, onUntold } = options;
  const keepers = new Set<string>();
  /** Since when keepers are asked that have not done it yet. Monotonic milliseconds. */
  const asked = new Map<string, number>();
  let isToBeShown = false;
  let isWatched = false;

  const namespacesOf = (all: Iterable<string>) => new Set([...all].map((account) => parseKey(account).namespace));
  /** Whether there are as few as can be made more, by one of this account. */
  const isToJoin = (account: string) =>
    keepers.size < KEEPERS && !namespacesOf(keepers).has(parseKey(account).namespace);

  function drop(account: string): void {
    keepers.delete(account);
    asked.delete(account);
  }

  /** Those that keep it, and, where there are too few, those that may. */
  function ask(): void {
    onRecordWanted([...keepers, ...accounts().filter((account) => !keepers.has(account) && isToJoin(account))]);
  }

  function watch(): void {
    if (isWatched) return;
    isWatched = true;
    clock.after(RECORDING_MILLISECONDS, () => {
      isWatched = false;
      const late = [...asked].filter(([, since]) => clock.monotonic() - since >= RECORDING_MILLISECONDS);
      for (const [account] of late) drop(account);
      if (asked.size > 0) watch();
      if (late.length > 0) ask();
    });
  }

  return {
    wanted() {
      const all = accounts();
      for (const account of keepers) if (!all.includes(account)) drop(account);
      for (const account of keepers) asked.set(account, asked.get(account) ?? clock.monotonic());
      ask();
      if (all.length > 1) watch();
    },

    // One alone records what is wanted, and nothing needs to be there twice.
    isKeeper: (account) => accounts().length > 1 && (keepers.has(account) || isToJoin(account)),

    recorded(account) {
      if (isToJoin(account)) keepers.add(account);
      asked.delete(account);
      if (isToBeShown || accounts().length <= keepers.size) return;
      isToBeShown = true;
      clock.after(REFRESH_MILLISECONDS, () => {
        isToBeShown = false;
        onUntold(accounts());
      });
    },
  };
}
