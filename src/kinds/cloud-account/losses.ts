import { Annotation, LONGEST_ACCEPTED_MILLISECONDS, momentOf } from '../../reconcile/annotations.ts';
import type { ManagedObject } from '../../reconcile/managed-object.ts';
import type { Hold } from '../../reconcile/plan.ts';
import { type ObjectKey, parseKey } from '../../reconcile/reconciler.ts';
import type { AccountSession } from '../../reconcile/session.ts';
import { AccountReason } from './reasons.ts';

/** A resource that has something on record at the service. */
export interface Recorded {
  readonly key: ObjectKey;
  /** What it has, in words: `SIM 113300000017`. */
  readonly what: string;
  /** Whether the account shows it, as it was recorded. */
  readonly isThere: boolean;
  /** Nothing tells whether the operator wrote the record: it speaks against nothing of another namespace. */
  readonly isUntold?: boolean;
}

/** How a person says that what is missing is gone: in which account's annotation, and until when it holds. */
export interface Proposal {
  readonly account: ObjectKey;
  readonly until: string;
}

/** Watches over what resources have on record at the service. */
export interface Losses {
  /**
   * Why nothing is done through an account whose access is new: it has to show first what is on record. Undefined when
   * it has.
   */
  access(object: ManagedObject, session: AccountSession): Hold<AccountReason> | undefined;
  /**
   * Why what a resource has on record must not be taken for gone, though the account does not show it; undefined when
   * it may.
   */
  doubt(object: ManagedObject, session: AccountSession): Hold<AccountReason> | undefined;
  /**
   * The same for one thing that was found gone for sure: `what`, in words. Without doubt it counts as lost from now on, and
   * may be one too many for the next; of what is being deleted it is only told whether it may be one of many.
   */
  gone(object: ManagedObject, what: string, session: AccountSession): Hold<AccountReason> | undefined;
  /** The same for what may be one of many that were missing, whatever is missing by now. */
  remains(object: ManagedObject, session: AccountSession): Hold<AccountReason> | undefined;
  /** The same as `doubt`, for the account itself. */
  ofAccount(account: ObjectKey, session: AccountSession): Hold<AccountReason> | undefined;
  /** Whether there was doubt at the last look: then nothing is made in the account either. */
  isDoubted(object: ManagedObject, session: AccountSession): boolean;
  /** Whether what is on record was found through the access as it is; while only a list of sites can tell, that takes its time. */
  isProven(account: ObjectKey): boolean;
  /** Whether a person said that what is missing is gone. */
  accepts(object: ManagedObject): boolean;
  /** How a person may say so. */
  proposal(object: ManagedObject): Proposal;
  /**
   * Compares what an account shows through new credentials or another URL with what is on record: why it must not be used,
   * if something is missing, or may be somewhere else.
   */
  compare(account: ObjectKey, session: AccountSession, signal: AbortSignal): Promise<Hold<AccountReason> | undefined>;
  /** The account is gone. */
  forget(account: ObjectKey): void;
}

/** So many at once are no accident of a few. */
export const MANY = 3;
/** So many of one namespace, at most, speak against what others lack: whoever has it may see to it that they are missing. */
const MANY_OF_ONE = MANY - 1;
/** One in so many. */
const SHARE = 10;

/** Whose record is in doubt: that of the whole account, or of these namespaces. */
export type Doubt = 'all' | ReadonlySet<string>;

/** Where what is missing says more of the account than of what is missing; undefined: nowhere. Pure. */
export function doubtOf(recorded: readonly Recorded[]): Doubt | undefined {
  // With many thousands on record this is asked every second, and nearly always answered here.
  if (missingOf(recorded) < MANY) return undefined;
  const namespaces = Map.groupBy(recorded, namespaceOf);
  const counts = [...namespaces].map(([namespace, all]) => ({
    namespace,
    all: all.length,
    missing: missingOf(all),
    told: missingOf(all.filter(({ isUntold }) => isUntold !== true)),
  }));
  const told = counts.reduce((sum, one) => sum + one.told, 0);
  const capped = counts.reduce((sum, one) => sum + Math.min(one.told, MANY_OF_ONE), 0);
  const isWide = capped >= MANY && told * SHARE >= recorded.length;
  const doubted = counts.filter(
    (one) => (isWide && one.missing > 0) || (one.missing >= MANY && one.missing * SHARE >= one.all),
  );
  if (doubted.length === 0) return undefined;
  const isAll = doubted.length === counts.length && told >= MANY;
  return isAll ? 'all' : new Set(doubted.map(({ namespace }) => namespace));
}

