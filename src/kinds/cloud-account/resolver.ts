import { HOLDER_LEASE } from '../../kubernetes/holdings.ts';
import type { Informer } from '../../kubernetes/informer.ts';
import type { KubernetesObject } from '../../kubernetes/objects.ts';
import type { AccountResolver } from '../../reconcile/account.ts';
import { Annotation } from '../../reconcile/annotations.ts';
import { findCondition } from '../../reconcile/conditions.ts';
import { FailureReason } from '../../reconcile/failure-reason.ts';
import { ownFinalizer } from '../../reconcile/finalizer.ts';
import type { AccountRef, CommonSpec, ManagedObject } from '../../reconcile/managed-object.ts';
import type { Hold } from '../../reconcile/plan.ts';
import { keyOf } from '../../reconcile/reconciler.ts';
import { accountOnRecord, unclearOnRecord } from '../../reconcile/restored.ts';
import { CommonReason } from '../../reconcile/verdict.ts';
import type { SharedReason } from '../common/reasons.ts';
import { type Bindings, createBindings } from './bindings.ts';
import type { Pauses } from './pauses.ts';
import { AccountReason } from './reasons.ts';
import type { AccountRegistry } from './registry.ts';
import type { Account } from './schema.ts';
import { selects } from './selector.ts';

/** Where accounts come from. `clusterAccounts` and `namespaces` are absent when the operator watches a few namespaces only. */
export interface AccountSources {
  readonly accounts: Pick<Informer<Account>, 'get'>;
  readonly clusterAccounts: Pick<Informer<Account>, 'get'> | undefined;
  readonly namespaces: Pick<Informer<KubernetesObject>, 'get'> | undefined;
}

/** The name of the account of whoever names none. */
export const DEFAULT = 'default';

/** The key of an account as a resource of that namespace sees it. */
export function accountKey(ref: AccountRef, namespace: string): string {
  return keyOf(ref.kind, { name: ref.name, namespace: ref.kind === 'CloudAccount' ? namespace : undefined });
}

/** The account a resource means: named, recorded, or the default of its namespace, else of the cluster. */
export function accountRefOf(
  namespace: string,
  spec: CommonSpec,
  recorded: AccountRef | undefined,
  sources: AccountSources,
): AccountRef {
  if (spec.accountRef) return spec.accountRef;
  if (recorded) return recorded;
  const own = sources.accounts.get(namespace, DEFAULT) ?? undefined;
  const isCluster = !own && sources.clusterAccounts?.get(undefined, DEFAULT);
  return { kind: isCluster ? 'ClusterCloudAccount' : 'CloudAccount', name: DEFAULT };
}

/**
 * Whether nobody can tell in which account a resource is: it was worked on, what told the account is gone, and the namespace
 * has got an account of its own since, beside the one of the cluster. Without a finalizer nothing is there; and of an
 * abandoned creation that is taken back somebody has said where it goes on.
 */
export function isUnclear(object: ManagedObject, sources: AccountSources): boolean {
  return ownFinalizer(object) !== undefined && isAmbiguous(object, sources);
}

/** Whether nothing but a status would tell. */
function isAmbiguous(object: ManagedObject, sources: AccountSources): boolean {
  const { metadata, spec } = object;
  if (spec.accountRef || accountOnRecord(object) || unclearOnRecord(object)) return false;
  const own = sources.accounts.get(metadata.namespace, DEFAULT);
  return own !== undefined && !!sources.clusterAccounts?.get(undefined, DEFAULT) && !isOlder(own, object);
}

