import { type KubernetesObject, timestamp } from '../../kubernetes/objects.ts';
import { Annotation, LONGEST_RELEASED_MILLISECONDS, momentOf } from '../../reconcile/annotations.ts';
import type { Braked } from '../../reconcile/brakes.ts';
import type { Verdict } from '../../reconcile/conditions.ts';
import type { Hold } from '../../reconcile/plan.ts';
import { type ObjectKey, parseKey } from '../../reconcile/reconciler.ts';
import { type Brake, COUNTED_MILLISECONDS, type Count } from './brake-rule.ts';
import { AccountReason } from './reasons.ts';
import { MOST_GRANTS } from './status-schema.ts';

/** What was counted of one namespace when it was too much, and the time that lets all of it go. */
export interface Excess {
  readonly action: Braked;
  readonly namespace: string;
  readonly brake: Brake;
  readonly count: Count;
  /** The time of the command: it lets go of all of it, and of what whoever began to ask goes on to; milliseconds since the epoch. */
  readonly letGoUntil: number;
  /** It began a moment ago, so that more may be on its way than is counted. */
  readonly mayGrow?: boolean;
  /** It is not too much: there is no room on record for what would be let through. */
  readonly isRecordFull?: boolean;
}

/** By which annotation a person lets go. */
const annotationOf: Readonly<Record<Braked, string>> = {
  Deletion: Annotation.releaseDeletions,
  Creation: Annotation.releaseCreations,
};

/** Looked at again, lest anything be missed that changes the count. Seconds. */
const RETRY_SECONDS = 60;

/**
 * Up to when what was asked for is let go, as the annotations of these objects say: a time lets go of nothing later, so one
 * that is over opens nothing. One too far ahead of the cluster's clock does nothing yet. Pure; milliseconds.
 */
export function releasedUntil(
  action: Braked,
  objects: readonly (KubernetesObject | undefined)[],
  clusterNow: number,
): number {
  const times = objects
    .map((object) => momentOf(object?.metadata.annotations?.[annotationOf[action]]))
    .filter((time) => time <= clusterNow + LONGEST_RELEASED_MILLISECONDS);
  return Math.max(Number.NEGATIVE_INFINITY, ...times);
}

/** Why a resource is not deleted, or its gateway not created. Pure. */
export function holdBraked(object: KubernetesObject, account: ObjectKey, excess: Excess): Hold<AccountReason> {
  const { kind, metadata } = object;
  const { namespace = '', name } = metadata;
  const isDeletion = excess.action === 'Deletion';
  const otherwise = isDeletion
    ? `If not, keep what is at the service and let the resource go, then apply it again: kubectl patch -n ${namespace} ${kind.toLowerCase()} ${name} --type merge -p '{"spec":{"deletionPolicy":"Orphan"}}'`
    : 'If not, delete the resources that are not meant.';
  return {
    state: 'Suspended',
    reason: isDeletion ? AccountReason.DeletionHeld : AccountReason.CreationHeld,
    message: `${sentenceOf(account, excess)} If it is meant: ${commandOf(account, excess)} – ${otherwise}`,
    retryAfterSeconds: RETRY_SECONDS,
  };
}

/** So many namespaces an account's condition speaks of. */
const MOST_SHOWN = 3;

/** What an account's status says of all that is held; undefined where nothing is. Pure. */
export function brakedVerdict(account: ObjectKey, excesses: readonly Excess[]): Verdict | undefined {
  if (excesses.length === 0) return undefined;
  const shown = excesses
    .slice(0, MOST_SHOWN)
    .map((excess) => `${sentenceOf(account, excess)} If it is meant: ${commandOf(account, excess)}`);
  const more = excesses.length > MOST_SHOWN ? ` Likewise in ${excesses.length - MOST_SHOWN} more.` : '';
  const isDeletion = excesses.some(({ action }) => action === 'Deletion');
  return {
    type: 'Braked',
    status: 'True',
    reason: isDeletion ? AccountReason.DeletionsHeld : AccountReason.CreationsHeld,
    message: `${shown.join(' ')}${more}`,
  };
}

function sentenceOf(account: ObjectKey, excess: Excess): string {
  const { action, namespace, brake, count } = excess;
  const { waiting, done, total, limit, among } = count;
  const left = among > waiting + done ? `, of ${among} that it were` : '';
  const before = `${left}${done > 0 ? `, and ${done} were let through before` : ''}`;
  const { kind, name } = parseKey(account);
  if (excess.isRecordFull) {
    const what = action === 'Creation' ? 'No gateway is created' : 'No SIM and no gateway is deleted at the service';
    return `${what}: the ${kind} ${name} has ${MOST_GRANTS} deletions and creations of all its namespaces on record, and room for no more. ${action === 'Creation' ? 'Creations' : 'Deletions'} of namespace ${namespace} go on once some of those are ${COUNTED_MILLISECONDS / 60_000} minutes old, or a person lets go.`;
  }
  const atLeast = excess.mayGrow ? 'At least ' : '';
  if (action === 'Creation') {
    return `${atLeast}${are(waiting, 'gateway')} to be created for namespace ${namespace}${before}: more than the ${limit} an hour that spec.brakes.gatewayCreations of the ${kind} ${name} allows. None is created until a person lets go.`;
  }
  const share = limit < brake.perHour ? ` (${brake.percent} % of them, or three if that is more)` : '';
  return `${waiting + done < total ? atLeast : ''}${waiting} of the ${total} SIMs and gateways that resources of namespace ${namespace} have in the account are to be deleted at the service${before}: more than the ${limit} an hour that spec.brakes.deletions of the ${kind} ${name} allows${share}. All that are left are held until a person lets go.`;
}

function are(count: number, what: string): string {
  return count === 1 ? `1 ${what} is` : `${count} ${what}s are`;
}

/** Who may not write a ClusterCloudAccount lets go of what is in the namespace. */
function commandOf(account: ObjectKey, { action, namespace, letGoUntil }: Excess): string {
  const { kind, name } = parseKey(account);
  const released = action === 'Deletion' ? 'sims,mobilegateways --all' : 'mobilegateways --all';
  const what = kind === 'CloudAccount' ? `cloudaccount ${name}` : released;
  return `kubectl annotate -n ${namespace} --overwrite ${what} ${annotationOf[action]}=${timestamp(letGoUntil)}`;
}
