import type { Clock } from '../clock.ts';
import { brakedVerdict, type Excess, holdBraked, releasedUntil } from '../kinds/cloud-account/brake-hold.ts';
import {
  type AgedGrant,
  type Brake,
  brakeOf,
  COUNTED_MILLISECONDS,
  countOf,
  counts,
  heldTimes,
  isGood,
  type Waiting,
} from '../kinds/cloud-account/brake-rule.ts';
import type { AccountBrakes } from '../kinds/cloud-account/brakes.ts';
import { createLedger, type Entered, type Entry, type LedgerAccount } from '../kinds/cloud-account/ledger.ts';
import { accountKey } from '../kinds/cloud-account/resolver.ts';
import { type Account, cloudAccountResource, clusterCloudAccountResource } from '../kinds/cloud-account/schema.ts';
import { MOST_GRANTS } from '../kinds/cloud-account/status-schema.ts';
import type { AccountUsers } from '../kinds/cloud-account/users.ts';
import type { KubeClient } from '../kubernetes/client.ts';
import type { ClusterTime } from '../kubernetes/cluster-time.ts';
import type { Braked, Brakes, Permit } from '../reconcile/brakes.ts';
import type { ManagedObject } from '../reconcile/managed-object.ts';
import { type ObjectKey, parseKey } from '../reconcile/reconciler.ts';
import { askedUntil, createCensus, keyOfAsked } from './brake-census.ts';
import type { Informers } from './informers.ts';

/** What is told is counted anew after this: a thousand resources must not rewrite their statuses a thousand times. Milliseconds. */
const TOLD_MILLISECONDS = 30_000;
/** What is held is counted anew after this. Milliseconds. */
const FRESH_MILLISECONDS = 1000;
/**
 * So far behind what was asked for last the time of the command lies at least, and where it is named anew: one `kubectl delete`
 * asks for one after the other, and who does what they read lets go of all of it. Milliseconds.
 */
const LEAST_SPARE_MILLISECONDS = 60_000;
const SPARE_MILLISECONDS = 2 * LEAST_SPARE_MILLISECONDS;
const ACTIONS: readonly Braked[] = ['Deletion', 'Creation'];

/** What was found to be too much. */
interface Told {
  readonly account: ObjectKey;
  readonly excess: Excess;
  /** When it was found first, and when it was counted first as it is told; monotonic milliseconds. */
  readonly first: number;
  readonly since: number;
  /** When it was last found to be too much. */
  readonly at: number;
}

/** What was counted, and when the last of it was asked for; milliseconds since the epoch. */
type Counted = Omit<Excess, 'letGoUntil'> & { readonly askedUntil: number };

interface OfNamespace {
  readonly action: Braked;
  readonly namespace: string;
  readonly account: { readonly key: ObjectKey; readonly object: Account | undefined };
  readonly brake: Brake;
}

