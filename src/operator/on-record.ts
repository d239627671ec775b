import type { Clock } from '../clock.ts';
import type { AccountRegistry, OpenSession } from '../kinds/cloud-account/registry.ts';
import type { AccountUsers } from '../kinds/cloud-account/users.ts';
import type { ManagedObjects } from '../kinds/index.ts';
import type { ClusterTime } from '../kubernetes/cluster-time.ts';
import { ownFinalizer } from '../reconcile/finalizer.ts';
import { type ManagedKindName, managedKindNames } from '../reconcile/kind-names.ts';
import type { ManagedObject } from '../reconcile/managed-object.ts';
import type { ObjectKey } from '../reconcile/reconciler.ts';
import type { Sealer } from '../reconcile/seal.ts';
import type { AccountSession } from '../reconcile/session.ts';
import type { Informers } from './informers.ts';
import { kinds } from './kinds.ts';
import type { RecordSeals } from './record-seals.ts';
import type { Part, RecordedIn } from './recorded.ts';

/**
 * What is compared with the lists: all on record; the same without what this process has deleted; or what the lists are due
 * to show, for what was made a moment ago they may not show yet.
 */
export type Counted = 'all' | 'kept' | 'due';

/** The operator has let go of it: what it had may be gone, and it stays for somebody else's finalizer. */
export function isOver(object: ManagedObject): boolean {
  return object.metadata.deletionTimestamp !== undefined && ownFinalizer(object) === undefined;
}

/** Tells what resources have on record in an account at the service, list by list. */
export function createOnRecord(options: {
  readonly informers: Pick<Informers, 'of'>;
  readonly registry: Pick<AccountRegistry, 'get' | 'accountsOf'>;
  readonly users: Pick<AccountUsers, 'accountOf'>;
  readonly seals: RecordSeals;
  readonly clock: Clock;
  readonly time: Pick<ClusterTime, 'earliest'>;
  /** So long what was made may be missing from lists. Milliseconds. */
  readonly shownMilliseconds: number;
}) {
  const { informers, registry, users, seals, clock, time, shownMilliseconds } = options;

  /** One with the secret of the token: all that have it are alike. */
  function verifiedOf(identity: string): OpenSession | undefined {
    return registry
      .accountsOf(identity)
      .flatMap((account) => registry.get(account) ?? [])
      .find(({ verified }) => verified);
  }

  /** Who seals what is on record of its account. */
  function sealerOf(session: AccountSession): Sealer {
    return verifiedOf(session.identity) ?? session;
  }

  /**
   * Whether it was made so shortly before a list was asked for, or after, that the list may lack it. The list may be the last
   * of before a pause. A clock that was set since, by an hour say, makes nothing new that is not, and nothing old.
   */
  function isNew({ status }: ManagedObject, listedAt: number): boolean {
    // Of what was found after its answer got lost only the service tells when it was made.
    const age = time.earliest() - Date.parse(status?.creationAnsweredAt ?? status?.createdAt ?? '');
    const ageWhenListed = age - (clock.monotonic() - listedAt);
    return ageWhenListed < shownMilliseconds && age > -shownMilliseconds;
  }

  /** What resources of the accounts (by key) that are meant have on record. */
  function partsOf(session: AccountSession, isMeant: (account: ObjectKey) => boolean, counted: Counted): Part[] {
    const sealer = sealerOf(session);
    function partsIn<K extends ManagedKindName>(kind: K, objects: readonly ManagedObjects[K][]): Part[] {
      const entry: { readonly recorded: RecordedIn<ManagedObjects[K]> } = kinds[kind];
      const members = objects.filter((object) => {
        const id = object.status?.id;
        if (id === undefined || isOver(object)) return false;
        // Of an account whose access is new no seal can be told with that; else anybody may have written it, of what never was.
        const counts = counted === 'all' || (seals.isSealed(object, sealer) && !session.wasDeleted(id));
        return counts && isMeant(users.accountOf(object));
      });
      return entry.recorded.partsOf(
        counted === 'all' ? members : seals.lastHolders(members, sealer),
        session,
        (object, listedAt) => counted === 'due' && isNew(object, listedAt),
      );
    }
    return managedKindNames.flatMap((kind) => partsIn(kind, informers.of[kind].list()));
  }

  return { verifiedOf, sealerOf, partsOf };
}
