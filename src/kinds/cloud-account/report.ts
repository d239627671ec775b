import type { Clock } from '../../clock.ts';
import { MOMENT_MILLISECONDS } from '../../cloud/limiter/limiter.ts';
import type { KubeClient } from '../../kubernetes/client.ts';
import type { ClusterTime } from '../../kubernetes/cluster-time.ts';
import { isConflict, KubeError } from '../../kubernetes/errors.ts';
import type { EventRecorder } from '../../kubernetes/events.ts';
import { fitOf } from '../../kubernetes/fit.ts';
import type { Informer } from '../../kubernetes/informer.ts';
import { diff } from '../../kubernetes/merge-patch.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import { EventReason } from '../../reconcile/events.ts';
import { type ManagedKindName, managedKindNames } from '../../reconcile/kind-names.ts';
import { newestOf } from '../../reconcile/newest.ts';
import { untilWarning } from '../../reconcile/patience.ts';
import type { ObjectKey } from '../../reconcile/reconciler.ts';
import { transitions } from '../../reconcile/status.ts';
import { annotationWarnings, newWarnings } from '../../reconcile/warnings.ts';
import type { Logger } from '../../telemetry/log.ts';
import { countedIn, uncounted } from './allotments.ts';
import type { AccountBrakes } from './brakes.ts';
import type { Losses } from './losses.ts';
import type { AccountHold } from './reasons.ts';
import { closedUntil, closingOf } from './record.ts';
import type { Records } from './records.ts';
import type { AccountRegistry, OpenSession } from './registry.ts';
import { type Account, cloudAccountDefinition } from './schema.ts';
import { type AccountFacts, accountStatus, REFRESH_MILLISECONDS } from './status.ts';
import type { AccountUsers } from './users.ts';

/** So many times a status is sent while others write, too. */
const TRIES = 4;

/** What time it is in the cluster is known to about so much. */
const SAME_MILLISECONDS = 5000;

/** What reporting on accounts needs. */
interface AccountReportOptions {
  readonly kind: 'CloudAccount' | 'ClusterCloudAccount';
  readonly resource: Resource;
  readonly informer: Informer<Account>;
  readonly client: KubeClient;
  readonly registry: AccountRegistry;
  readonly users: AccountUsers;
  readonly losses: Losses;
  readonly brakes: AccountBrakes;
  readonly records: Records;
  readonly time: Pick<ClusterTime, 'latest'>;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly log: Pick<Logger, 'warn'>;
  readonly clock: Clock;
}

/** What is told of accounts, in their statuses and events; the record of the hour is in the status, too. */
export interface AccountReport {
  /** Writes the status if it changed. Gives the milliseconds until budget and counts may be written, if they should be. */
  write(key: ObjectKey, account: Account, hold: AccountHold | undefined): Promise<number | undefined>;
  /** Milliseconds until what the account waits for is to be warned of; undefined when it is not. */
  untilWarning(key: ObjectKey, account: Account, hold: AccountHold | undefined): number | undefined;
  forget(key: ObjectKey): void;
}

type Counts = AccountFacts['users'];

/** Where the resources of each kind are counted; a kind without a place does not compile. */
const counters: Readonly<Record<ManagedKindName, keyof Counts>> = {
  Sim: 'sims',
  MobileGateway: 'gateways',
  WebAccelSite: 'sites',
  SiteCertificate: 'certificates',
};

function countsOf(users: ReturnType<AccountUsers['of']>): Counts {
  const counts: Counts = { sims: 0, gateways: 0, sites: 0, certificates: 0 };
  for (const kind of managedKindNames) counts[counters[kind]] = users.get(kind)?.length ?? 0;
  return counts;
}

