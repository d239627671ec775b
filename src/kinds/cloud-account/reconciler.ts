import type { Clock } from '../../clock.ts';
import type { Limiter } from '../../cloud/limiter/limiter.ts';
import { EdgelineError } from '../../errors.ts';
import type { KubeClient } from '../../kubernetes/client.ts';
import { isConflict, isNotFound, isSecretForbidden, KubeError, NotLeaderError } from '../../kubernetes/errors.ts';
import type { EventRecorder } from '../../kubernetes/events.ts';
import { fitOf } from '../../kubernetes/fit.ts';
import type { Informer } from '../../kubernetes/informer.ts';
import { diff } from '../../kubernetes/merge-patch.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import { Annotation } from '../../reconcile/annotations.ts';
import { EventReason } from '../../reconcile/events.ts';
import { DecisionOutdatedError } from '../../reconcile/guard.ts';
import type { Hold } from '../../reconcile/kind.ts';
import { createLooks } from '../../reconcile/looks.ts';
import { newestOf } from '../../reconcile/newest.ts';
import { untilWarning } from '../../reconcile/patience.ts';
import { type ObjectKey, parseKey, type Reconciler, type Result, type Slot } from '../../reconcile/reconciler.ts';
import { reportWriteFailure } from '../../reconcile/report-write-failure.ts';
import type { SecretReader } from '../../reconcile/secrets.ts';
import { transitions } from '../../reconcile/status.ts';
import { annotationWarnings, newWarnings } from '../../reconcile/warnings.ts';
import type { Logger } from '../../telemetry/log.ts';
import { type Budget, createGiveBack } from './give-back.ts';
import type { Losses } from './losses.ts';
import { holdPaused, type Pauses } from './pauses.ts';
import { AccountReason } from './reasons.ts';
import { recordOf } from './record.ts';
import type { AccountRegistry, OpenSession } from './registry.ts';
import { type Account, cloudAccountDefinition } from './schema.ts';
import { readSettings } from './settings.ts';
import { accountStatus, REFRESH } from './status.ts';
import { holdTrying } from './tries.ts';
import { accountFailure } from './trouble.ts';
import type { AccountUsers } from './users.ts';

/** Keeps an account while resources use it. */
const FINALIZER = 'edgeline.dev/account';
/** The credentials are verified again after this long without another answer of the service. Milliseconds. */
const VERIFY = 10 * 60_000;
/** So many times a status is sent while others write, too. */
const TRIES = 4;

export interface AccountReconcilerOptions {
  readonly kind: 'CloudAccount' | 'ClusterCloudAccount';
  readonly resource: Resource;
  readonly informer: Informer<Account>;
  readonly client: KubeClient;
  readonly secrets: SecretReader;
  readonly registry: AccountRegistry;
  readonly users: AccountUsers;
  readonly losses: Losses;
  readonly pauses: Pick<Pauses, 'ofAccount'>;
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
  const { informer, client, registry, users, losses, clock } = options;
  const verifiedAt = new WeakMap<OpenSession, number>();
  const refreshedAt = new Map<ObjectKey, number>();
  /** Accounts whose last pass found nothing in the way; whoever waits for one is woken when it becomes one of them. */
  const usable = new Set<ObjectKey>();
  const asked = new Map<ObjectKey, string | undefined>();
  /** Reasons of what accounts wait for, which are warned of when they last. */
  const unwarned = new Map<ObjectKey, string>();
  const looks = createLooks(clock);
  /** The budget on record, and the limiter that knows of it: as this process wrote it from there, or took it in. */
  const known = new Map<ObjectKey, { readonly limiter: Limiter; readonly budget: string }>();
  /** Accounts that were paused at the last pass. */
  const paused = new Set<ObjectKey>();
  /** Sessions of another token that was found to be of the same account. */
  const sameAsBefore = new WeakSet<OpenSession>();

