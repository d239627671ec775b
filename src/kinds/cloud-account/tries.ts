import type { Clock } from '../../clock.ts';
import type { Hold } from '../../reconcile/plan.ts';
import { type ObjectKey, parseKey } from '../../reconcile/reconciler.ts';
import { AccountReason } from './reasons.ts';

/** So many tries may be refused in so long before others have to wait. Milliseconds. */
const MANY = 6;
const PERIOD_MILLISECONDS = 60_000;
/** Whoever does not come when it is its turn is left out after this long. Milliseconds. */
const LATE_MILLISECONDS = 30_000;

/** Who may try credentials of a token that others have the secret of. */
export interface Tries {
  /** How long to wait for a try; 0 when it may be made now. Milliseconds. */
  wait(account: ObjectKey): number;
  /** A try was refused: only these count, for those who have the right secret, however many, have not to wait. */
  refused(): void;
  drop(account: ObjectKey): void;
}

/**
 * Namespaces take turns, and in each who came first is first; an account has one place in the line, however often its Secret
 * changes, and a namespace with hundreds of them keeps no other waiting for more than one at a time.
 */
export function createTries(clock: Clock): Tries {
  const made: number[] = [];
  /** Who waits, and until when (monotonic) its place is kept. */
  const line = new Map<ObjectKey, number>();

  /** How long until the place in the line has a try. */
  function waitOf(place: number, now: number): number {
    const behind = place - (MANY - made.length);
    if (behind < 0) return 0;
    const freed = made[made.length - MANY + (behind % MANY)] ?? now;
    return freed + PERIOD_MILLISECONDS * (1 + Math.floor(behind / MANY)) - now;
  }

  return {
    wait(account) {
      const now = clock.monotonic();
      while (made[0] !== undefined && made[0] + PERIOD_MILLISECONDS <= now) made.shift();
      for (const [other, until] of line) if (other !== account && until < now) line.delete(other);
      if (!line.has(account)) line.set(account, now);
      const wait = waitOf(inTurn([...line.keys()]).indexOf(account), now);
      if (wait > 0) {
        line.set(account, now + wait + LATE_MILLISECONDS);
        return wait;
      }
      line.delete(account);
      return 0;
    },
    refused: () => void made.push(clock.monotonic()),
    drop: (account) => void line.delete(account),
  };
}

/** The same, one of each namespace after the other. Pure. */
function inTurn(accounts: readonly ObjectKey[]): ObjectKey[] {
  const places = new Map<string, number>();
  return accounts
    .map((account) => {
      const { namespace } = parseKey(account);
      const place = places.get(namespace) ?? 0;
      places.set(namespace, place + 1);
      return { account, place };
    })
    .toSorted((a, b) => a.place - b.place)
    .map(({ account }) => account);
}

/** Why credentials are not tried yet. */
export function holdTrying(wait: number): Hold<AccountReason> {
  return {
    state: 'Waiting',
    reason: AccountReason.AccountNotReady,
    message:
      'Other accounts with the same access token are in use, and several secrets were refused recently: others are tried at most six times a minute. These wait for their turn; nothing needs to be done.',
    retryAfterSeconds: Math.ceil(wait / 1000),
  };
}
