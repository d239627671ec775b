import type { Clock } from '../../clock.ts';
import type { RestoredBudget } from '../../cloud/limiter.ts';
import { EdgelineError } from '../../errors.ts';
import type { KubeClient } from '../../kubernetes/client.ts';
import { isNotFound, isSecretForbidden, KubeError, NotLeaderError } from '../../kubernetes/errors.ts';
import type { EventRecorder } from '../../kubernetes/events.ts';
import type { Informer } from '../../kubernetes/informer.ts';
import { diff } from '../../kubernetes/merge-patch.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import { Annotation } from '../../reconcile/annotations.ts';
import type { Hold } from '../../reconcile/kind.ts';
import { type ObjectKey, parseKey, type Reconciler, type Result } from '../../reconcile/reconciler.ts';
import type { SecretReader } from '../../reconcile/secrets.ts';
import { transitions } from '../../reconcile/status.ts';
import { AccountReason } from './reasons.ts';
import type { AccountRegistry, OpenSession } from './registry.ts';
import type { Account } from './schema.ts';
import { readSettings } from './settings.ts';
import { accountStatus, REFRESH } from './status.ts';
import { accountFailure } from './trouble.ts';
import type { AccountUsers } from './users.ts';

/** Keeps an account while resources use it. */
const FINALIZER = 'edgeline.dev/account';
/** The credentials are verified again after this long without another answer of the service. Milliseconds. */
const VERIFY = 10 * 60_000;

export interface AccountReconcilerOptions {
  readonly kind: 'CloudAccount' | 'ClusterCloudAccount';
  readonly resource: Resource;
  readonly informer: Informer<Account>;
  readonly client: KubeClient;
  readonly secrets: SecretReader;
  readonly registry: AccountRegistry;
  readonly users: AccountUsers;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly clock: Clock;
  readonly allowedHosts: readonly string[] | undefined;
  /** An account became usable, or stopped being so: whoever uses it is to be looked at. */
  readonly onChanged: (account: ObjectKey) => void;
}