/** Resolves accounts from what is in memory: no call is made and nothing is waited for. */
export function createAccountResolver(
  sources: AccountSources,
  registry: Pick<AccountRegistry, 'get'>,
  pauses: Pick<Pauses, 'ofUser'>,
  /** The other installation that looks after a ClusterCloudAccount, and the namespace it holds for that. */
  rivalOf: (name: string) => { readonly namespace: string; readonly holder: string } | undefined = () => undefined,
  bindings: Bindings = createBindings(),
): AccountResolver<SharedReason> {
  /** What was asked last: the session of an account that was deleted outlives it, and is no freer for that. */
  const asked = new Map<string, Account['spec']['approval']>();

  function accountOf(ref: AccountRef, namespace: string): Account | undefined {
    return ref.kind === 'CloudAccount'
      ? sources.accounts.get(namespace, ref.name)
      : sources.clusterAccounts?.get(undefined, ref.name);
  }

  return {
    approvalOf(namespace, spec, recorded) {
      const ref = accountRefOf(namespace, spec, recorded, sources);
      const key = accountKey(ref, namespace);
      const account = accountOf(ref, namespace);
      if (account) asked.set(key, account.spec.approval);
      else if (!registry.get(key)) asked.delete(key);
      return asked.get(key);
    },

    forget: (account) => void asked.delete(account),

    unclear: (object) => (isUnclear(object, sources) ? holdLost : undefined),

    isAmbiguous: (object) => isAmbiguous(object, sources),

    bind(object, ref) {
      const { namespace = '' } = object.metadata;
      const account = accountOf(ref, namespace);
      if (!account || account.metadata.deletionTimestamp !== undefined) return undefined;
      return bindings.begin(accountKey(ref, namespace), keyOf(object.kind, object.metadata));
    },

    pausedBy: (namespace, spec, recorded) => pauses.ofUser(namespace, accountRefOf(namespace, spec, recorded, sources)),

    resolve(namespace, spec, recorded) {
      const ref = accountRefOf(namespace, spec, recorded, sources);
      const key = accountKey(ref, namespace);
      const account = accountOf(ref, namespace);
      if (account && !isAllowed(account, namespace, sources)) return { hold: holdNotAllowed(ref, namespace) };
      const rival = ref.kind === 'ClusterCloudAccount' ? rivalOf(ref.name) : undefined;
      if (rival) return { hold: holdElsewhere(ref, rival, spec.accountRef ?? recorded) };
      const session = registry.get(key);
      if (session?.circuit.isOpen()) return { hold: holdRejected(ref) };
      if (!session?.verified) {
        const isLeaving = sources.namespaces?.get(undefined, namespace)?.metadata.deletionTimestamp !== undefined;
        if (account && isLeaving) return { hold: holdInLeaving(ref, account, namespace) };
        return { hold: account ? holdNotReady(ref, account, recorded) : holdNotFound(ref, namespace, spec, recorded) };
      }
      // A session outlives its account by a moment, or for as long as what is there needs it.
      if (!account) {
        return { session, accountRef: ref, leaving: holdNotFound(ref, namespace, spec, recorded), isGone: true };
      }
      const isLeaving = account.metadata.deletionTimestamp !== undefined;
      return {
        session,
        accountRef: ref,
        ...(isLeaving && { leaving: holdLeaving(ref) }),
        ...(!session.onRecord && { unrecorded: holdUnrecorded(ref) }),
      };
    },
  };
}

/** Whether one was created before the other, as far as whole seconds tell. */
function isOlder(one: KubernetesObject, other: KubernetesObject): boolean {
  return Date.parse(one.metadata.creationTimestamp ?? '') < Date.parse(other.metadata.creationTimestamp ?? '');
}

/** What was begun before the namespace had a default account of its own may be in the one of the cluster. */
export const holdLost: Hold<SharedReason> = {
  state: 'Stalled',
  reason: AccountReason.AccountUnclear,
  message: `The status of this resource is gone, and with it in which account the resource is: in the ClusterCloudAccount default, or in the CloudAccount default of this namespace, which is not older than the resource. Nothing is done until that is clear. If it is in the CloudAccount, set the annotation ${Annotation.abandon}: "true", and remove it again. Otherwise delete it with that annotation, which leaves what it has at the service, and create it again with accountRef: {kind: ClusterCloudAccount, name: default}.`,
};

function isAllowed(account: Account, namespace: string, sources: AccountSources): boolean {
  const selector = account.spec.namespaceSelector;
  if (account.kind === 'CloudAccount' || !selector) return true;
  return selects(selector, sources.namespaces?.get(undefined, namespace)?.metadata.labels ?? {});
}