/** Whether what an account has on record may be of another one: through new credentials or another URL even one is one too many. Pure. */
export function isOfAnother(recorded: readonly Recorded[]): boolean {
  return missingOf(recorded) > 0;
}

/** Whether a doubt is about what a namespace has. Pure. */
export function concerns(doubt: Doubt | undefined, namespace: string | undefined): boolean {
  return doubt === 'all' || (namespace !== undefined && doubt?.has(namespace) === true);
}

function namespaceOf({ key }: Recorded): string {
  return parseKey(key).namespace;
}

function missingOf(recorded: readonly Recorded[]): number {
  return recorded.filter(({ isThere }) => !isThere).length;
}

/**
 * Whether a person said, in the annotation, that what is missing is gone for good: it holds until the time it names, for
 * about a day at most, so that it can't be forgotten there. `now` is milliseconds since the epoch.
 */
export function isAccepted(annotation: string | undefined, now: number): boolean {
  const until = momentOf(annotation);
  return until > now && until <= now + LONGEST_ACCEPTED_MILLISECONDS;
}

/** Why nothing is made, written anew or taken for deleted in the account. */
export function holdMissing(options: {
  readonly recorded: readonly Recorded[];
  readonly isNewAccess: boolean;
  /** What it is told to has something of that on record. */
  readonly isMissing?: boolean;
  /** There were more, and nobody knows what became of the others: what is missing by now may be few. */
  readonly wereMore?: boolean;
  /** Only what this one has is meant. */
  readonly namespace?: string | undefined;
  readonly proposal: Proposal;
}): Hold<AccountReason> {
  const { isNewAccess, isMissing = false, wereMore = false, namespace, proposal } = options;
  const recorded = options.recorded.filter((one) => namespace === undefined || namespaceOf(one) === namespace);
  const missing = recorded.filter(({ isThere }) => !isThere);
  const shown = firstOf(missing.map(({ key, what }) => `${what} (${inWords(key)})`));
  const why = isNewAccess
    ? `With the baseURL and access token as they are now, the account does not show ${missing.length} of the ${recorded.length} objects its resources have: ${shown}. They may be of another account or service. Nothing is done with them until that is clear: put baseURL or the Secret back`
    : `${missing.length} of the ${recorded.length} objects that resources${ofNamespace(namespace)} have in the account are ${wereMore ? 'still missing, of many that were missing all at once' : 'missing all at once'}: ${shown}. Nothing is created again or considered deleted until that is clear: wait if the service has trouble`;
  return {
    state: 'Stalled',
    reason: isNewAccess ? AccountReason.AccountChanged : AccountReason.ManyMissing,
    message: `${why}; or, if they are really gone, say so: ${command(proposal)}`,
    retryAfterSeconds: 60,
    ...(isMissing && { isMissing }),
  };
}

/** The same where nothing else tells which account it is, and of what was asked for there nobody knows what came of it. */
export function holdAsked(asked: readonly ObjectKey[], proposal: Proposal): Hold<AccountReason> {
  return {
    state: 'Stalled',
    reason: AccountReason.AccountChanged,
    message: `The baseURL or access token is another than the one through which a creation was asked for, or was about to be, of which no answer is known: ${firstOf(asked.map(inWords))}. Whether it was carried out shows only in the account of then. Nothing is created or forgotten until that is clear: put baseURL or the Secret back; or, if it is the same account, or nothing was made, say so: ${command(proposal)}`,
    retryAfterSeconds: 60,
  };
}

function firstOf(all: readonly string[]): string {
  return `${all.slice(0, 3).join(', ')}${all.length > 3 ? `, … (${all.length} in all)` : ''}`;
}