/** Opens the account's session, verifies its credentials, and keeps it as long as resources need it. */
export function createAccountReconciler(options: AccountReconcilerOptions): Reconciler {
  const { informer, client, registry, users, clock } = options;
  const verifiedAt = new WeakMap<OpenSession, number>();
  const refreshedAt = new Map<ObjectKey, number>();
  /** Accounts whose last pass found nothing in the way; whoever waits for one is woken when it becomes one of them. */
  const usable = new Set<ObjectKey>();
  const asked = new Map<ObjectKey, string | undefined>();

  /** What stands in the way of using the account; undefined when the service accepted its credentials. */
  async function connect(key: ObjectKey, account: Account, signal: AbortSignal): Promise<Hold | undefined> {
    const read = await readSettings(account, options.secrets, options.allowedHosts);
    if ('hold' in read) return keptInMemory(key, read.hold) ?? read.hold;
    const session = registry.open(key, read.settings, restored(account));
    const ask = account.metadata.annotations?.[Annotation.reconcileAt];
    const isAsked = ask !== asked.get(key);
    asked.set(key, ask);
    // Somebody says that it is worth another try, as after the token was given a permission.
    if (isAsked) session.circuit.reset();
    const answered = Math.max(
      verifiedAt.get(session) ?? Number.NEGATIVE_INFINITY,
      session.sims.snapshot()?.startedAt ?? Number.NEGATIVE_INFINITY,
    );
    const trouble = session.sims.lastError();
    if (session.verified && !session.circuit.isOpen() && !isAsked) {
      if (trouble !== undefined) return accountFailure(trouble).hold;
      if (clock.monotonic() - answered < VERIFY) return undefined;
    }
    await session.client.sims.list({ from: 0, count: 1 }, { lane: 'verify', signal });
    verifiedAt.set(session, clock.monotonic());
    if (!session.verified) usable.delete(key);
    session.verified = true;
    session.sims.start();
    return undefined;
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

  const countUsers = (key: ObjectKey): number =>
    [...users.of(key).values()].reduce((sum, keys) => sum + keys.length, 0);

  async function reconcileAccount(key: ObjectKey, account: Account, signal: AbortSignal): Promise<Result> {
    const deleting = account.metadata.deletionTimestamp !== undefined;
    const finalized = account.metadata.finalizers?.includes(FINALIZER) ?? false;
    if (deleting && (!finalized || countUsers(key) === 0)) {
      if (finalized) await setFinalizer(account, false);
      registry.close(key);
      refreshedAt.delete(key);
      asked.delete(key);
      usable.delete(key);
      return { requeue: 'never' };
    }
    const current = deleting || finalized ? account : await setFinalizer(account, true);
    let hold: Hold | undefined;
    let retry: Result = { requeue: 'after', milliseconds: VERIFY };
    try {
      hold = await connect(key, current, signal);
    } catch (error) {
      const isOfCluster = error instanceof NotLeaderError || (error instanceof KubeError && !isSecretForbidden(error));
      if (!(error instanceof EdgelineError) || isOfCluster) throw error;
      const failure = accountFailure(error);
      hold = failure.hold;
      retry =
        failure.next === 'wait-for-account'
          ? { requeue: 'after', milliseconds: failure.afterSeconds * 1000 }
          : failure.next === 'stall'
            ? retry
            : { requeue: 'backoff' };
    }
    if (hold === undefined && !usable.has(key)) options.onChanged(key);
    if (hold === undefined) usable.add(key);
    else usable.delete(key);
    if (deleting) hold = inUse(key);
    const left = await writeStatus(key, current, hold);
    return left !== undefined && retry.requeue === 'after'
      ? { requeue: 'after', milliseconds: Math.min(left, retry.milliseconds) }
      : retry;
  }

  function inUse(key: ObjectKey): Hold {
    const all = [...users.of(key).values()].flat().map((user) => {
      const { kind, namespace, name } = parseKey(user);
      return `${kind} ${namespace}/${name}`;
    });
    const shown = all.slice(0, 5).join(', ');
    return {
      kind: 'Waiting',
      reason: AccountReason.InUse,
      message: `The account can't go while it is in use by ${counted(all.length)}: ${shown}${all.length > 5 ? ', …' : ''}. Delete what uses it first.`,
    };
  }

  /** Writes the status if it changed. Gives the milliseconds until budget and counts may be written, if they should be. */
  async function writeStatus(key: ObjectKey, account: Account, hold: Hold | undefined): Promise<number | undefined> {
    const session = registry.get(key);
    const record = session?.limiter.record();
    const by = users.of(key);
    const facts = {
      hold,
      budget: record,
      users: {
        sims: by.get('Sim')?.length ?? 0,
        gateways: by.get('MobileGateway')?.length ?? 0,
        sites: by.get('WebAccelSite')?.length ?? 0,
      },
      now: clock.now(),
    };
    const next = accountStatus(account, facts, refreshedAt.get(key));
    const patch = diff(account.status ?? {}, next);
    if (patch !== undefined) {
      const { namespace, name, uid } = account.metadata;
      const written = await client.mergePatch<Account>(
        options.resource,
        namespace,
        name,
        { metadata: { uid }, status: patch },
        { subresource: 'status' },
      );
      informer.put(written);
      if (
        diff(account.status?.resources, next.resources) !== undefined ||
        diff(account.status?.budget, next.budget) !== undefined
      ) {
        refreshedAt.set(key, facts.now);
      }
      for (const condition of transitions(account.status?.conditions, next.conditions)) {
        if (condition.type !== 'Ready') continue;
        const type = condition.status === 'True' ? 'Normal' : 'Warning';
        options.events.record({ object: written, type, reason: condition.reason, message: condition.message });
      }
    }
    // Only what is stored covers requests; see the limiter.
    if (record?.wanted) record.confirm();
    const settled = { ...facts, budget: record && { ...record, wanted: false } };
    const isBehind = diff(next, accountStatus({ ...account, status: next }, settled, undefined)) !== undefined;
    return isBehind ? Math.max(1000, (refreshedAt.get(key) ?? 0) + REFRESH - facts.now) : undefined;
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
    async reconcile(key, signal) {
      const { namespace, name } = parseKey(key);
      const account = informer.get(namespace === '' ? undefined : namespace, name);
      if (!account) {
        if (countUsers(key) === 0) registry.close(key);
        return { requeue: 'never' };
      }
      try {
        return await reconcileAccount(key, account, signal);
      } catch (error) {
        if (error instanceof NotLeaderError || isNotFound(error)) return { requeue: 'never' };
        if (error instanceof KubeError) return { requeue: 'backoff' };
        throw error;
      }
    },
  };
}

function counted(resources: number): string {
  return resources === 1 ? '1 resource' : `${resources} resources`;
}

/** What an earlier process put on record; the time is written in whole seconds, so it may have been almost one later. */
function restored(account: Account): RestoredBudget | undefined {
  const budget = account.status?.budget;
  if (!budget) return undefined;
  return { used: budget.used, reserved: budget.reserved ?? 0, at: Date.parse(budget.recordedAt) + 1000 };
}
