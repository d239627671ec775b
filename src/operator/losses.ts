import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../clock.ts';
import {
  concerns,
  type Doubt,
  doubtOf,
  holdComparing,
  holdMissing,
  holdUncertain,
  holdUnlisted,
  isAccepted,
  type Losses,
  type Proposal,
  type Recorded,
} from '../kinds/cloud-account/losses.ts';
import type { AccountReason } from '../kinds/cloud-account/reasons.ts';
import type { AccountRegistry } from '../kinds/cloud-account/registry.ts';
import type { Account } from '../kinds/cloud-account/schema.ts';
import type { AccountUsers } from '../kinds/cloud-account/users.ts';
import type { ClusterTime } from '../kubernetes/cluster-time.ts';
import { timestamp } from '../kubernetes/objects.ts';
import { Annotation } from '../reconcile/annotations.ts';
import type { ManagedObject } from '../reconcile/managed-object.ts';
import type { Hold } from '../reconcile/plan.ts';
import { keyOf, type ObjectKey, parseKey } from '../reconcile/reconciler.ts';
import type { AccountSession } from '../reconcile/session.ts';
import { createBegunDeletions } from './begun-deletions.ts';
import type { Earlier } from './earlier.ts';
import type { Informers } from './informers.ts';
import { createMissed } from './missed.ts';
import { createNewAccess } from './new-access.ts';
import { type Counted, createOnRecord } from './on-record.ts';
import { createRecentLosses } from './recent-losses.ts';
import { createRecordSeals } from './record-seals.ts';
import type { Part } from './recorded.ts';
import { createSuspects } from './suspects.ts';

