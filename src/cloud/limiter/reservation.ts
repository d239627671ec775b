/** How long a record covers what is sent after it. Milliseconds. */
export const RESERVATION_VALID_MILLISECONDS = 5 * 60_000;

/** Beside those that wait: few, because a process that crashes leaves as many counted as sent. */
export const SPARE_REQUESTS = 2;
const MOST_REQUESTS = 40;

/**
 * Leave to send requests before they are on record. Each record says how many were sent and how many more may follow it,
 * so that after a crash the two together are never less than what really went out.
 */
export interface Reservation {
  /** How many more requests are covered by what is on record. */
  remaining(now: number): number;
  /** Whether one more request is covered by what is on record. */
  isOpen(now: number): boolean;
  /** Whether what is on record has one more, however old it is: the next process counts what it covered for longer. */
  hasLeft(): boolean;
  taken(): void;
  /** Whether it is time for another record: somebody waits for one, or soon would. */
  isShort(): boolean;
  /** What is on record covers nothing any more. */
  forget(): void;
  /** Somebody waits for a record. */
  missed(): void;
  /**
   * What to put on record with the requests sent by now, for so many that wait and may soon, and as long as the hour has room for
   * them; `confirm` once it is stored. Until then no more go than both this record and the one before it cover.
   */
  offer(
    now: number,
    of: { waiting: number; spare: number; room: number },
  ): { readonly reserved: number; confirm(): void };
}

/** Times are monotonic milliseconds. `onShort` is called when a record is wanted, once until the next one is offered. */
export function createReservation(onShort: () => void): Reservation {
  let granted = 0;
  let allowed = 0;
  let validUntil = Number.NEGATIVE_INFINITY;
  let size = SPARE_REQUESTS;
  let asked = false;
  /** Offers that are not stored yet, as far as known: another may be stored over them, and what covers less counts. */
  const open = new Set<{ upTo: number; readonly until: number }>();

  const remaining = (now: number) => (now <= validUntil ? Math.max(0, allowed - granted) : 0);

  function ask(): void {
    if (asked) return;
    asked = true;
    onShort();
  }

  return {
    remaining,
    isOpen: (now) => remaining(now) > 0,
    hasLeft: () => allowed > granted,
    taken() {
      granted++;
      if (allowed - granted < size / 2) ask();
    },
    isShort: () => asked,
    forget() {
      allowed = granted;
      open.clear();
      asked = false;
    },
    missed: ask,
    offer(now, { waiting, spare, room }) {
      size = Math.max(0, Math.min(MOST_REQUESTS, waiting + spare, room));
      const upTo = granted + size;
      allowed = Math.min(allowed, upTo);
      for (const one of open) {
        if (one.until < now) open.delete(one);
        else one.upTo = Math.min(one.upTo, upTo);
      }
      const offered = { upTo, until: now + RESERVATION_VALID_MILLISECONDS };
      open.add(offered);
      return {
        reserved: size,
        confirm() {
          if (!open.delete(offered)) return;
          asked = false;
          allowed = Math.max(allowed, offered.upTo);
          validUntil = Math.max(validUntil, offered.until);
        },
      };
    },
  };
}