/** Holds back what would be too much at once, account by account and namespace by namespace. */
export function createBrakes(options: {
  readonly informers: Pick<Informers, 'of' | 'namespaces' | 'accounts' | 'clusterAccounts' | 'managed'>;
  readonly users: Pick<AccountUsers, 'accountOf'>;
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly time: Pick<ClusterTime, 'latest' | 'toOwn'>;
  /** Something of the account began or ceased to be held. */
  readonly onChanged: (account: ObjectKey) => void;
}): Brakes & AccountBrakes {
  const { informers, clock, time, onChanged } = options;
  const { accountOf } = options.users;
  const census = createCensus(options);
  const ledger = createLedger({ ...options, kept });
  const told = new Map<string, Told>();

  function accountAt(key: ObjectKey): { readonly key: ObjectKey; readonly object: Account | undefined } {
    const { kind, namespace, name } = parseKey(key);
    const object =
      kind === 'CloudAccount'
        ? informers.accounts.get(namespace, name)
        : informers.clusterAccounts?.get(undefined, name);
    return { key, object };
  }

  /** Where what is let through is put on record; undefined where the account is gone. */
  function ledgerOf({ key, object }: OfNamespace['account']): LedgerAccount | undefined {
    const isOfNamespace = parseKey(key).kind === 'CloudAccount';
    const informer = isOfNamespace ? informers.accounts : informers.clusterAccounts;
    const resource = isOfNamespace ? cloudAccountResource : clusterCloudAccountResource;
    return object && informer && { key, object, informer, resource };
  }

  function kept(key: ObjectKey, grants: readonly AgedGrant[]): readonly AgedGrant[] {
    const account = accountAt(key);
    const now = time.latest();
    /** Counted once each: whoever may write the status may put thousands of old grants on record. */
    const held = new Map<string, readonly number[]>();
    return grants.filter((grant) => {
      if (grant.age < COUNTED_MILLISECONDS) return true;
      const { action, namespace } = grant;
      const of = `${action} ${namespace}`;
      const times = held.get(of) ?? heldTimes(census.of(action, namespace, account, now).waiting);
      held.set(of, times);
      return counts(grant, times);
    });
  }

  /** Counts what waits, `own` among it whether it is seen or not. */
  function countNow(
    { action, namespace, account, brake }: OfNamespace,
    grants: readonly AgedGrant[],
    own?: Waiting & { readonly askedUntil: number },
  ): Counted {
    const found = census.of(action, namespace, account, time.latest());
    const waiting = own ? [...found.waiting, own] : found.waiting;
    const of = grants.filter((grant) => grant.action === action && grant.namespace === namespace);
    return {
      action,
      namespace,
      brake,
      count: countOf(brake, of, { waiting, present: found.present }),
      askedUntil: Math.max(found.askedUntil, own?.askedUntil ?? Number.NEGATIVE_INFINITY),
    };
  }

  const nameOf = ({ action, namespace, account }: OfNamespace) => `${action} ${namespace} ${account.key}`;

  /** What there is to tell of what is too much, the same for a while. */
  function tell(of: OfNamespace, { askedUntil: last, ...excess }: Counted): Excess {
    const name = nameOf(of);
    const before = told.get(name);
    const now = clock.monotonic();
    const isCovered = before && last + LEAST_SPARE_MILLISECONDS <= before.excess.letGoUntil;
    const isSame =
      before &&
      now - before.since < TOLD_MILLISECONDS &&
      isSameBrake(before.excess.brake, excess.brake) &&
      (before.excess.isRecordFull ?? false) === (excess.isRecordFull ?? false) &&
      isCovered;
    const first = before?.first ?? now;
    const letGoUntil = isCovered ? before.excess.letGoUntil : last + SPARE_MILLISECONDS;
    const counted = { ...excess, letGoUntil, mayGrow: now - first < TOLD_MILLISECONDS };
    const kept = isSame
      ? { ...before, at: now }
      : { account: of.account.key, excess: counted, first, since: now, at: now };
    told.set(name, kept);
    // The account says how many there are, once that has become another number.
    if (before?.excess.count.waiting !== kept.excess.count.waiting) onChanged(of.account.key);
    return kept.excess;
  }

  function tellNothing(of: OfNamespace): void {
    if (told.delete(nameOf(of))) onChanged(of.account.key);
  }

  /** What was found a moment ago, and still holds. */
  function toldOfNow(of: OfNamespace, askedAt: number): Excess | undefined {
    const last = told.get(nameOf(of));
    if (!last || clock.monotonic() - last.at > FRESH_MILLISECONDS) return undefined;
    return isSameBrake(last.excess.brake, of.brake) && askedAt <= last.excess.letGoUntil ? last.excess : undefined;
  }

  async function ask({ action, object, account: ref, vanished, heldAmong }: Parameters<Brakes['ask']>[0]) {
    const { namespace = '', uid } = object.metadata;
    const account = accountAt(accountKey(ref, namespace));
    const brake = brakeOf(account.object?.spec, action);
    const at = census.askedAt(action, object, vanished, time.latest());
    if (!brake || at <= releasedUntil(action, [account.object, object], time.latest())) return free;
    const of: OfNamespace = { action, namespace, account, brake };
    const asked = { askedAt: at, askedUntil: askedUntil(at, vanished) };
    const own = { key: keyOfAsked(uid, vanished), ...asked, isHeld: heldAmong !== undefined, heldAmong };
    const grant = { action, namespace, key: own.key };
    const permit: Permit = {
      isGood() {
        const found = ledger.find(account.key, accountAt(account.key).object, grant);
        return found !== undefined && isGood(found);
      },
    };
    if (permit.isGood()) return permit;
    const known = toldOfNow(of, at);
    if (known) return heldBy(object, account.key, known);
    let found = countNow(of, ledger.grants(account.key, account.object), own);
    const entry = {
      grant,
      askedAt: at,
      mayEnter(grants: readonly AgedGrant[]) {
        found = countNow(of, grants, own);
        return !found.count.isOver;
      },
    };
    const entered = found.count.isOver ? 'too much' : await enter(account, entry);
    if (entered === 'in') {
      tellNothing(of);
      return permit;
    }
    // A write of which no answer came may have let it through before there was too much.
    if (permit.isGood()) return permit;
    const excess = entered === 'no room' ? { ...found, isRecordFull: true } : found;
    return heldBy(object, account.key, tell(of, excess));
  }

  function enter(account: OfNamespace['account'], entry: Entry): Promise<Entered> | Entered {
    const to = ledgerOf(account);
    return to ? ledger.enter(to, entry) : ledger.enterUnrecorded(account.key, entry);
  }

  function namespacesOf(account: ObjectKey): readonly string[] {
    const { kind, namespace } = parseKey(account);
    if (kind === 'CloudAccount') return [namespace];
    const users = [...informers.managed.values()].flatMap((informer) => informer.list());
    return [...new Set(users.filter((one) => accountOf(one) === account).map((one) => one.metadata.namespace ?? ''))];
  }

  return {
    ask,
    verdict(key) {
      const account = accountAt(key);
      const grants = ledger.grants(key, account.object);
      const all = namespacesOf(key).flatMap((namespace) =>
        ACTIONS.flatMap((action) => {
          const brake = brakeOf(account.object?.spec, action);
          return brake ? [{ action, namespace, account, brake }] : [];
        }),
      );
      const isFull = grants.length >= MOST_GRANTS && kept(key, grants).length >= MOST_GRANTS;
      const excesses = all.flatMap((of) => {
        const excess = countNow(of, grants);
        // As there are fewer of them, too many may have gone; what waits is held, and of what does not there is nothing to tell.
        if (excess.count.waiting > 0 && excess.count.isOver) return [tell(of, excess)];
        if (excess.count.waiting > 0 && isFull) return [tell(of, { ...excess, isRecordFull: true })];
        tellNothing(of);
        return [];
      });
      return brakedVerdict(key, excesses);
    },
    unrecorded: ledger.unrecorded,
    forget(key) {
      ledger.forget(key);
      for (const [name, { account }] of told) if (account === key) told.delete(name);
    },
  };
}

function heldBy(object: ManagedObject, account: ObjectKey, excess: Excess) {
  return { hold: holdBraked(object, account, excess), among: excess.count.among };
}

const free: Permit = { isGood: () => true };

function isSameBrake(one: Brake, other: Brake): boolean {
  return one.perHour === other.perHour && one.percent === other.percent;
}
