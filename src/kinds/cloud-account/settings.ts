import type { DialectName } from '../../cloud/dialect.ts';
import type { AuthenticationScheme } from '../../cloud/http/authenticator.ts';
import { readBundle } from '../../cloud/http/ca-bundle.ts';
import { canonicalHost } from '../../cloud/http/tls.ts';
import { DEFAULT_REQUESTS_PER_SECOND, type Limits } from '../../cloud/limiter/limits.ts';
import type { SecretValue } from '../../reconcile/secret-value.ts';
import type { SecretContent, SecretReader } from '../../reconcile/secrets.ts';
import { type AccountHold, AccountReason } from './reasons.ts';
import type { Account } from './schema.ts';

/** As large as a Secret can be: what is too large is told by who reads it. */
const BUNDLE_BYTES = 1024 * 1024;

/** Everything a connection to the service is made of. */
export interface AccountSettings {
  readonly baseURL: string;
  readonly accessToken: SecretValue;
  readonly accessTokenSecret: SecretValue;
  readonly authentication: AuthenticationScheme;
  /** PEM bundle. */
  readonly ca: string | undefined;
  readonly dialect: DialectName;
  readonly limits: Limits;
}

/** What a client of the service is made with, the credentials in clear. */
export function accessOf({ baseURL, accessToken, accessTokenSecret, authentication, ca, dialect }: AccountSettings) {
  return {
    baseURL,
    accessToken: accessToken.reveal(),
    accessTokenSecret: accessTokenSecret.reveal(),
    authentication,
    ca,
    dialect,
  };
}

/** Reads what an account names, and says what is missing where it is missing. */
export async function readSettings(
  account: Account,
  secrets: SecretReader,
  allowedHosts: readonly string[] | undefined,
): Promise<{ settings: AccountSettings } | { hold: AccountHold }> {
  const { spec } = account;
  const namespace = account.metadata.namespace ?? spec.secretNamespace ?? '';
  const host = canonicalHost(spec.baseURL);
  if (allowedHosts && !allowedHosts.some((allowed) => canonicalHost(allowed) === host)) {
    // The whole list: whoever starts it with this host alone stops all other accounts.
    const all = [...allowedHosts, host];
    return stalled(
      AccountReason.HostNotAllowed,
      `This operator may talk to ${allowedHosts.join(', ')} only, not to ${host}. Correct baseURL, or start the operator with --allowed-hosts ${all.join(',')} (of the chart: allowedHosts: [${all.join(', ')}]).`,
    );
  }
  const name = spec.credentialsSecretRef.name;
  const secret = await secrets.read(namespace, name);
  if (!secret) {
    return waiting(
      AccountReason.SecretNotFound,
      `There is no Secret ${name} in namespace ${namespace}. Create it with the keys accessToken and accessTokenSecret.`,
    );
  }
  const accessToken = secret.word('accessToken');
  const accessTokenSecret = secret.word('accessTokenSecret');
  if (!accessToken || !accessTokenSecret) {
    const missing = accessToken ? 'accessTokenSecret' : 'accessToken';
    return waiting(
      AccountReason.SecretKeyMissing,
      `The Secret ${name} has no key ${missing}, or it is empty. It needs accessToken and accessTokenSecret, as the service's control panel shows them.`,
    );
  }
  const bundle = await bundleOf(account, namespace, secrets);
  if ('hold' in bundle) return bundle;
  return {
    settings: {
      baseURL: spec.baseURL.replace(/\/$/, ''),
      accessToken,
      accessTokenSecret,
      authentication: spec.authentication ?? 'Basic',
      ca: bundle.ca,
      dialect: spec.dialect ?? 'Documented',
      limits: {
        webAccelRequestsPerHour: spec.limits?.webAccelRequestsPerHour ?? 500,
        cloudRequestsPerSecond: spec.limits?.cloudRequestsPerSecond ?? DEFAULT_REQUESTS_PER_SECOND,
      },
    },
  };
}

async function bundleOf(
  account: Account,
  namespace: string,
  secrets: SecretReader,
): Promise<{ ca: string | undefined } | { hold: AccountHold }> {
  const ref = account.spec.caBundleSecretRef;
  if (!ref) return { ca: undefined };
  const secret: SecretContent | undefined = await secrets.read(namespace, ref.name);
  if (!secret) {
    return waiting(
      AccountReason.CABundleInvalid,
      `There is no Secret ${ref.name} in namespace ${namespace}, which caBundleSecretRef names. Create it with a PEM bundle under the key "${ref.key}".`,
    );
  }
  const ca = secret.get(ref.key, BUNDLE_BYTES)?.reveal();
  if (ca === undefined) {
    return waiting(
      AccountReason.CABundleInvalid,
      `The Secret ${ref.name}, which caBundleSecretRef names, has no key "${ref.key}", or it is empty. Put a PEM bundle there.`,
    );
  }
  const read = readBundle(ca);
  if (!('problem' in read)) return { ca };
  return stalled(
    AccountReason.CABundleInvalid,
    `The key "${ref.key}" of Secret ${ref.name}, which caBundleSecretRef names, ${read.problem}. Put certificates in PEM there, each between BEGIN CERTIFICATE and END CERTIFICATE.`,
  );
}

function waiting(reason: AccountReason, message: string): { hold: AccountHold } {
  return { hold: { state: 'Waiting', reason, message } };
}

function stalled(reason: AccountReason, message: string): { hold: AccountHold } {
  return { hold: { state: 'Stalled', reason, message } };
}