export function createAccountReport(options: AccountReportOptions): AccountReport {
  const { informer, client, registry, users, losses, records, clock } = options;
  /** Monotonic: the wall clock may be set meanwhile. */
  const refreshedAt = new Map<ObjectKey, number>();
  /** Reasons of what accounts wait for, which are warned of when they last. */
  const unwarned = new Map<ObjectKey, string>();

  async function write(
    key: ObjectKey,
    account: Account,
    hold: AccountHold | undefined,
    generation: number,
    tries = 1,
  ): Promise<number | undefined> {
    const opened = registry.get(key);
    // The next process would count by it.
    const isReplaced = records.isReplaced(key, account.status?.budget);
    if (opened?.verified) {
      // Somebody else's records, as of a process that led before: what it sent counts, however late it said so. In time: no
      // request of the hour goes before an account is verified and its first record, which is written below, is stored.
      await records.handOver(key, account, opened).catch(lostOf(key));
      await records.takeIn(key, account, opened);
    }
    const session = registry.get(key);
    // The budget belongs to those who have the token's secret; an account that only names the token neither shows nor keeps it.
    const record = session?.verified ? session.limiter.record() : undefined;
    const by = users.of(key);
    const warnings = annotationWarnings(account, options.kind, clock.now());
    const at = options.time.latest();
    // What commands asked for was taken in above, so the record has it, and tells them so by taking it from the list.
    const { allotments } = account.status ?? {};
    const left = session && record ? uncounted(key, session, account, at) : allotments;
    const brakes = options.brakes.unrecorded(key, account);
    const wanted = record?.wanted === true || left?.length !== allotments?.length || isReplaced;
    const facts = {
      hold,
      generation,
      warnings,
      budget: session &&
        record && { ...record, wanted, key, signer: session, at, counted: countedIn(key, session, account) },
      closed: session?.verified === true ? closingsOf(key, session, account, at) : undefined,
      allotments: left,
      braked: options.brakes.verdict(key),
      brakes: brakes && [...brakes],
      identity: session?.verified && losses.isProven(key) ? session.digest(session.identity) : undefined,
      users: countsOf(by),
      now: clock.now(),
    };
    const isKeeper = session?.verified === true && registry.isKeeper(key);
    const since = isKeeper ? undefined : sinceRefresh(key);
    const status = accountStatus(account, facts, since === undefined ? undefined : facts.now - since);
    const next = fitOf(cloudAccountDefinition, ['brakes'])(status);
    const patch = diff(account.status ?? {}, next);
    if (patch !== undefined) {
      const { namespace, name, uid, resourceVersion } = account.metadata;
      let written: Account;
      // A record that stays as it is because the account is not verified has not been taken in.
      if (session && record) records.writes(key, session, next.budget);
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
        return write(key, await newestOf(options, account, error), hold, generation, tries + 1);
      }
      informer.put(written);
      if (session && record) records.wrote(key, session, written.status?.budget);
      if (
        diff(account.status?.resources, next.resources) !== undefined ||
        diff(account.status?.budget, next.budget) !== undefined
      ) {
        refreshedAt.set(key, clock.monotonic());
      }
      for (const message of newWarnings(account.status?.conditions, warnings)) {
        options.events.record({ object: written, type: 'Warning', reason: EventReason.Questionable, message });
      }
      for (const condition of transitions(account.status?.conditions, next.conditions)) {
        if (condition.type === 'Braked') {
          const { reason, message } = condition;
          options.events.record({ object: written, type: 'Warning', reason, message });
        }
        if (condition.type !== 'Ready') continue;
        const wait = untilWarning(written, hold, facts.now);
        const type = condition.status === 'True' || wait !== 0 ? 'Normal' : 'Warning';
        if (wait) unwarned.set(key, condition.reason);
        else unwarned.delete(key);
        options.events.record({ object: written, type, reason: condition.reason, message: condition.message });
      }
    }
    if (session?.verified) session.onRecord = true;
    warnOfWhatLasts(key, account, hold, facts.now);
    // Only what is stored covers requests; see the limiter.
    if (record?.wanted) record.confirm();
    if (record?.wanted || isKeeper) registry.recorded(key);
    const settled = { ...facts, budget: facts.budget && { ...facts.budget, wanted: false } };
    const isBehind = diff(next, accountStatus({ ...account, status: next }, settled, undefined)) !== undefined;
    return isBehind ? Math.max(1000, REFRESH_MILLISECONDS - (sinceRefresh(key) ?? REFRESH_MILLISECONDS)) : undefined;
  }

  /** What is needed now does not wait for the record of an hour that may not come again. */
  function lostOf(account: ObjectKey): (error: unknown) => void {
    return (error) => {
      if (!(error instanceof KubeError)) throw error;
      options.log.warn(
        { err: error, account },
        'what the account used with the token before could not be put on record',
      );
    };
  }

  /** Milliseconds since budget and counts were refreshed last. */
  function sinceRefresh(key: ObjectKey): number | undefined {
    const at = refreshedAt.get(key);
    return at === undefined ? undefined : clock.monotonic() - at;
  }

  /** `at`: what time it is by the cluster's clock, by which records are dated. */
  function closingsOf(key: ObjectKey, session: OpenSession, { status }: Account, at: number): AccountFacts['closed'] {
    const [cloud, webaccel] = (['cloud', 'webaccel'] as const).map((api) => {
      const until = session.limiter.closedUntil(api);
      return until !== undefined && until - clock.now() >= MOMENT_MILLISECONDS ? until : undefined;
    });
    if (webaccel === undefined) return { cloud, webaccel };
    const until = at + webaccel - clock.now();
    const stored = closedUntil(key, session, status?.closed);
    const isSame = stored !== undefined && Math.abs(stored - until) <= SAME_MILLISECONDS;
    return { cloud, webaccel: isSame ? status?.closed : closingOf(key, session, until) };
  }

  function warnOfWhatLasts(key: ObjectKey, account: Account, hold: AccountHold | undefined, now: number): void {
    const reason = unwarned.get(key);
    if (reason !== undefined && reason !== hold?.reason) unwarned.delete(key);
    if (reason === undefined || reason !== hold?.reason || untilWarning(account, hold, now) !== 0) return;
    unwarned.delete(key);
    options.events.record({ object: account, type: 'Warning', reason, message: hold.message });
  }

  return {
    write: (key, account, hold) => write(key, account, hold, account.metadata.generation ?? 0),
    untilWarning: (key, account, hold) => (unwarned.has(key) ? untilWarning(account, hold, clock.now()) : undefined),
    forget(key) {
      refreshedAt.delete(key);
      unwarned.delete(key);
    },
  };
}
