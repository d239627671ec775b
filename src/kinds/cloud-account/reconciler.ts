import type { Clock } from '../../clock.ts';
import { apis } from '../../cloud/limiter/lanes.ts';
import { EdgelineError } from '../../errors.ts';
import type { KubeClient } from '../../kubernetes/client.ts';
import type { ClusterTime } from '../../kubernetes/cluster-time.ts';
import { isNotFound, isSecretForbidden, KubeError, NotLeaderError } from '../../kubernetes/errors.ts';
import type { EventRecorder } from '../../kubernetes/events.ts';
import type { Informer } from '../../kubernetes/informer.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import type { AccountResolver } from '../../reconcile/account.ts';
import { Annotation } from '../../reconcile/annotations.ts';
import { DecisionOutdatedError } from '../../reconcile/guard.ts';
import { createLooks } from '../../reconcile/looks.ts';
import { type ObjectKey, parseKey, type Reconciler, type Result, type Slot } from '../../reconcile/reconciler.ts';
import { reportWriteFailure } from '../../reconcile/report-write-failure.ts';
import type { SecretReader } from '../../reconcile/secrets.ts';
import type { Logger } from '../../telemetry/log.ts';
import type { SharedReason } from '../common/reasons.ts';
import type { AccountBrakes } from './brakes.ts';
import { createGiveBack } from './give-back.ts';
import { HOURS_LEASE } from './left-hours.ts';
import type { Losses } from './losses.ts';
import { holdPaused, isToldPaused, type Pauses } from './pauses.ts';
import { type AccountHold, AccountReason } from './reasons.ts';
import type { Records } from './records.ts';
import type { AccountRegistry, OpenSession } from './registry.ts';
import { createAccountReport } from './report.ts';
import type { Account } from './schema.ts';
import { readSettings } from './settings.ts';
import { holdTrying } from './tries.ts';
import { accountFailure } from './trouble.ts';
import type { AccountUsers } from './users.ts';

/** Keeps an account while resources use it. */
export const FINALIZER = 'edgeline.dev/account';
/** Who would wait for longer than this until a request may go, looks again later. */
const LONGEST_WAIT_SECONDS = 5;
/** The credentials are verified again after this long without another answer of the service. Milliseconds. */
const VERIFY_MILLISECONDS = 10 * 60_000;

export interface AccountReconcilerOptions {
  readonly kind: 'CloudAccount' | 'ClusterCloudAccount';
  readonly resource: Resource;
  readonly informer: Informer<Account>;
  readonly client: KubeClient;
  readonly secrets: SecretReader;
  readonly registry: AccountRegistry;
  readonly users: AccountUsers;
  readonly accounts: Pick<AccountResolver<SharedReason>, 'forget'>;
  readonly losses: Losses;
  readonly brakes: AccountBrakes;
  readonly records: Records;
  readonly time: Pick<ClusterTime, 'latest'>;
  readonly pauses: Pick<Pauses, 'begin' | 'resumed'>;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly log: Logger;
  readonly clock: Clock;
  readonly allowedHosts: readonly string[] | undefined;
  /** An account became usable, or stopped being so: whoever uses it is to be looked at. */
  readonly onChanged: (account: ObjectKey) => void;
}

/** The reconciler of one kind of account. */
export interface AccountReconciler extends Reconciler {
  /** See {@link createGiveBack}. */
  giveBack(): Promise<void>;
}

