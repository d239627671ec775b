import type { DialectName } from '../cloud/dialect.ts';
import { createTurns, type DetailRate, requestsPerHour } from '../kinds/common/turns.ts';
import type { AccountResolver } from '../reconcile/account.ts';
import { Annotation, isSet } from '../reconcile/annotations.ts';
import type { ManagedReconciler } from '../reconcile/managed.ts';
import type { ManagedObject } from '../reconcile/managed-object.ts';
import { keyOf } from '../reconcile/reconciler.ts';
import type { AccountSession } from '../reconcile/session.ts';
import type { Holders } from './holders.ts';
import type { Wiring } from './wiring.ts';

/** Has details read in turn; see {@link createDetailTurns}. */
export interface DetailTurns<T extends ManagedObject> {
  /** Asks for those of these objects whose turn it is. */
  take(objects: readonly T[]): void;
  /** Drops what is known of a resource that is gone. */
  forget(uid: string): void;
}

/** Whether anything may be read for an object now: neither it nor its account is paused, and the account can be used. */
export function mayBeRead(accounts: AccountResolver, object: ManagedObject): boolean {
  const { metadata, spec, status } = object;
  const given = [metadata.namespace ?? '', spec, status?.accountRef] as const;
  if (isSet(object, Annotation.abandon) || accounts.pausedBy(...given) !== undefined) return false;
  return 'session' in accounts.resolve(...given);
}

/**
 * Has details of a kind's objects read in turn, at the rate that each account of the service can spare. Accounts that are
 * one at the service share it, as they share its limits; what nothing is read for, as it is paused, its account can't be
 * used, or what its status names is not its own, takes no turn of others.
 */
export function createDetailTurns<T extends ManagedObject>(
  wiring: Pick<Wiring, 'engine' | 'registry' | 'users' | 'clock' | 'random' | 'detailPace'>,
  options: {
    readonly holders: Holders<T>;
    /** Called for each object whose turn it is. */
    readonly read: (object: T, session: AccountSession) => void;
    readonly rate: DetailRate;
    readonly requests: (dialect: DialectName) => number;
    /** No object is read more often. Milliseconds; default: as often as turns are taken. */
    readonly least?: number;
    /** What this process knows of what is read here, of the object with an ID. */
    readonly known?: (object: T, id: string) => { readonly at: number } | undefined;
  },
): DetailTurns<T> {
  const { engine, registry, users, clock, random, detailPace } = wiring;
  const turns = createTurns(random);
  const sessionOf = (object: T) => registry.get(users.accountOf(object));
  function isReadable(object: T): boolean {
    const session = mayBeRead(engine.accounts, object) ? sessionOf(object) : undefined;
    return session !== undefined && options.holders.has(object, session);
  }

  return {
    forget: turns.forget,
    take(objects) {
      for (const [identity, all] of Map.groupBy(objects.filter(isReadable), (object) => sessionOf(object)?.identity)) {
        const session = all[0] && sessionOf(all[0]);
        if (identity === undefined || !session) continue;
        const due = turns.due(identity, all, {
          now: clock.monotonic(),
          least: (options.least ?? 0) / detailPace,
          knownAt: (object) =>
            object.status?.id === undefined ? undefined : options.known?.(object, object.status.id)?.at,
          perHour: (total) => requestsPerHour(options.rate, session.limiter.limits(), total) * detailPace,
          requestsFor: () => options.requests(session.dialect),
        });
        for (const object of due) options.read(object, session);
      }
    },
  };
}

/** Has a pass look at all of an object. `reconciler`: of its kind. */
export function lookAtAll(
  { enqueue }: Pick<Wiring, 'enqueue'>,
  reconciler: () => ManagedReconciler,
): ({ metadata }: ManagedObject) => void {
  return ({ metadata }) => {
    const key = keyOf(reconciler().kind, metadata);
    reconciler().audit(key);
    enqueue(key, 'resync');
  };
}