/** A look over a whole account is good for this long. Milliseconds. */
const FRESH_MILLISECONDS = 1000;
/** The time proposed for a person's word, and how long before it another is proposed. Milliseconds. */
const PROPOSED_MILLISECONDS = 24 * 3_600_000;
const RENEWED_MILLISECONDS = 3_600_000;
/** Watches over what resources have on record, account by account, from the lists that are polled anyway. */
export function createLosses(options: {
  readonly informers: Informers;
  readonly registry: Pick<AccountRegistry, 'get' | 'accountsOf' | 'onSim' | 'onGateway' | 'onSite'>;
  readonly users: AccountUsers;
  readonly clock: Clock;
  readonly time: Pick<ClusterTime, 'earliest' | 'latest'>;
  readonly earlierActedUntil: Earlier['actedUntil'];
  /** So long what was made may be missing from lists. Milliseconds. */
  readonly shownMilliseconds: number;
  /** Doubt about these accounts began or ended: they, and who uses them, are to be looked at. */
  readonly onChanged: (accounts: readonly ObjectKey[]) => void;
}): Losses {
  const { informers, registry, users, clock, onChanged } = options;
  /** The oldest first. Of an account whose token changes again and again there is any number, and each is as long as its record. */
  const looks = new Map<string, { readonly at: number; readonly recorded: readonly Recorded[] }>();
  const seals = createRecordSeals();
  const { verifiedOf, sealerOf, partsOf } = createOnRecord({ ...options, seals });
  const doubted = new Map<string, Doubt>();
  const proposals = new Map<ObjectKey, number>();
  const recentLosses = createRecentLosses({
    clock,
    accepts,
    isDoubted: (identity, key) => concerns(doubted.get(identity), parseKey(key).namespace),
  });
  const suspects = createSuspects(clock);
  const withoutBegunDeletions = createBegunDeletions({
    ...options,
    objectOf: managedOf,
    accountOf: (object) => objectOf(users.accountOf(object)),
  });
  const missed = createMissed({ objectOf: managedOf, users, recentLosses, clock, accepts });
  const newAccess = createNewAccess({
    ...options,
    seals,
    partsOf,
    objectOf,
    accepts,
    proposalFor,
    withoutBegunDeletions,
  });

  // What is shown again may end the doubt; many changes of one list are one look.
  let isPlanned = false;
  function lookAgain(): void {
    if (isPlanned || doubted.size === 0) return;
    isPlanned = true;
    queueMicrotask(() => {
      isPlanned = false;
      for (const identity of doubted.keys()) {
        looks.delete(identity);
        const session = registry.accountsOf(identity).flatMap((account) => registry.get(account) ?? [])[0];
        if (session) look(session);
        else {
          doubted.delete(identity);
          missed.forget(identity);
        }
      }
    });
  }
  registry.onSim(lookAgain);
  registry.onGateway(lookAgain);
  registry.onSite(lookAgain);

  function managedOf(key: ObjectKey): ManagedObject | undefined {
    const { kind, namespace, name } = parseKey(key);
    return informers.managed.get(kind)?.get(namespace, name);
  }

  function objectOf(account: ObjectKey): Account | undefined {
    const { kind, namespace, name } = parseKey(account);
    return kind === 'CloudAccount'
      ? informers.accounts.get(namespace, name)
      : informers.clusterAccounts?.get(undefined, name);
  }

  function accepts(account: ObjectKey): boolean {
    const annotation = objectOf(account)?.metadata.annotations?.[Annotation.acceptMissingUntil];
    return isAccepted(annotation, clock.now());
  }

  /**
   * Whether what the account's resources have on record is of that account at the service. After a start one account may
   * be verified before another, and what both have is lost all the same: that it was proven once, the status tells.
   */
  function isOf(identity: string, account: ObjectKey, verified: ReturnType<typeof verifiedOf>): boolean {
    const member = registry.get(account);
    if (member?.identity !== identity) return false;
    if (member.verified) return true;
    // A digest under a secret of its own proves nothing: whoever knows the token can write one.
    const recorded = objectOf(account)?.status?.identity;
    return recorded !== undefined && verified?.digest(identity) === recorded;
  }

  /** The time to propose: the same for a day, so that a status doesn't change because time goes by. */
  function proposalFor(account: ObjectKey): Proposal {
    const now = clock.now();
    let until = proposals.get(account);
    if (until === undefined || until - now < RENEWED_MILLISECONDS) until = now + PROPOSED_MILLISECONDS;
    proposals.set(account, until);
    return { account, until: timestamp(until) };
  }

  /**
   * What all accounts that are one at the service have on record, those apart whose loss was accepted. `since`: see
   * {@link Part}; lists that may have to wait for an hour are not waited for.
   */
  function recordOf(session: AccountSession, counted: Counted, since?: number): readonly Recorded[] {
    const { identity } = session;
    const verified = verifiedOf(identity);
    const meant = new Set(
      registry.accountsOf(identity).filter((one) => isOf(identity, one, verified) && !accepts(one)),
    );
    const parts = partsOf(session, (account) => meant.has(account), counted);
    return withoutBegunDeletions(
      recentLosses.among(
        identity,
        parts.flatMap((part) => part.recorded(part.isCostly ? undefined : since)),
      ),
    );
  }

  function look(session: AccountSession): readonly Recorded[] {
    const { identity } = session;
    const known = looks.get(identity);
    const at = clock.monotonic();
    if (known && at - known.at < FRESH_MILLISECONDS) return known.recorded;
    for (const one of suspects.takeLetGo(identity, missed.isHeld)) recentLosses.add(identity, one.key, one);
    missed.settle(identity, (id) => session.wasDeleted(id));
    let recorded = recordOf(session, 'due');
    let doubt = doubtOf(recorded);
    if (missed.note(identity, recorded, doubt)) {
      recorded = recordOf(session, 'due');
      doubt = doubtOf(recorded);
    }
    looks.delete(identity);
    looks.set(identity, { at, recorded });
    for (const [other, { at: before }] of looks) {
      if (at - before < FRESH_MILLISECONDS) break;
      looks.delete(other);
    }
    const before = doubted.get(identity);
    if (doubt === undefined) doubted.delete(identity);
    else doubted.set(identity, doubt);
    if (!isDeepStrictEqual(doubt, before)) onChanged(registry.accountsOf(identity));
    return recorded;
  }

  /** `of`: whom it is about, a resource or an account. */
  function doubt(account: ObjectKey, of: ObjectKey, session: AccountSession): Hold<AccountReason> | undefined {
    if (accepts(account)) return undefined;
    const changed = newAccess.hold(account, session, parseKey(account).kind);
    if (changed && changed !== holdComparing) return changed;
    const recorded = look(session);
    const found = doubted.get(session.identity);
    const { namespace } = parseKey(of);
    if (!concerns(found, namespace)) return undefined;
    return holdMissing({
      recorded,
      isNewAccess: false,
      isMissing: recorded.some(({ key, isThere }) => key === of && !isThere),
      namespace: found === 'all' ? undefined : namespace,
      proposal: proposalFor(account),
    });
  }

  /**
   * What is new is no loss yet, and what no list tells of that was taken since the loss was noticed may have gone with it:
   * neither proves that there are few. Until they are one or the other, nothing is made again.
   */
  function uncertainty(
    account: ObjectKey,
    namespace: string | undefined,
    session: AccountSession,
    { since, isFirst }: ReturnType<typeof suspects.notice>,
  ): Hold<AccountReason> | undefined {
    const recorded = recordOf(session, 'kept');
    const waited = clock.monotonic() - since;
    if (concerns(doubtOf(recorded), namespace)) return holdUncertain(recorded, waited);
    const open = recordOf(session, 'kept', since);
    if (!concerns(doubtOf(open), namespace)) return undefined;
    if (isFirst) askForLists(session, since);
    return holdUnlisted(open.length, waited, proposalFor(account));
  }

  /** The lists in which there is something on record. */
  function listsOf(session: AccountSession): readonly Part[] {
    const isOfIdentity = (account: ObjectKey) => registry.get(account)?.identity === session.identity;
    return partsOf(session, isOfIdentity, 'kept').filter((part) => !part.isCostly);
  }

  /** The next poll would do, too; a list that fails is taken by that. */
  function askForLists(session: AccountSession, since: number): void {
    for (const part of listsOf(session)) part.take(since).catch(() => undefined);
  }

  /** Why what was missing with many waits for a word: what became of the others went unseen. */
  function remains(object: ManagedObject, session: AccountSession): Hold<AccountReason> | undefined {
    const { identity } = session;
    const account = users.accountOf(object);
    const { namespace } = object.metadata;
    const key = keyOf(object.kind, object.metadata);
    if (accepts(account) || !missed.isOneOfMany(identity, object)) return undefined;
    // The last look may have been before there were lists.
    looks.delete(identity);
    const many = doubt(account, key, session);
    if (many) return many;
    if (listsOf(session).every((part) => part.isWhole())) missed.leave(identity, key);
    const recorded = look(session);
    const proposal = proposalFor(account);
    return holdMissing({ recorded, isNewAccess: false, isMissing: true, wereMore: true, namespace, proposal });
  }

  return {
    access: (object, session) => newAccess.hold(users.accountOf(object), session, object.kind),
    doubt: (object, session) => doubt(users.accountOf(object), keyOf(object.kind, object.metadata), session),
    ofAccount(account, session) {
      const held = doubt(account, account, session);
      if (!held && registry.get(account)?.verified && newAccess.isProven(account)) seals.remember(account, session);
      return held;
    },
    remains,
    gone(object, what, session) {
      const { identity } = session;
      const account = users.accountOf(object);
      const { namespace } = object.metadata;
      const key = keyOf(object.kind, object.metadata);
      const held = doubt(account, key, session);
      const id = object.status?.id;
      // What this process deleted, for another resource, is no loss.
      if (held || accepts(account) || (id !== undefined && session.wasDeleted(id))) return held;
      const many = remains(object, session);
      if (many) return many;
      // Anybody may write an ID that never was; and of what is on record under a secret that nobody knows any more nothing tells.
      const sealer = sealerOf(session);
      const isUntold = !seals.isSealed(object, sealer) && !seals.wasSealed(account, object);
      const loss = { what, account, isUntold };
      recentLosses.add(identity, key, loss);
      looks.delete(identity);
      const after =
        doubt(account, key, session) ??
        uncertainty(account, namespace, session, suspects.notice({ ...loss, identity, key, id }));
      // An earlier process may have deleted it: of what is being deleted nobody knows that it was lost.
      if (after || object.metadata.deletionTimestamp !== undefined) recentLosses.remove(identity, key);
      if (!after) {
        suspects.forget(key);
        return undefined;
      }
      // It is one of those that are missing, and not lost before them.
      looks.delete(identity);
      look(session);
      return after;
    },
    isDoubted: (object, session) =>
      concerns(doubted.get(session.identity), object.metadata.namespace) && !accepts(users.accountOf(object)),
    accepts: (object) => accepts(users.accountOf(object)),
    proposal: (object) => proposalFor(users.accountOf(object)),

    isProven: newAccess.isProven,

    forget(account) {
      newAccess.forget(account);
      proposals.delete(account);
      seals.forget(account);
    },

    compare: newAccess.compare,
  };
}