/** Opens the account's session, verifies its credentials, and keeps it as long as resources need it. */
export function createAccountReconciler(options: AccountReconcilerOptions): AccountReconciler {
  const { informer, client, registry, users, accounts, losses, brakes, records, clock } = options;
  const verifiedAt = new WeakMap<OpenSession, number>();
  /**
   * What the last pass found in the way of accounts, and whether nobody could use them for it: whoever waits for one is woken
   * when that becomes another, or nothing, and where what is in the way now is for each of them to find out.
   */
  const inTheWay = new Map<ObjectKey, { readonly reason: string | undefined; readonly isBarred: boolean }>();
  const asked = new Map<ObjectKey, string | undefined>();
  const looks = createLooks(clock);
  /** Accounts that are not there, and are needed: what they had used of their hours then is on record. */
  const gone = new Set<ObjectKey>();
  /** Accounts as they were at the last pass. */
  const seen = new Map<ObjectKey, Account>();
  /** Accounts that were paused at the last pass. */
  const paused = new Set<ObjectKey>();
  const report = createAccountReport(options);

  /** What stands in the way of using the account; undefined when the service accepted its credentials. */
  async function connect(
    key: ObjectKey,
    account: Account,
    signal: AbortSignal,
    slot: Slot,
  ): Promise<AccountHold | undefined> {
    const by = options.pauses.begin(key);
    if (by !== undefined) {
      paused.add(key);
      return holdPaused(by, account);
    }
    const read = await readSettings(account, options.secrets, options.allowedHosts);
    if ('hold' in read) {
      options.pauses.resumed(key);
      return keptInMemory(key, read.hold) ?? read.hold;
    }
    const session = registry.open(key, read.settings);
    // Only now: what uses it goes on with what was set while it was paused.
    options.pauses.resumed(key);
    const ask = account.metadata.annotations?.[Annotation.reconcileAt];
    const isAsked = ask !== asked.get(key) && looks.wait(key) === 0;
    if (isAsked) {
      asked.set(key, ask);
      looks.took(key);
      // Somebody says that it is worth another try, as after the token was given a permission.
      session.circuit.reset();
    }
    const answered = Math.max(
      verifiedAt.get(session) ?? Number.NEGATIVE_INFINITY,
      session.sims.snapshot()?.startedAt ?? Number.NEGATIVE_INFINITY,
    );
    const trouble = session.sims.lastError();
    const isResumed = paused.delete(key);
    if (session.verified && !session.circuit.isOpen() && !isAsked && !isResumed) {
      if (trouble !== undefined && !(trouble instanceof DecisionOutdatedError)) return accountFailure(trouble).hold;
      const isDue = clock.monotonic() - answered >= VERIFY_MILLISECONDS;
      // A pass that waits for a closed API records no hour of web acceleration, and no certificate goes without that record.
      if (!isDue || session.limiter.outlook('cloud', 'verify').secondsFor(1) > LONGEST_WAIT_SECONDS)
        return losses.ofAccount(key, session);
    }
    // What is refused without a request needs no leave, and goes on telling why.
    const wait = session.verified || session.circuit.isShut() ? 0 : registry.tryWait(key);
    if (wait > 0) return holdTrying(wait);
    let isSent = false;
    try {
      const call = { lane: 'verify', signal, onWait: slot.wait, onSent: () => (isSent = true) } as const;
      // Whoever has the secret goes before those who may only name the token.
      const turn = { urgency: 'creation', began: slot.number } as const;
      await session.client.sims.list({ from: 0, count: 1 }, session.verified ? call : { ...call, turn });
    } catch (error) {
      if (isSent && !session.verified) registry.tryRefused(key);
      throw error;
    }
    verifiedAt.set(session, clock.monotonic());
    session.answered = true;
    if (!session.verified) {
      if (account.status?.identity !== session.digest(session.identity)) {
        const doubt = await compared(key, session, signal, slot);
        if (doubt) return doubt;
      }
      inTheWay.delete(key);
    }
    registry.accept(key);
    session.sims.start();
    return losses.ofAccount(key, session);
  }

  /** The lists it waits for may take minutes; other accounts have the worker meanwhile. */
  async function compared(key: ObjectKey, session: OpenSession, signal: AbortSignal, slot: Slot) {
    const over = slot.wait();
    try {
      return await losses.compare(key, session, signal);
    } finally {
      over();
    }
  }

  /** A Secret may go before what needs it, as when a namespace is deleted: then the last credentials serve on. */
  function keptInMemory(key: ObjectKey, hold: AccountHold): AccountHold | undefined {
    const session = registry.get(key);
    if (!session || hold.reason !== AccountReason.SecretNotFound || countUsers(key) === 0) return undefined;
    const meanwhile = session.circuit.isOpen()
      ? `The service refused those seen last, and nothing is sent for what uses the account (${counted(countUsers(key))}).`
      : `Until then the credentials last seen are used for what still needs them (${counted(countUsers(key))}).`;
    return { state: 'Stalled', reason: AccountReason.CredentialsGone, message: `${hold.message} ${meanwhile}` };
  }

  function accountAt(key: ObjectKey): Account | undefined {
    const { namespace, name } = parseKey(key);
    return informer.get(namespace === '' ? undefined : namespace, name);
  }

  const countUsers = (key: ObjectKey): number => users.inNeed(key).length;

  /** It is gone, and nothing uses it. What it used of its hour stays known to the registry. */
  function forget(key: ObjectKey): void {
    registry.close(key);
    for (const kept of [asked, paused, inTheWay, gone, seen]) kept.delete(key);
    looks.drop(key);
    options.pauses.resumed(key);
    for (const kept of [accounts, losses, report, records, brakes]) kept.forget(key);
  }

  /** Its finalizer was taken off by hand: what still uses it needs the session. */
  async function endWithout(key: ObjectKey): Promise<void> {
    options.pauses.resumed(key);
    if (countUsers(key) === 0) registry.close(key);
    if (!gone.has(key)) await records.handOver(key, seen.get(key));
    gone.add(key);
    // It may be there again by now.
    if (accountAt(key)) return;
    if (countUsers(key) > 0) brakes.forget(key);
    else forget(key);
  }

  /** Nothing uses it: what it used of its hour is put on record, and it goes. */
  async function letGo(key: ObjectKey, account: Account): Promise<Result> {
    // What still waits is not sent any more, and does not count as sent.
    registry.close(key);
    try {
      await records.handOver(key, account);
    } catch (error) {
      if (!(error instanceof KubeError)) throw error;
      const message = `What the account has used of its hour can't be put on record (Lease ${HOURS_LEASE} in the operator's namespace): ${error.message}`;
      await report.write(key, account, { state: 'Waiting', reason: AccountReason.HourNotRecorded, message });
      return { requeue: 'backoff' };
    }
    // What came meanwhile, as from a backup, needs it again.
    if (countUsers(key) > 0) return { requeue: 'now' };
    const left = account.metadata.finalizers?.includes(FINALIZER) ? await setFinalizer(account, false) : account;
    forget(key);
    await tellLetGo(key, left);
    return { requeue: 'never' };
  }

  /** Where it stays for somebody else, what its status said is over. */
  async function tellLetGo(key: ObjectKey, account: Account): Promise<void> {
    const { finalizers = [] } = account.metadata;
    if (finalizers.length === 0) return;
    const message = `Nothing uses the account any more, and the operator has let go of it. It stays for the finalizers of others: ${finalizers.join(', ')}.`;
    await report.write(key, account, { state: 'Suspended', reason: AccountReason.LetGo, message });
    report.forget(key);
  }

  async function reconcileAccount(key: ObjectKey, account: Account, signal: AbortSignal, slot: Slot): Promise<Result> {
    const deleting = account.metadata.deletionTimestamp !== undefined;
    const finalized = account.metadata.finalizers?.includes(FINALIZER) ?? false;
    gone.delete(key);
    seen.set(key, account);
    if (deleting && countUsers(key) === 0) return letGo(key, account);
    const current = deleting || finalized ? account : await setFinalizer(account, true);
    let hold: AccountHold | undefined;
    let retry: Result = { requeue: 'after', milliseconds: VERIFY_MILLISECONDS };
    try {
      hold = await connect(key, current, signal, slot);
    } catch (error) {
      const isOfCluster = error instanceof NotLeaderError || (error instanceof KubeError && !isSecretForbidden(error));
      if (!(error instanceof EdgelineError) || isOfCluster) throw error;
      if (error instanceof DecisionOutdatedError) return { requeue: 'now' };
      const failure = accountFailure(error);
      hold = failure.hold;
      retry =
        failure.next === 'wait-for-account'
          ? { requeue: 'after', milliseconds: failure.afterSeconds * 1000 }
          : failure.next === 'stall'
            ? retry
            : { requeue: 'backoff' };
    }
    if (hold?.state === 'Waiting' && hold.retryAfterSeconds !== undefined) {
      retry = { requeue: 'after', milliseconds: hold.retryAfterSeconds * 1000 };
    }
    const before = inTheWay.get(key);
    const reason = hold?.reason;
    const isShut = hold?.state === 'Stalled' && !isOpen(registry.get(key));
    const isBarred = hold !== undefined && (hold.state === 'Suspended' || !isOpen(registry.get(key)));
    const isFreed = !isBarred && (!before || before.isBarred);
    const isMended = hold === undefined && before?.reason !== undefined;
    if (isFreed || isMended) options.onChanged(key);
    const now = { reason, isBarred };
    if (!isShut) inTheWay.set(key, now);
    if (deleting) hold = inUse(key, hold);
    const left = await report.write(key, current, hold);
    // Who was looked at while this was found out could not say why the account can't be used, or says that it is paused;
    // now its status tells.
    const isResumed = isBarred && hold?.state !== 'Suspended' && isToldPaused(current);
    if (isResumed || (isShut && before?.reason !== reason)) options.onChanged(key);
    if (isShut) inTheWay.set(key, now);
    const isWaiting = current.metadata.annotations?.[Annotation.reconcileAt] !== asked.get(key);
    const look = isWaiting ? looks.wait(key) : Number.POSITIVE_INFINITY;
    const warning = report.untilWarning(key, current, hold);
    const sooner = Math.min(
      left ?? Number.POSITIVE_INFINITY,
      look,
      warning ?? Number.POSITIVE_INFINITY,
      untilOpen(key),
    );
    return retry.requeue === 'after' && sooner < retry.milliseconds
      ? { requeue: 'after', milliseconds: Math.max(1000, sooner) }
      : retry;
  }

  /** Milliseconds until an API is open again, which the status says to be closed. */
  function untilOpen(key: ObjectKey): number {
    const { limiter } = registry.get(key) ?? {};
    const closed = apis.flatMap((api) => limiter?.closedUntil(api) ?? []);
    return Math.min(...closed, Number.POSITIVE_INFINITY) - clock.now();
  }

  /** `trouble` is what else there is to say of the account: without its Secret, what uses it may not be able to go. */
  function inUse(key: ObjectKey, trouble: AccountHold | undefined): AccountHold {
    const all = users.inNeed(key).map((user) => {
      const { kind, namespace, name } = parseKey(user);
      return `${kind} ${namespace}/${name}`;
    });
    const shown = all.slice(0, 5).join(', ');
    const { namespace, name } = parseKey(key);
    const place = namespace === '' ? '' : `-n ${namespace} `;
    const keep = `kubectl patch ${place}${options.kind.toLowerCase()} ${name} --type merge -p '{"metadata":{"finalizers":null}}'`;
    return {
      state: 'Waiting',
      reason: AccountReason.InUse,
      message: `The account can't be deleted while it is in use by ${counted(all.length)}: ${shown}${all.length > 5 ? ', …' : ''}. Delete what uses it first; or, to keep the account, apply it again after this: ${keep}${trouble ? `. Of the account itself: ${trouble.message}` : ''}`,
    };
  }

  async function setFinalizer(account: Account, present: boolean): Promise<Account> {
    const { namespace, name, uid, resourceVersion } = account.metadata;
    const others = (account.metadata.finalizers ?? []).filter((finalizer) => finalizer !== FINALIZER);
    const finalizers = present ? [...others, FINALIZER] : others;
    const patch = { metadata: { uid, resourceVersion, finalizers: finalizers.length > 0 ? finalizers : null } };
    const written = await client.mergePatch<Account>(options.resource, namespace, name, patch);
    informer.put(written);
    return written;
  }

  return {
    kind: options.kind,
    giveBack: createGiveBack(options),
    async reconcile(key, signal, slot) {
      const account = accountAt(key);
      try {
        if (!account) {
          await endWithout(key);
          return { requeue: 'never' };
        }
        return await reconcileAccount(key, account, signal, slot);
      } catch (error) {
        if (error instanceof NotLeaderError || isNotFound(error)) return { requeue: 'never' };
        if (error instanceof KubeError) {
          if (account) reportWriteFailure(options, account, error);
          return { requeue: 'backoff' };
        }
        throw error;
      }
    },
  };
}

/** Whether resources may use the session, as far as the account goes. */
function isOpen(session: OpenSession | undefined): boolean {
  return session !== undefined && session.verified && !session.circuit.isOpen();
}

function counted(resources: number): string {
  return resources === 1 ? '1 resource' : `${resources} resources`;
}