function inWords(key: ObjectKey): string {
  const { kind, namespace, name } = parseKey(key);
  return `${kind} ${namespace}/${name}`;
}

function ofNamespace(namespace: string | undefined): string {
  return namespace === undefined ? '' : ` of namespace ${namespace}`;
}

/** Between two looks whether what is gone is one of many, at first and at last: each asks for it by its ID. Seconds. */
const FIRST_LOOK_SECONDS = 5;
const LAST_LOOK_SECONDS = 60;

function lookAfter(waitedMilliseconds: number): number {
  return Math.min(LAST_LOOK_SECONDS, Math.max(FIRST_LOOK_SECONDS, waitedMilliseconds / 1000));
}

/**
 * Why one thing that is gone is not made again yet: others may be gone too, though the service may only show them late.
 * `waited`: for so long so far, milliseconds.
 */
export function holdUncertain(recorded: readonly Recorded[], waited: number): Hold<AccountReason> {
  const missing = missingOf(recorded);
  return {
    state: 'Waiting',
    reason: AccountReason.ManyMissing,
    message: `It is gone, and ${missing - 1} more of the ${recorded.length} objects that resources have in the account are not shown. Some were made minutes ago, and the service may show them late, so it is neither created again nor considered deleted until that is clear.`,
    isProgress: true,
    retryAfterSeconds: lookAfter(waited),
  };
}

/** The same where others may be gone with it, and no list tells so yet: that lasts as long as a list fails. */
export function holdUnlisted(recorded: number, waited: number, proposal: Proposal): Hold<AccountReason> {
  return {
    state: 'Waiting',
    reason: AccountReason.ManyMissing,
    message: `It is gone, and more of the ${recorded} objects that resources have in the account may be gone with it. It is neither created again nor considered deleted until the service has listed them all anew: wait if it has trouble; or, if it is really gone, say so: ${command(proposal)}`,
    isProgress: true,
    retryAfterSeconds: lookAfter(waited),
  };
}

/** Why nothing is done yet through an account whose access is new. */
export const holdComparing: Hold<AccountReason> = {
  state: 'Waiting',
  reason: AccountReason.AccountNotReady,
  message:
    "The account has a new baseURL or access token, and what its resources have on record is looked for in its list of sites first. That list comes when the hour's budget allows.",
  isProgress: true,
  keepsReady: true,
  retryAfterSeconds: 5,
};

/** Why nothing is made for a resource whose status came from a backup, and names what is not there. */
export function holdRestored(what: string, proposal: Proposal): Hold<AccountReason> {
  return {
    state: 'Stalled',
    reason: AccountReason.NotTheSame,
    message: `The status of this resource came from a backup and names ${what}, which the account does not show. It may be of another account or service, and nothing is made in its place. Correct the account; or, if it is really gone, say so: ${command(proposal)}`,
    retryAfterSeconds: 60,
  };
}

/** What differs where something was made at another time than a status has on record: told by what is recorded alone. */
export function differsInTime(recorded: string | undefined): string {
  return `it was made at another time than ${recorded}, which was recorded`;
}

/**
 * Why nothing is done with what the account shows under a recorded ID: it is not what was recorded, and `differs` says in
 * what. It may belong to a tenant of another namespace, and anybody may put any ID into a status of their own: what is
 * shown of it is not told.
 */
export function holdStranger(what: string, differs: string, proposal: Proposal): Hold<AccountReason> {
  return {
    state: 'Stalled',
    reason: AccountReason.NotTheSame,
    message: `What the account shows as ${what} is not what this resource has: ${differs}. The account's baseURL or access token may be of another account or service, and nothing is done with it. Put them back; or, if what this resource had is really gone, say so: ${command(proposal)}`,
    retryAfterSeconds: 60,
  };
}

/** What a person types to say that what is missing is gone. */
function command({ account, until }: Proposal): string {
  const { kind, namespace, name } = parseKey(account);
  const place = namespace === '' ? '' : `-n ${namespace} `;
  return `kubectl annotate ${place}--overwrite ${kind.toLowerCase()} ${name} ${Annotation.acceptMissingUntil}=${until}`;
}