function holdNotFound(
  ref: AccountRef,
  namespace: string,
  spec: CommonSpec,
  recorded: AccountRef | undefined,
): Hold<SharedReason> {
  if (recorded) {
    return {
      state: 'Stalled',
      reason: AccountReason.CredentialsGone,
      message: `The ${ref.kind} ${ref.name}, in which this resource lives, is gone. Create it again, or set the annotation ${Annotation.abandon}: "true" to let go and keep what is at the service.`,
    };
  }
  const message = spec.accountRef
    ? `There is no ${ref.kind} ${ref.name}${ref.kind === 'CloudAccount' ? ` in namespace ${namespace}` : ''}. Create it; to use another account, create this resource again, for accountRef cannot be changed.`
    : `There is neither a CloudAccount named default in namespace ${namespace} nor a ClusterCloudAccount named default. Create one of them, or create this resource again with accountRef.`;
  return { state: 'Waiting', reason: AccountReason.AccountNotFound, message };
}

function holdNotReady(ref: AccountRef, account: Account, recorded: AccountRef | undefined): Hold<SharedReason> {
  const ready = findCondition(account.status?.conditions, 'Ready');
  const letGo = recorded ? ` To let go without it, set the annotation ${Annotation.abandon}: "true".` : '';
  const why = ready?.status === 'False' ? `: ${ready.message}` : ' yet.';
  return {
    state: 'Waiting',
    reason: AccountReason.AccountNotReady,
    message: `The ${ref.kind} ${ref.name} can't be used${why}${letGo}`,
    keepsReady: true,
    // One that was not looked at yet is on its way, as when all is applied at once.
    ...(ready?.status !== 'False' && { isProgress: true }),
  };
}

/** In a namespace that is being deleted nothing new can be made, no Secret either. */
function holdInLeaving(ref: AccountRef, account: Account, namespace: string): Hold<SharedReason> {
  const ready = findCondition(account.status?.conditions, 'Ready');
  const isOwn = ref.kind === 'CloudAccount';
  return {
    state: 'Waiting',
    reason: AccountReason.AccountNotReady,
    message: `Namespace ${namespace} is being deleted, and the ${ref.kind} ${ref.name} can't be used${ready?.status === 'False' ? ` (${ready.reason})` : ' yet'}. ${isOwn ? 'If its Secret is gone, none can be made there any more, and only letting go is left' : 'To go on without it, let go'}: set the annotation ${Annotation.abandon}: "true". What the resource has at the service (status.id) then stays there.`,
    keepsReady: true,
  };
}

function holdLeaving(ref: AccountRef): Hold<SharedReason> {
  return {
    state: 'Waiting',
    reason: AccountReason.AccountNotReady,
    message: `The ${ref.kind} ${ref.name} is being deleted and takes on nothing new. Create it again when it is gone, or create this resource again in another account.`,
  };
}

function holdUnrecorded(ref: AccountRef): Hold<SharedReason> {
  return {
    state: 'Waiting',
    reason: AccountReason.AccountNotReady,
    message: `The status of the ${ref.kind} ${ref.name} does not say yet which account of the service it opens, and nothing is made before.`,
    isProgress: true,
  };
}

/** `bound`: the account that the resource names or is in. Only without one does it get another by what the namespace has. */
function holdElsewhere(
  ref: AccountRef,
  { namespace, holder }: { readonly namespace: string; readonly holder: string },
  bound: AccountRef | undefined,
): Hold<SharedReason> {
  const other = bound
    ? 'delete this resource with deletionPolicy: Orphan, which leaves at the service what it has, and create it again with another accountRef'
    : `make a CloudAccount named ${DEFAULT} in this namespace`;
  return {
    state: 'Stalled',
    reason: CommonReason.HeldElsewhere,
    message: `The ${ref.kind} ${ref.name} is looked after by ${holder}, another installation of the operator: it holds namespace ${namespace}, where the account’s Secrets are. Uninstall one of the two; to use another account, ${other}. If ${holder} is gone, this installation takes over when its hold ends; at once after: kubectl -n ${namespace} delete lease ${HOLDER_LEASE}`,
  };
}

function holdRejected(ref: AccountRef): Hold<SharedReason> {
  return {
    state: 'Waiting',
    reason: FailureReason.CredentialsRejected,
    message: `The service refused the credentials of ${ref.kind} ${ref.name}. Correct its Secret; nothing is sent until then.`,
    keepsReady: true,
  };
}

function holdNotAllowed(ref: AccountRef, namespace: string): Hold<SharedReason> {
  return {
    state: 'Stalled',
    reason: AccountReason.AccountNotAllowed,
    message: `The ${ref.kind} ${ref.name} may not be used in namespace ${namespace}: its namespaceSelector does not select it. Label the namespace, widen the selector, or use another account.`,
  };
}