  /** What stands in the way of using the account; undefined when the service accepted its credentials. */
  async function connect(key: ObjectKey, account: Account, signal: AbortSignal, slot: Slot): Promise<Hold | undefined> {
    const by = options.pauses.ofAccount(key);
    if (by !== undefined) {
      paused.add(key);
      return holdPaused(by, account);
    }
    const read = await readSettings(account, options.secrets, options.allowedHosts);
    if ('hold' in read) return keptInMemory(key, read.hold) ?? read.hold;
    const session = registry.open(key, read.settings);
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
      if (clock.monotonic() - answered < VERIFY) return losses.ofAccount(key, session);
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
        const { doubt, isSame } = await compared(key, session, signal, slot);
        if (doubt) return doubt;
        if (isSame) sameAsBefore.add(session);
      }
      usable.delete(key);
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
  function keptInMemory(key: ObjectKey, hold: Hold): Hold | undefined {
    if (!registry.get(key) || hold.reason !== AccountReason.SecretNotFound || countUsers(key) === 0) return undefined;
    return {
      kind: 'Stalled',
      reason: AccountReason.CredentialsGone,
      message: `${hold.message} Until then the credentials last seen are used for what still needs them (${counted(countUsers(key))}).`,
    };
  }

  const countUsers = (key: ObjectKey): number => users.inNeed(key).length;

  async function reconcileAccount(key: ObjectKey, account: Account, signal: AbortSignal, slot: Slot): Promise<Result> {
    const deleting = account.metadata.deletionTimestamp !== undefined;
    const finalized = account.metadata.finalizers?.includes(FINALIZER) ?? false;
    if (deleting && (!finalized || countUsers(key) === 0)) {
      if (finalized) await setFinalizer(account, false);
      registry.close(key);
      refreshedAt.delete(key);
      asked.delete(key);
      looks.drop(key);
      known.delete(key);
      paused.delete(key);
      usable.delete(key);
      unwarned.delete(key);
      return { requeue: 'never' };
    }
    const current = deleting || finalized ? account : await setFinalizer(account, true);
    let hold: Hold | undefined;
    let retry: Result = { requeue: 'after', milliseconds: VERIFY };
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
    if (hold?.kind === 'Waiting' && hold.retryAfterSeconds !== undefined) {
      retry = { requeue: 'after', milliseconds: hold.retryAfterSeconds * 1000 };
    }
    if (hold === undefined && !usable.has(key)) options.onChanged(key);
    if (hold === undefined) usable.add(key);
    else usable.delete(key);
    if (deleting) hold = inUse(key, hold);
    const left = await writeStatus(key, current, hold);
    const isWaiting = current.metadata.annotations?.[Annotation.reconcileAt] !== asked.get(key);
    const look = isWaiting ? looks.wait(key) : Number.POSITIVE_INFINITY;
    const warning = unwarned.has(key) ? untilWarning(current, hold, clock.now()) : undefined;
    const sooner = Math.min(left ?? Number.POSITIVE_INFINITY, look, warning ?? Number.POSITIVE_INFINITY);
    return retry.requeue === 'after' && sooner < retry.milliseconds
      ? { requeue: 'after', milliseconds: Math.max(1000, sooner) }
      : retry;
  }

  /** `trouble` is what else there is to say of the account: without its Secret, what uses it may not be able to go. */
  function inUse(key: ObjectKey, trouble: Hold | undefined): Hold {
    const all = users.inNeed(key).map((user) => {
      const { kind, namespace, name } = parseKey(user);
      return `${kind} ${namespace}/${name}`;
    });
    const shown = all.slice(0, 5).join(', ');
    return {
      kind: 'Waiting',
      reason: AccountReason.InUse,
      message: `The account can't be deleted while it is in use by ${counted(all.length)}: ${shown}${all.length > 5 ? ', …' : ''}. Delete what uses it first.${trouble ? ` Of the account itself: ${trouble.message}` : ''}`,
    };
  }

