import { isDeepStrictEqual } from 'node:util';
import { FINALIZER } from '../kinds/cloud-account/reconciler.ts';
import type { Records } from '../kinds/cloud-account/records.ts';
import type { Account } from '../kinds/cloud-account/schema.ts';
import type { AccountUsers } from '../kinds/cloud-account/users.ts';
import type { Informer } from '../kubernetes/informer.ts';
import { Annotation, isPaused } from '../reconcile/annotations.ts';
import { createIndex } from '../reconcile/indexer.ts';
import { keyOf, type ObjectKey } from '../reconcile/reconciler.ts';
import { createPutBack } from './put-back.ts';
import type { Wiring } from './wiring.ts';

/** Connects one kind of account: its own changes, those of the Secrets it names, and whoever uses it. */
export function watchAccounts(
  {
    informers,
    users,
    enqueue,
    enqueueAfter,
    clock,
  }: Pick<Wiring, 'informers' | 'users' | 'enqueue' | 'enqueueAfter' | 'clock'>,
  kind: 'CloudAccount' | 'ClusterCloudAccount',
  informer: Informer<Account>,
  records: Pick<Records, 'isReplaced'>,
): void {
  const bySecret = createIndex(informer, secretsOf);
  const putBack = createPutBack(clock);

  informer.onChange(({ old, new: current }) => {
    const account = current ?? old;
    if (!account) return;
    const key = keyOf(kind, account.metadata);
    const { generation, deletionTimestamp, annotations } = account.metadata;
    const isNews =
      old?.metadata.generation !== generation ||
      old?.metadata.deletionTimestamp !== deletionTimestamp ||
      !isDeepStrictEqual(old?.metadata.annotations, annotations) ||
      (old && current && hasLostRecord(old, current)) ||
      records.isReplaced(key, account.status?.budget) ||
      // A command waits until what it is about to send is counted.
      !isDeepStrictEqual(old?.status?.allotments ?? [], account.status?.allotments ?? []);
    if (!current || isNews) enqueue(key, deletionTimestamp ? 'deletion' : 'change');
    if (current && old && hasLostFinalizer(old, current)) enqueueAfter(key, putBack.wait(current.metadata.uid));
    if (!current) putBack.forget(account.metadata.uid);
    const isPauseNews = old && current && isPaused(old) !== isPaused(current);
    const isReleaseNews = old && current && !isDeepStrictEqual(holdingOf(old), holdingOf(current));
    if (!current || !old || isPauseNews || isReleaseNews) enqueueUsers(users, key, enqueue);
    // Of one that is gone nobody is a user by default any more.
    if (!current) for (const user of users.byDefault(key)) enqueue(user, 'change');
  });

  informers.namespaces?.onChange(({ old, new: current }) => {
    if (!current || isPaused(current) === (old !== undefined && isPaused(old))) return;
    for (const { metadata } of informer.byNamespace(current.metadata.name)) enqueue(keyOf(kind, metadata), 'change');
  });

  informers.secrets.onChange(({ old, new: current }) => {
    const secret = current ?? old;
    if (!secret) return;
    for (const account of bySecret.get(`${secret.metadata.namespace}/${secret.metadata.name}`)) {
      enqueue(keyOf(kind, account.metadata), 'change');
    }
  });
}

/** Whether a status lacks something that it told, or is no longer of the same access: somebody else wrote it. */
function hasLostRecord({ status: old = {} }: Account, { status = {} }: Account): boolean {
  const told: Readonly<Record<string, unknown>> = status;
  return status.identity !== old.identity || Object.keys(old).some((field) => told[field] === undefined);
}

/** Whether somebody took our finalizer off: deleted now, it would go though resources need it. */
function hasLostFinalizer({ metadata: old }: Account, { metadata }: Account): boolean {
  const has = ({ finalizers }: Account['metadata']) => finalizers?.includes(FINALIZER) === true;
  return metadata.deletionTimestamp === undefined && has(old) && !has(metadata);
}

/** What decides what is held, by the brakes or for approval, as far as people write it. */
function holdingOf({ spec, metadata: { annotations = {} } }: Account): unknown {
  return [
    spec.approval,
    spec.brakes,
    annotations[Annotation.releaseDeletions],
    annotations[Annotation.releaseCreations],
  ];
}

/** Everybody who uses the account is to be looked at. */
export function enqueueUsers(users: AccountUsers, account: ObjectKey, enqueue: Wiring['enqueue']): void {
  for (const key of [...users.of(account).values()].flat()) enqueue(key, 'change');
}

function secretsOf(account: Account): string[] {
  const namespace = account.metadata.namespace ?? account.spec.secretNamespace ?? '';
  const { credentialsSecretRef, caBundleSecretRef } = account.spec;
  return [credentialsSecretRef.name, ...(caBundleSecretRef ? [caBundleSecretRef.name] : [])].map(
    (name) => `${namespace}/${name}`,
  );
}
