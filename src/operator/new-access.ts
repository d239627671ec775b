import type { Clock } from '../clock.ts';
import {
  holdAsked,
  holdComparing,
  holdMissing,
  isOfAnother,
  type Proposal,
  type Recorded,
} from '../kinds/cloud-account/losses.ts';
import type { AccountReason } from '../kinds/cloud-account/reasons.ts';
import type { Account } from '../kinds/cloud-account/schema.ts';
import type { AccountUsers } from '../kinds/cloud-account/users.ts';
import { managedKindNames } from '../reconcile/kind-names.ts';
import type { Hold } from '../reconcile/plan.ts';
import { keyOf, type ObjectKey, parseKey } from '../reconcile/reconciler.ts';
import { isInterrupted } from '../reconcile/restored.ts';
import type { AccountSession } from '../reconcile/session.ts';
import type { createBegunDeletions } from './begun-deletions.ts';
import type { Informers } from './informers.ts';
import { apiOf } from './kinds.ts';
import type { createOnRecord } from './on-record.ts';
import type { RecordSeals } from './record-seals.ts';

/** Watches over accounts whose base URL or access token is new: they have to show first what their resources have on record. */
export function createNewAccess(options: {
  readonly informers: Pick<Informers, 'of' | 'managed'>;
  readonly users: Pick<AccountUsers, 'accountOf'>;
  readonly clock: Clock;
  readonly seals: RecordSeals;
  readonly partsOf: ReturnType<typeof createOnRecord>['partsOf'];
  readonly objectOf: (account: ObjectKey) => Account | undefined;
  /** A person said of this account that what is missing is gone. */
  readonly accepts: (account: ObjectKey) => boolean;
  readonly proposalFor: (account: ObjectKey) => Proposal;
  readonly withoutBegunDeletions: ReturnType<typeof createBegunDeletions>;
  readonly onChanged: (accounts: readonly ObjectKey[]) => void;
}) {
  const { informers, users, clock, seals, partsOf, objectOf, accepts, proposalFor, withoutBegunDeletions, onChanged } =
    options;
  /** Accounts that have not shown all yet: of which kinds' lists, for sites come in their own time. */
  const unproven = new Map<ObjectKey, 'sites' | 'all'>();

  /** Resources of an account that asked for something there, of which nobody knows what came of it. */
  function askedFor(account: ObjectKey): ObjectKey[] {
    return managedKindNames.flatMap((kind) =>
      informers.of[kind]
        .list()
        .filter((object) => isInterrupted(object) && users.accountOf(object) === account)
        .map(({ metadata }) => keyOf(kind, metadata)),
    );
  }

  /**
   * What tells whether new access is to the account of before: what the operator wrote, if any of it can be told. What it may
   * have deleted tells nothing, where something else is shown.
   */
  function evidence(account: ObjectKey, recorded: readonly Recorded[]): readonly Recorded[] {
    const sealed = recorded.filter(({ key }) => {
      const { kind, namespace, name } = parseKey(key);
      const object = informers.managed.get(kind)?.get(namespace, name);
      return object !== undefined && seals.wasSealed(account, object);
    });
    const told = sealed.length > 0 ? sealed : recorded;
    const left = withoutBegunDeletions(told);
    return left.length > 0 ? left : told;
  }

  /** Why an account whose access is new can't be used yet, or at all, as the lists that are there by now tell. */
  function hold(account: ObjectKey, session: AccountSession, kind: string): Hold<AccountReason> | undefined {
    const missing = unproven.get(account);
    if (missing === undefined || accepts(account)) return undefined;
    if (missing === 'sites' && apiOf(kind) === 'cloud') return undefined;
    const parts = partsOf(session, (one) => one === account, 'all');
    // Of sites there may be more than a list ever shows.
    if (!parts.every((part) => (part.isCostly ? part.isListed() : part.isWhole()))) return holdComparing;
    const recorded = evidence(
      account,
      parts.flatMap((part) => part.recorded()),
    );
    if (isOfAnother(recorded)) return holdMissing({ recorded, isNewAccess: true, proposal: proposalFor(account) });
    unproven.delete(account);
    onChanged([account]);
    return undefined;
  }

  /** See {@link Losses}. */
  async function compare(
    account: ObjectKey,
    session: AccountSession,
    signal: AbortSignal,
  ): Promise<Hold<AccountReason> | undefined> {
    unproven.delete(account);
    if (accepts(account)) return undefined;
    const began = clock.monotonic();
    const recorded: Recorded[] = [];
    for (const part of partsOf(session, (one) => one === account, 'all')) {
      // Such a list may have to wait for an hour, and for the account's own status: nobody waits for it here.
      if (part.isCostly) {
        if (!unproven.has(account)) unproven.set(account, recorded.length > 0 ? 'sites' : 'all');
        continue;
      }
      await part.take(began, signal);
      if (!part.isWhole()) unproven.set(account, 'all');
      recorded.push(...part.recorded());
    }
    const told = evidence(account, recorded);
    if (isOfAnother(told)) return holdMissing({ recorded: told, isNewAccess: true, proposal: proposalFor(account) });
    // Without an access on record none is known to have been another.
    const isKnown = objectOf(account)?.status?.identity !== undefined;
    const asked = isKnown && recorded.length === 0 ? askedFor(account) : [];
    return asked.length > 0 ? holdAsked(asked, proposalFor(account)) : undefined;
  }

  return {
    hold,
    compare,
    isProven: (account: ObjectKey): boolean => !unproven.has(account),
    forget: (account: ObjectKey): void => void unproven.delete(account),
  };
}
