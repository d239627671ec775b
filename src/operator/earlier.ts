import type { Clock } from '../clock.ts';
import type { LeaseElector } from '../kubernetes/lease.ts';
import type { Informers } from './informers.ts';

/** What processes that acted in this cluster before this one may have left under way at the service. */
export interface Earlier {
  /** Until when they may have sent something, monotonic milliseconds; undefined: there were none. */
  actedUntil(): number | undefined;
  /** From now on this process acts, and no other. Call it before any Lease of a namespace is taken. */
  end(): void;
}

/** Whoever acted held Leases, and those stay: the one it was elected by, and one in each namespace. */
export function createEarlier(options: {
  readonly holders: Pick<Informers['holders'], 'size'>;
  readonly elector: Pick<LeaseElector, 'hadHolder'> | undefined;
  readonly clock: Pick<Clock, 'monotonic'>;
}): Earlier {
  const { holders, elector, clock } = options;
  let until: number | undefined;
  return {
    actedUntil: () => until,
    end() {
      if (holders.size > 0 || elector?.hadHolder() === true) until = clock.monotonic();
    },
  };
}
