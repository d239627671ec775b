import { systemClock } from '../../clock.ts';
import type { Account } from '../../kinds/cloud-account/schema.ts';
import { cloudAccountResource, clusterCloudAccountResource } from '../../kinds/cloud-account/schema.ts';
import { type AccountSettings, readSettings } from '../../kinds/cloud-account/settings.ts';
import { isNotFound } from '../../kubernetes/errors.ts';
import { type Resource, SECRETS } from '../../kubernetes/resource.ts';
import { keyOf, type ObjectKey } from '../../reconcile/reconciler.ts';
import { createSecretReader } from '../../reconcile/secrets.ts';
import { ClusterError, clusterError } from '../errors.ts';
import type { Session } from '../session.ts';
import { AccountUnusable } from './errors.ts';

/** Which account is meant; without one, the `default` of the namespace, else that of the cluster. */
export interface AccountChoice {
  readonly kind: 'CloudAccount' | 'ClusterCloudAccount';
  readonly name: string;
}

/** An account as it is in the cluster, and where. */
export interface FoundAccount {
  readonly ref: AccountChoice;
  readonly resource: Resource;
  /** Undefined: it is the cluster's. */
  readonly namespace: string | undefined;
  readonly key: ObjectKey;
  readonly account: Account;
}

const DEFAULT: AccountChoice = { kind: 'CloudAccount', name: 'default' };

/** Reads the account. Throws `ClusterError`. */
export async function findAccount(
  session: Session,
  namespace: string,
  choice: AccountChoice | undefined,
): Promise<FoundAccount> {
  try {
    return await getAccount(session, namespace, choice ?? DEFAULT);
  } catch (error) {
    if (choice || !isMissing(error)) throw error;
    return await getAccount(session, namespace, { ...DEFAULT, kind: 'ClusterCloudAccount' }).catch((other: unknown) => {
      throw noDefault(namespace, other);
    });
  }
}

/** There is none in the namespace; `other` is what came of looking for that of the cluster. */
function noDefault(namespace: string, other: unknown): unknown {
  if (!(other instanceof ClusterError)) return other;
  return new ClusterError(
    isMissing(other)
      ? `there is neither a CloudAccount default in namespace ${namespace} nor a ClusterCloudAccount default`
      : `there is no CloudAccount default in namespace ${namespace}, and of a ClusterCloudAccount default it is not known: ${other.message}`,
    'Name the namespace with -n, or the account with --account: `kubectl get cloudaccounts,clustercloudaccounts -A` lists what there is.',
    { cause: other },
  );
}

/** All accounts there are, of both kinds. Throws `ClusterError`. */
export async function listAccounts(session: Session): Promise<Pick<FoundAccount, 'key' | 'account'>[]> {
  const found = await Promise.all(
    [cloudAccountResource, clusterCloudAccountResource].map(async (resource) => {
      const accounts = await session.list<Account>(resource, undefined);
      return accounts.map((account) => ({ key: keyOf(resource.kind, account.metadata), account }));
    }),
  );
  return found.flat();
}

/** The same account as it is now. Throws `ClusterError`. */
export function readAgain(session: Session, { ref, namespace }: FoundAccount): Promise<FoundAccount> {
  return getAccount(session, namespace ?? '', ref);
}

async function getAccount(session: Session, namespace: string, ref: AccountChoice): Promise<FoundAccount> {
  const resource = ref.kind === 'CloudAccount' ? cloudAccountResource : clusterCloudAccountResource;
  const place = resource.namespaced ? namespace : undefined;
  const account = await session.get<Account>(resource, place, ref.name);
  return { ref, resource, namespace: place, key: keyOf(ref.kind, { name: ref.name, namespace: place }), account };
}

const isMissing = (error: unknown) => error instanceof ClusterError && isNotFound(error.cause);

/** Where the Secrets of an account are, and who looks after it. */
export function homeOf({ account }: Pick<FoundAccount, 'account'>): string {
  return account.metadata.namespace ?? account.spec.secretNamespace ?? '';
}

/**
 * What the account names in Secrets, read with the permissions of whoever runs the command.
 * @throws ClusterError when the Secrets may not be read, AccountUnusable when they do not have what is needed
 */
export async function openSettings(session: Session, found: FoundAccount): Promise<AccountSettings> {
  const { client, server } = session;
  const secrets = createSecretReader(
    {
      async get(resource, namespace, name) {
        try {
          return await client.get(resource, namespace, name, { retry: false });
        } catch (error) {
          if (isNotFound(error)) throw error;
          throw clusterError(error, { verb: 'get', resource: SECRETS, namespace, name, server });
        }
      },
    },
    () => undefined,
    systemClock,
  );
  const read = await readSettings(found.account, secrets, undefined);
  if ('settings' in read) return read.settings;
  const { kind, name } = found.ref;
  throw new AccountUnusable(`the ${kind} ${name} can't be used: ${read.hold.message}`, 'Correct it, and try again.');
}
