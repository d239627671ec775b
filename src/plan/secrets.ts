import type { Account } from '../kinds/cloud-account/schema.ts';
import type { Apiserver } from '../shadow/apiserver/apiserver.ts';
import { accountKeyOf, keyOfAccount, managedIn } from './accounts.ts';
import { collection } from './manifests/rehearse.ts';
import { isMembers, keyOf, memberAt, type ObjectJson, type Objects, textAt } from './objects.ts';
import { type SecretName, secretsNamed, standIns } from './stand-ins.ts';

/** The Secrets of these names, as far as they are there; `forbidden`: nobody may say. */
export type ReadSecrets = (names: readonly SecretName[]) => Promise<{
  readonly found: readonly ObjectJson[];
  readonly forbidden: readonly SecretName[];
}>;

/** What a plan does not know for want of Secrets. */
export interface Withheld {
  /** Resources that nothing can be said about, by `keyOf`, with a sentence why. */
  readonly unknown: ReadonlyMap<string, string>;
  readonly notes: readonly string[];
}

/** Puts the Secrets that matter beside those of the manifests; what may not be read gets a stand-in. */
export async function bringSecrets(
  apiserver: Apiserver,
  objects: Objects,
  options: {
    /** The resources that a plan is about, by `keyOf`. */
    readonly concerned: ReadonlySet<string>;
    /** Those that bear on them: their accounts must be open, too. */
    readonly neighbours: ReadonlySet<string>;
    /** Of manifests that name none. */
    readonly namespace: string;
    readonly read: ReadSecrets;
  },
): Promise<Withheld> {
  const { concerned } = options;
  const wanted = managedIn(objects).filter(({ key }) => concerned.has(key));
  const near = managedIn(objects).filter(({ key }) => concerned.has(key) || options.neighbours.has(key));
  const accounts = new Set(near.map(({ object }) => accountKeyOf(object, objects.accounts)));
  const naming = [
    ...wanted.map(({ object }) => ({ ...object })),
    ...objects.accounts.filter((account) => accounts.has(keyOfAccount(account))).map((account) => ({ ...account })),
  ];
  const names = secretsNamed(naming, options.namespace).filter(
    ({ namespace, name }) => !apiserver.get('secrets', namespace, name),
  );
  const { found, forbidden } = names.length === 0 ? { found: [], forbidden: [] } : await options.read(names);
  for (const secret of [...found, ...standIns(forbidden, naming, options.namespace)]) {
    const path = collection('secrets', textAt(secret, 'metadata', 'namespace') ?? '');
    const metadata = memberAt(secret, 'metadata');
    const { resourceVersion: _, ...kept } = isMembers(metadata) ? metadata : {};
    const body = JSON.stringify({ ...secret, metadata: kept });
    apiserver.handle({ method: 'POST', path, user: 'plan', body });
  }
  for (const account of objects.accounts) if (lacksBundle(account, forbidden)) withoutBundle(apiserver, account);
  const unknown = new Map<string, string>();
  for (const certificate of objects.certificates) {
    const { namespace = '', name } = certificate.metadata;
    const isWithheld = forbidden.some(
      (one) => one.namespace === namespace && one.name === certificate.spec.secretRef.name,
    );
    const key = keyOf('sitecertificates', namespace, name);
    if (isWithheld && concerned.has(key))
      unknown.set(
        key,
        `SiteCertificate ${namespace}/${name}: you may not read its Secret ${certificate.spec.secretRef.name}, so it is not known whether the certificate would be uploaded.`,
      );
  }
  // What opens an account is there already, or the service could not be asked, which is said.
  const ofResources = secretsNamed(
    wanted.map(({ object }) => ({ ...object })),
    options.namespace,
  );
  const notes = forbidden
    .filter((one) => ofResources.some(({ namespace, name }) => namespace === one.namespace && name === one.name))
    .map(
      ({ namespace, name }) =>
        `You may not read the Secret ${namespace}/${name}: whether what it holds is news for the service is not known.`,
    );
  return { unknown, notes };
}

/** Nothing can stand in for certificates, without which an account can't be used; in a plan nobody connects to anything. */
function lacksBundle({ spec, metadata }: Account, forbidden: readonly SecretName[]): boolean {
  const place = metadata.namespace ?? spec.secretNamespace;
  return forbidden.some(({ namespace, name }) => namespace === place && name === spec.caBundleSecretRef?.name);
}

function withoutBundle(apiserver: Apiserver, account: Account): void {
  const plural = account.kind === 'CloudAccount' ? 'cloudaccounts' : 'clustercloudaccounts';
  apiserver.handle({
    method: 'PATCH',
    path: `${collection(plural, account.metadata.namespace ?? '')}/${account.metadata.name}`,
    user: 'plan',
    contentType: 'application/merge-patch+json',
    body: JSON.stringify({ spec: { caBundleSecretRef: null } }),
  });
}
