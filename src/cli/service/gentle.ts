import type { Clock } from '../../clock.ts';
import type { Permit } from '../../cloud/limiter/gate.ts';
import type { Api } from '../../cloud/limiter/lanes.ts';
import { createLimiter, type Limiter } from '../../cloud/limiter/limiter.ts';
import type { Claim, Claims } from './claims.ts';
import { HourRefused, ServicePaused } from './errors.ts';

/** A second's worth of what an account may send is the operator's: a command takes no more than this of it. */
const CLOUD_REQUESTS_PER_SECOND = 3;
const CLOUD_CONCURRENCY = 2;
/** Whoever waits at a terminal does not wait longer because the service asks for it. Seconds. */
const LONGEST_PAUSE_SECONDS = 60;

/** How many web acceleration requests a command has asked for and sent, and how many it may. */
export interface Usage {
  readonly claimed: number;
  readonly sent: number;
  readonly most: number;
}

/** What a command's requests wait for. */
export interface GentleLimiter extends Pick<Limiter, 'acquire' | 'throttled' | 'overloaded'> {
  /**
   * Sees to it that so many web acceleration requests may follow.
   * @throws HourRefused when they are more than `most` altogether, or the hour has no room
   */
  reserve(requests: number): Promise<void>;
  usage(): Usage;
}

/** Sends what the limits of an account allow beside the operator: web acceleration only what was claimed before. */
export function createGentleLimiter(options: {
  readonly clock: Clock;
  readonly cloudRequestsPerSecond: number;
  readonly claims: Pick<Claims, 'claim'>;
  /** Web acceleration requests, at most. */
  readonly most: number;
  /** The service asked for a pause of so many seconds. */
  readonly onPause: (seconds: number) => void;
}): GentleLimiter {
  const { clock, claims, most, onPause } = options;
  const inner = createLimiter({
    clock,
    limits: {
      // What is claimed is what counts: here it is for the time between any two.
      webAccelRequestsPerHour: most,
      webAccelReservedForWrites: 0,
      cloudRequestsPerSecond: Math.min(CLOUD_REQUESTS_PER_SECOND, options.cloudRequestsPerSecond),
      cloudConcurrency: CLOUD_CONCURRENCY,
    },
  });
  let current: { readonly claim: Claim; left: number } | undefined;
  let claimed = 0;
  let sent = 0;
  const closed = new Map<Api, ServicePaused>();
  let claiming: Promise<void> = Promise.resolve();

  const left = () => (current?.claim.isOpen() ? current.left : 0);

  async function claimMore(requests: number): Promise<void> {
    refuseClosed('webaccel');
    const missing = requests - left();
    if (missing <= 0) return;
    if (claimed + missing > most) throw tooMany(claimed + missing, most);
    const kept = left();
    claimed += missing;
    const claim = await claims.claim(missing);
    // What is left of the one before is as old as that: it ends with it.
    const before = kept > 0 ? current?.claim : undefined;
    const isOpen = () => claim.isOpen() && (before?.isOpen() ?? true);
    current = { claim: { requests: missing + kept, isOpen }, left: missing + kept };
  }

  function refuseClosed(api: Api): void {
    const error = closed.get(api);
    if (error) throw error;
  }

  /** One at a time: each sees what the one before left. */
  function reserve(requests: number): Promise<void> {
    const next = claiming.catch(() => undefined).then(() => claimMore(requests));
    claiming = next.catch(() => undefined);
    return next;
  }

  async function acquireClaimed(...args: Parameters<Limiter['acquire']>): Promise<Permit> {
    await reserve(1);
    const taken = current;
    if (!taken || taken.left === 0) return acquireClaimed(...args);
    taken.left--;
    let isSent = false;
    let isOver = false;
    const giveBack = () => {
      if (!isSent && !isOver) taken.left++;
      isOver = true;
    };
    try {
      const permit = await inner.acquire(...args);
      return {
        sent(tells) {
          if (isSent) return;
          // The connection may have taken its time.
          if (!taken.claim.isOpen()) throw tooLate();
          permit.sent(tells);
          isSent = true;
          sent++;
        },
        release(isAnswered) {
          giveBack();
          permit.release(isAnswered);
        },
      };
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  return {
    reserve,
    usage: () => ({ claimed, sent, most }),
    async acquire(api, ...rest) {
      if (api === 'webaccel') return acquireClaimed(api, ...rest);
      refuseClosed(api);
      return inner.acquire(api, ...rest);
    },
    throttled(api, seconds = 1) {
      // What is tried again of the hour is gone from it.
      if (api === 'webaccel' || seconds > LONGEST_PAUSE_SECONDS) closed.set(api, throttled(api, seconds));
      else onPause(seconds);
      inner.throttled(api, seconds);
    },
    overloaded: inner.overloaded,
  };
}

function tooMany(requests: number, most: number): HourRefused {
  return new HourRefused(
    `it would take ${requests} requests of web acceleration's hour, and ${most} are allowed`,
    `Allow more with --max-requests ${requests}, or ask for less.`,
  );
}

function throttled(api: Api, seconds: number): ServicePaused {
  return new ServicePaused(
    `the service wants fewer ${api === 'webaccel' ? 'web acceleration ' : ''}requests, so no more are sent`,
    `Try again in ${Math.max(seconds, LONGEST_PAUSE_SECONDS)} seconds.`,
  );
}

function tooLate(): HourRefused {
  return new HourRefused('the time for requests that were asked for is over', 'Try again.');
}
