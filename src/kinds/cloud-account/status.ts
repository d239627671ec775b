import { timestamp } from '../../kubernetes/objects.ts';
import { mergeConditions, type Verdict } from '../../reconcile/conditions.ts';
import type { ObjectKey } from '../../reconcile/reconciler.ts';
import { withWarnings } from '../../reconcile/warnings.ts';
import type { Allotment } from './allotments.ts';
import { type AccountHold, AccountReason } from './reasons.ts';
import { budgetOf, type Closing, isSignedRecord, type Signer, type Spent } from './record.ts';
import type { Account } from './schema.ts';

/** What an account's status follows from. */
export interface AccountFacts {
  /** Why the account can't be used, or may not go. */
  readonly hold: AccountHold | undefined;
  /** Of the spec that was looked at: that of the account may be newer. */
  readonly generation: number;
  readonly budget:
    | (Spent & {
        readonly key: ObjectKey;
        readonly signer: Signer;
        /** Requests wait for it to be written. */
        readonly wanted: boolean;
        /** From so many on only certificates may go. */
        readonly changes: number;
        /** How many of the last of each part are kept for namespaces that had fewer than are left; absent: none. */
        readonly kept?: number | undefined;
      })
    | undefined;
  /**
   * Until when the service wants no requests for SIMs and gateways (milliseconds since the epoch), and for web acceleration.
   * Undefined while nobody may tell whose account it is.
   */
  readonly closed?: { readonly cloud: number | undefined; readonly webaccel: Closing | undefined } | undefined;
  /** What commands asked for of the hour, and the budget does not have. */
  readonly allotments?: readonly Allotment[] | undefined;
  /** A keyed digest of who the account is at the service; undefined while that is not sure. */
  readonly identity: string | undefined;
  /** What there is to say of what is held; undefined while nothing is. */
  readonly braked?: Verdict | undefined;
  /** What the brakes let through, where the account lacks any of it. */
  readonly brakes?: NonNullable<Account['status']>['brakes'];
  /** What is odd though it is accepted, a sentence each. */
  readonly warnings?: readonly string[];
  readonly users: Required<NonNullable<NonNullable<Account['status']>['resources']>>;
  /** Wall clock, milliseconds since the epoch. */
  readonly now: number;
}

/** How often budget and counts alone may change the status. Milliseconds. */
export const REFRESH_MILLISECONDS = 60_000;

/** The status to store. Pure; budget and counts are refreshed at most once a minute. */
export function accountStatus(
  account: Account,
  facts: AccountFacts,
  refreshedAt: number | undefined,
): NonNullable<Account['status']> {
  const previous = account.status;
  const due =
    refreshedAt === undefined || facts.now - refreshedAt >= REFRESH_MILLISECONDS || facts.budget?.wanted === true;
  const isNew = !previous?.resources || (!previous.budget && facts.budget !== undefined);
  const volatile = due || isNew ? fresh(facts, previous) : { budget: previous.budget, resources: previous.resources };
  const judged = verdicts(
    facts.hold,
    readyMessage(account, volatile.budget, facts.budget),
    closedMessage(facts.closed),
  );
  const closed = facts.closed ? facts.closed.webaccel : previous?.closed;
  const conditions = mergeConditions(
    previous?.conditions ?? [],
    [...withWarnings(judged, facts.warnings ?? []), ...(facts.braked ? [facts.braked] : [])],
    facts.generation,
    facts.now,
  );
  const identity = facts.identity ?? previous?.identity;
  // What was let through is put on record by who lets it through.
  const brakes = facts.brakes ?? previous?.brakes;
  return {
    observedGeneration: facts.generation,
    ...(identity !== undefined && { identity }),
    ...volatile,
    ...(closed && { closed }),
    ...(facts.allotments && { allotments: [...facts.allotments] }),
    ...(brakes && { brakes }),
    conditions,
  };
}

function fresh(
  facts: AccountFacts,
  previous: Account['status'],
): Pick<NonNullable<Account['status']>, 'budget' | 'resources'> {
  const { budget, users } = facts;
  const before = previous?.budget;
  const isSame =
    before &&
    budget &&
    !budget.wanted &&
    before.used === budget.used &&
    before.limit === budget.limit &&
    isSignedRecord(budget.key, budget.signer, before) &&
    // One from the future, or of no time, would count as of now at each start.
    Date.parse(before.recordedAt) <= budget.at;
  return {
    budget: isSame || !budget ? before : budgetOf(budget.key, budget.signer, budget),
    resources: users,
  };
}

/** From the share on that only certificates, writes and what confirms them may use. */
const SCARCE = 0.9;

/** What works, and, from the budget that the status shows, why sites may have to wait. */
function readyMessage(
  { spec }: Account,
  budget: NonNullable<Account['status']>['budget'],
  parts: AccountFacts['budget'],
): string {
  const works = `The service at ${spec.baseURL} accepts the credentials.`;
  if (!budget || budget.used < budget.limit * SCARCE) return works;
  const { used, limit } = budget;
  if (limit === 1)
    return `${works} The one web acceleration request of an hour is used: all wait until it is an hour old.`;
  return used < limit
    ? `${works} ${used} of the ${limit} web acceleration requests of an hour are used: the rest is kept for ${keptFor(used, limit, parts)}.`
    : `${works} All ${limit} web acceleration requests of an hour are used: all wait until the first is an hour old.`;
}

function keptFor(used: number, limit: number, parts: AccountFacts['budget']): string {
  const { changes = limit, kept = 0 } = parts ?? {};
  const few = ' of namespaces that had fewer than are left';
  const certificates = `certificates${used < limit - kept ? '' : few}`;
  if (used >= changes) return certificates;
  if (used < changes - kept) return 'certificates and changes';
  return used < limit - kept ? `certificates, and changes${few}` : `certificates and changes${few}`;
}

/** What the service wants nothing of, and until when. */
function closedMessage(closed: AccountFacts['closed']): string {
  const { cloud, webaccel } = closed ?? {};
  const mobile = cloud === undefined ? undefined : timestamp(Math.ceil(cloud / 1000) * 1000);
  return [
    ...(mobile === undefined ? [] : [` It wants no requests for SIMs and gateways until ${mobile}.`]),
    ...(webaccel === undefined ? [] : [` It wants no web acceleration requests until ${webaccel.until}.`]),
  ].join('');
}

function verdicts(hold: AccountHold | undefined, works: string, closed: string): Verdict[] {
  if (!hold) return [{ type: 'Ready', status: 'True', reason: AccountReason.Verified, message: `${works}${closed}` }];
  const { reason } = hold;
  const message = `${hold.message}${closed}`;
  const ready: Verdict = { type: 'Ready', status: 'False', reason, message };
  if (hold.state === 'Suspended') return [ready];
  const type = hold.state === 'Stalled' ? 'Stalled' : 'Reconciling';
  return [ready, { type, status: 'True', reason, message }];
}
