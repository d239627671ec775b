import { apis } from '../../cloud/limiter/lanes.ts';
import { EdgelineError } from '../../errors.ts';
import type { KubeClient } from '../../kubernetes/client.ts';
import type { ClusterTime } from '../../kubernetes/cluster-time.ts';
import { isNotFound, isSecretForbidden, KubeError, NotLeaderError } from '../../kubernetes/errors.ts';
import type { EventRecorder } from '../../kubernetes/events.ts';
import type { Informer } from '../../kubernetes/informer.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import type { AccountResolver } from '../../reconcile/account.ts';
import { FailureReason } from '../../reconcile/failure-reason.ts';
import { DecisionOutdatedError } from '../../reconcile/guard.ts';
import { type ObjectKey, parseKey, type Reconciler, type Result, type Slot } from '../../reconcile/reconciler.ts';
import { reportWriteFailure } from '../../reconcile/report-write-failure.ts';
import type { Logger } from '../../telemetry/log.ts';
import type { SharedReason } from '../common/reasons.ts';
import type { AccountBrakes } from './brakes.ts';
import { type ConnectorOptions, createConnector, VERIFY_MILLISECONDS } from './connect.ts';
import { createGiveBack } from './give-back.ts';
import { holdInUse } from './in-use.ts';
import { HOURS_LEASE } from './left-hours.ts';
import { isToldPaused } from './pauses.ts';
import { type AccountHold, AccountReason } from './reasons.ts';
import type { Records } from './records.ts';
import type { OpenSession } from './registry.ts';
import { createAccountReport } from './report.ts';
import type { Account } from './schema.ts';
import { accountFailure } from './trouble.ts';

/** Keeps an account while resources use it. */
export const FINALIZER = 'edgeline.dev/account';

/** What tells that a Secret, or what is in it, could not be had. */
const OF_SECRETS: ReadonlySet<string> = new Set([
  FailureReason.SecretForbidden,
  FailureReason.SecretRefused,
  FailureReason.SecretUnreadable,
]);

export interface AccountReconcilerOptions extends Omit<ConnectorOptions, 'onVerified'> {
  readonly kind: 'CloudAccount' | 'ClusterCloudAccount';
  readonly resource: Resource;
  readonly informer: Informer<Account>;
  readonly client: KubeClient;
  readonly accounts: Pick<AccountResolver<SharedReason>, 'forget'>;
  readonly brakes: AccountBrakes;
  readonly records: Records;
  readonly time: Pick<ClusterTime, 'latest'>;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly log: Logger;
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
  /**
   * What the last pass found in the way of accounts, and whether nobody could use them for it: whoever waits for one is woken
   * when that becomes another, or nothing, and where what is in the way now is for each of them to find out.
   */
  const inTheWay = new Map<ObjectKey, { readonly reason: string | undefined; readonly isBarred: boolean }>();
  /** Accounts that are not there, and are needed: what they had used of their hours then is on record. */
  const gone = new Set<ObjectKey>();
  /** Accounts as they were at the last pass. */
  const seen = new Map<ObjectKey, Account>();
  const report = createAccountReport(options);
  const connector = createConnector({ ...options, onVerified: (key) => inTheWay.delete(key) });

  function accountAt(key: ObjectKey): Account | undefined {
    const { namespace, name } = parseKey(key);
    return informer.get(namespace === '' ? undefined : namespace, name);
  }

  const countUsers = (key: ObjectKey): number => users.inNeed(key).length;

  /** It is gone, and nothing uses it. What it used of its hour stays known to the registry. */
  function forget(key: ObjectKey): void {
    registry.close(key);
    for (const kept of [inTheWay, gone, seen]) kept.delete(key);
    options.pauses.resumed(key);
    for (const kept of [connector, accounts, losses, report, records, brakes]) kept.forget(key);
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
      hold = await connector.connect(key, current, signal, slot);
    } catch (error) {
      const isOfCluster = error instanceof NotLeaderError || (error instanceof KubeError && !isSecretForbidden(error));
      if (!(error instanceof EdgelineError) || isOfCluster) throw error;
      if (error instanceof DecisionOutdatedError) return { requeue: 'now' };
      const failure = accountFailure(error);
      hold = OF_SECRETS.has(failure.hold.reason) ? connector.keptInMemory(key, failure.hold) : failure.hold;
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
    if (deleting) hold = holdInUse(key, users.inNeed(key), hold);
    const isUnrecorded = registry.get(key)?.onRecord === false;
    const left = await report.write(key, current, hold);
    if (isUnrecorded && registry.get(key)?.onRecord) options.onChanged(key);
    // Who was looked at while this was found out could not say why the account can't be used, or says that it is paused;
    // now its status tells.
    const isResumed = isBarred && hold?.state !== 'Suspended' && isToldPaused(current);
    if (isResumed || (isShut && before?.reason !== reason)) options.onChanged(key);
    if (isShut) inTheWay.set(key, now);
    const warning = report.untilWarning(key, current, hold);
    const sooner = Math.min(
      left ?? Number.POSITIVE_INFINITY,
      connector.untilLook(key, current),
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
        // A bug: whoever reads the status would otherwise take what was true before for what is.
        if (account && !signal.aborted && !(error instanceof EdgelineError)) {
          await report.write(key, account, accountFailure(error).hold).catch(() => undefined);
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
