import { createTurns, type DetailRate, requestsPerHour } from '../kinds/common/turns.ts';
import type { ManagedObject } from '../reconcile/kind.ts';
import type { ManagedReconciler } from '../reconcile/managed.ts';
import { keyOf } from '../reconcile/reconciler.ts';
import type { Wiring } from './wiring.ts';

/** Has details read in turn; see {@link createDetailTurns}. */
export interface DetailTurns<T extends ManagedObject> {
  /** Asks for those of these objects whose turn it is. */
  take(objects: readonly T[]): void;
  /** Drops what is known of a resource that is gone. */
  forget(uid: string): void;
}

/**
 * Has details of a kind's objects read in turn, at the rate that each account of the service can spare. Accounts that are
 * one at the service share it, as they share its limits.
 */
export function createDetailTurns<T extends ManagedObject>(
  wiring: Pick<Wiring, 'registry' | 'users' | 'clock' | 'random' | 'enqueue' | 'detailPace'>,
  options: {
    readonly reconciler: () => ManagedReconciler;
    readonly rate: DetailRate;
    readonly requests: (dialect: 'Documented' | 'Extended') => number;
    /** No object is read more often. Milliseconds; default: as often as turns are taken. */
    readonly least?: number;
  },
): DetailTurns<T> {
  const { registry, users, clock, random, enqueue, detailPace } = wiring;
  const turns = createTurns(random);
  const sessionOf = (object: T) => registry.get(users.accountOf(object));

  return {
    forget: turns.forget,
    take(objects) {
      const reconciler = options.reconciler();
      for (const [identity, all] of Map.groupBy(objects, (object) => sessionOf(object)?.identity)) {
        const session = all[0] && sessionOf(all[0]);
        if (identity === undefined || !session?.verified) continue;
        const due = turns.due(identity, all, {
          now: clock.monotonic(),
          least: (options.least ?? 0) / detailPace,
          perHour: (total) => requestsPerHour(options.rate, session.limiter.limits(), total) * detailPace,
          requestsFor: () => options.requests(session.dialect),
        });
        for (const { metadata } of due) {
          const key = keyOf(reconciler.kind, metadata);
          reconciler.audit(key);
          enqueue(key, 'resync');
        }
      }
    },
  };
}
