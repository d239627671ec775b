/** Of the requests that may go, lists take so much; the rest is for what those do who wait for a list. */
const SHARE = 1 / 10;
/** The same of this process's time: a fleet of ten thousand is made as fast as one of a thousand. */
const SHARE_OF_TIME = 1 / 20;
/** So many lists in a row cost no waiting: a single change takes two or three. */
const AT_ONCE = 3;

/** How often a list may be taken for what is new alone, so that a stream of that leaves requests for what it does. */
export interface Spending {
  /**
   * A request of a list that something new waits for, too, was sent at `now`, in monotonic milliseconds, where so many a second
   * may go and a list takes so many. However many lists others have taken, the next is not held up for more than one.
   */
  sent(perSecond: number, requests: number, now: number): void;
  /**
   * What a list showed of so many requests took so long to read, in milliseconds of this process: with a long list the time
   * is scarcer than the requests.
   */
  read(milliseconds: number, requests: number): void;
  /** Monotonic milliseconds from which the next list may begin, if it takes so many requests. */
  openAt(requests: number): number;
}

/** However long a list is, and however few requests may go, whoever waits gets one within `longest` milliseconds. */
export function createSpending(longest: number): Spending {
  /** When all requests that were sent are paid for, at the shares. Monotonic milliseconds. */
  let paidAt = Number.NEGATIVE_INFINITY;
  let sentAt = Number.NEGATIVE_INFINITY;
  let price = 0;
  /** To read what a request shows. Milliseconds. */
  let reading = 0;
  return {
    read(milliseconds, requests) {
      reading = milliseconds / requests;
    },
    sent(perSecond, requests, now) {
      price = Math.max(1000 / perSecond / SHARE, reading / SHARE_OF_TIME);
      paidAt = Math.min(Math.max(paidAt, now) + price, now + AT_ONCE * requests * price);
      sentAt = now;
    },
    openAt: (requests) => Math.min(paidAt - (AT_ONCE - 1) * requests * price, sentAt + longest),
  };
}
