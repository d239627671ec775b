import type { Account } from '../kinds/cloud-account/schema.ts';
import type { ManagedKindName } from '../reconcile/kind-names.ts';
import type { ManagedObject } from '../reconcile/managed-object.ts';
import type { StoredObject } from '../shadow/apiserver/apiserver.ts';
import { keyOf, memberAt, type Objects, textAt } from './objects.ts';

/** The credentials of an account of the service. */
export interface Credentials {
  readonly accessToken: string;
  readonly accessTokenSecret: string;
}

/** An account that a plan needs, and what opens it. */
export interface UsedAccount {
  readonly key: string;
  readonly account: Account;
  /** Undefined: they could not be read, or are not there. */
  readonly credentials: Credentials | undefined;
  /** PEM bundle. */
  readonly ca: string | undefined;
}

/** The account that a resource goes by, by `keyOf`: named, recorded, or the default one of its namespace, else of the cluster. */
export function accountKeyOf({ metadata, spec, status }: ManagedObject, accounts: readonly Account[]): string {
  const { namespace } = metadata;
  const ref = spec.accountRef ?? status?.accountRef;
  const own = accounts.some(
    (one) => one.kind === 'CloudAccount' && one.metadata.namespace === namespace && one.metadata.name === 'default',
  );
  const { kind, name } = ref ?? { kind: own ? 'CloudAccount' : 'ClusterCloudAccount', name: 'default' };
  return kind === 'CloudAccount' ? keyOf('cloudaccounts', namespace, name) : keyOf('clustercloudaccounts', '', name);
}

export function keyOfAccount({ kind, metadata }: Account): string {
  return keyOf(kind === 'CloudAccount' ? 'cloudaccounts' : 'clustercloudaccounts', metadata.namespace, metadata.name);
}

/** The accounts that resources go by, with what their Secrets hold. */
export function usedAccounts(
  objects: Objects,
  concerned: ReadonlySet<string>,
  secret: (namespace: string, name: string) => StoredObject | undefined,
): UsedAccount[] {
  const used = new Set(
    managedIn(objects)
      .filter(({ key }) => concerned.has(key))
      .map(({ object }) => accountKeyOf(object, objects.accounts)),
  );
  return objects.accounts
    .filter((account) => used.has(keyOfAccount(account)))
    .map((account) => {
      const { spec, metadata } = account;
      const place = metadata.namespace ?? spec.secretNamespace ?? '';
      const held = secret(place, spec.credentialsSecretRef.name);
      const accessToken = valueOf(held, 'accessToken')?.trim();
      const accessTokenSecret = valueOf(held, 'accessTokenSecret')?.trim();
      const bundle = spec.caBundleSecretRef;
      return {
        key: keyOfAccount(account),
        account,
        credentials: accessToken && accessTokenSecret ? { accessToken, accessTokenSecret } : undefined,
        ca: bundle && valueOf(secret(place, bundle.name), bundle.key),
      };
    });
}

/** All resources with something at the service, with their keys. */
export function managedIn({ sims, gateways, sites, certificates }: Objects): { key: string; object: ManagedObject }[] {
  const keyed = (plural: string, objects: readonly ManagedObject[]) =>
    objects.map((object) => ({ key: keyOf(plural, object.metadata.namespace, object.metadata.name), object }));
  const byKind = {
    MobileGateway: keyed('mobilegateways', gateways),
    Sim: keyed('sims', sims),
    WebAccelSite: keyed('webaccelsites', sites),
    SiteCertificate: keyed('sitecertificates', certificates),
  } satisfies Record<ManagedKindName, unknown>;
  return Object.values(byKind).flat();
}

function valueOf(secret: StoredObject | undefined, key: string): string | undefined {
  const encoded = textAt(secret, 'data', key);
  return encoded === undefined || memberAt(secret, 'metadata', 'annotations', STAND_IN) !== undefined
    ? undefined
    : Buffer.from(encoded, 'base64').toString('utf8');
}

/** Marks a Secret that could not be read, and stands in for it. */
export const STAND_IN = 'edgeline.dev/stand-in';
/** Stands in for each value of such a Secret. */
export const UNKNOWN_VALUE = 'value-of-a-Secret-that-cannot-be-read';