  /** Writes the status if it changed. Gives the milliseconds until budget and counts may be written, if they should be. */
  async function writeStatus(
    key: ObjectKey,
    account: Account,
    hold: Hold | undefined,
    tries = 1,
  ): Promise<number | undefined> {
    const session = registry.get(key);
    // Somebody else's record, as of a process that led before: what it sent counts, however late it said so. In time: no
    // request of the hour goes before the account is verified and its first record, which is written below, is stored.
    const found = session && recordOf(account, session, sameAsBefore.has(session));
    if (found && !isKnown(key, account.status?.budget)) session.limiter.restore(found);
    // The budget belongs to those who have the token's secret; an account that only names the token neither shows nor keeps it.
    const record = session?.verified ? session.limiter.record() : undefined;
    const by = users.of(key);
    const warnings = annotationWarnings(account, options.kind, clock.now());
    const facts = {
      hold,
      warnings,
      budget: record,
      identity: session?.verified && losses.isProven(key) ? session.digest(session.identity) : undefined,
      users: {
        sims: by.get('Sim')?.length ?? 0,
        gateways: by.get('MobileGateway')?.length ?? 0,
        sites: by.get('WebAccelSite')?.length ?? 0,
      },
      now: clock.now(),
    };
    const next = fitOf(cloudAccountDefinition, [])(accountStatus(account, facts, refreshedAt.get(key)));
    const patch = diff(account.status ?? {}, next);
    if (patch !== undefined) {
      const { namespace, name, uid, resourceVersion } = account.metadata;
      let written: Account;
      try {
        written = await client.mergePatch<Account>(
          options.resource,
          namespace,
          name,
          { metadata: { uid, resourceVersion }, status: patch },
          { subresource: 'status' },
        );
      } catch (error) {
        if (!isConflict(error) || tries === TRIES) throw error;
        return writeStatus(key, await newestOf(options, account, error), hold, tries + 1);
      }
      informer.put(written);
      // A record that stayed as it was because the account is not verified has not been taken in.
      if (session && record)
        known.set(key, { limiter: session.limiter, budget: JSON.stringify(written.status?.budget) });
      if (
        diff(account.status?.resources, next.resources) !== undefined ||
        diff(account.status?.budget, next.budget) !== undefined
      ) {
        refreshedAt.set(key, facts.now);
      }
      for (const message of newWarnings(account.status?.conditions, warnings)) {
        options.events.record({ object: written, type: 'Warning', reason: EventReason.Questionable, message });
      }
      for (const condition of transitions(account.status?.conditions, next.conditions)) {
        if (condition.type !== 'Ready') continue;
        const wait = untilWarning(written, hold, facts.now);
        const type = condition.status === 'True' || wait !== 0 ? 'Normal' : 'Warning';
        if (wait) unwarned.set(key, condition.reason);
        else unwarned.delete(key);
        options.events.record({ object: written, type, reason: condition.reason, message: condition.message });
      }
    }
    warnOfWhatLasts(key, account, hold, facts.now);
    // Only what is stored covers requests; see the limiter.
    if (record?.wanted) record.confirm();
    const settled = { ...facts, budget: record && { ...record, wanted: false } };
    const isBehind = diff(next, accountStatus({ ...account, status: next }, settled, undefined)) !== undefined;
    return isBehind ? Math.max(1000, (refreshedAt.get(key) ?? 0) + REFRESH - facts.now) : undefined;
  }

  function warnOfWhatLasts(key: ObjectKey, account: Account, hold: Hold | undefined, now: number): void {
    const reason = unwarned.get(key);
    if (reason !== undefined && reason !== hold?.reason) unwarned.delete(key);
    if (reason === undefined || reason !== hold?.reason || untilWarning(account, hold, now) !== 0) return;
    unwarned.delete(key);
    options.events.record({ object: account, type: 'Warning', reason, message: hold.message });
  }

  function isKnown(key: ObjectKey, budget: Budget | undefined): boolean {
    const one = known.get(key);
    return one !== undefined && one.limiter === registry.get(key)?.limiter && one.budget === JSON.stringify(budget);
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
    giveBack: createGiveBack(options, isKnown),
    async reconcile(key, signal, slot) {
      const { namespace, name } = parseKey(key);
      const account = informer.get(namespace === '' ? undefined : namespace, name);
      if (!account) {
        if (countUsers(key) === 0) registry.close(key);
        return { requeue: 'never' };
      }
      try {
        return await reconcileAccount(key, account, signal, slot);
      } catch (error) {
        if (error instanceof NotLeaderError || isNotFound(error)) return { requeue: 'never' };
        if (error instanceof KubeError) {
          reportWriteFailure(options, account, error);
          return { requeue: 'backoff' };
        }
        throw error;
      }
    },
  };
}

function counted(resources: number): string {
  return resources === 1 ? '1 resource' : `${resources} resources`;
}
