import type { Clock } from '../clock.ts';
import type { LeaseElector } from '../kubernetes/lease.ts';
import type { Informers } from './informers.ts';

/** What others that acted before this process may have left under way at the service. */
export interface Earlier {
  /** Until when they may have sent something for what is in the namespace, monotonic milliseconds; undefined: there were none. */
  actedUntil(namespace: string): number | undefined;
  /** From now on this process acts, and no other. Call it before any Lease of a namespace is taken. */
  end(): void;
  /** Another installation had the namespace until now. */
  tookOver(namespace: string): void;
}

/** Whoever acted held Leases, and those stay: the one it was elected by, and one in each namespace. */
export function createEarlier(options: {
  readonly holders: Pick<Informers['holders'], 'size'>;
  readonly elector: Pick<LeaseElector, 'hadHolder'> | undefined;
  readonly clock: Pick<Clock, 'monotonic'>;
}): Earlier {
  const { holders, elector, clock } = options;
  let until: number | undefined;
  const untilIn = new Map<string, number>();
  return {
    actedUntil: (namespace) => untilIn.get(namespace) ?? until,
    end() {
      if (holders.size > 0 || elector?.hadHolder() === true) until = clock.monotonic();
    },
    tookOver: (namespace) => void untilIn.set(namespace, clock.monotonic()),
  };
}
