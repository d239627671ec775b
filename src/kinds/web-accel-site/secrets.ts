import { digestOfSecret } from '../../reconcile/seal.ts';
import type { SecretReader } from '../../reconcile/secrets.ts';
import type { AccountSession } from '../../reconcile/session.ts';
import type { DesiredSite } from './facts.ts';
import { type SiteHold, SiteReason } from './reasons.ts';
import type { WebAccelSite } from './schema.ts';
import type { SiteApplied } from './status-schema.ts';

/** What the spec asks for: its Secrets read, each with the digest that `applied` keeps of it. */
export async function desire(
  site: WebAccelSite,
  session: Pick<AccountSession, 'digest'>,
  secrets: SecretReader,
): Promise<DesiredSite> {
  const namespace = site.metadata.namespace ?? '';
  const [credentials, oneTimeURLSecret] = await Promise.all([
    credentialsOf(site, namespace, session, secrets),
    oneTimeURLSecretOf(site, namespace, session, secrets),
  ]);
  return { spec: site.spec, credentials, oneTimeURLSecret };
}

/** Whether the Secrets hold what was sent last, as `applied` keeps digests of it, or something else; or can't be had. */
export async function comparedToApplied(
  site: WebAccelSite,
  session: Pick<AccountSession, 'digest'>,
  secrets: SecretReader,
): Promise<'same' | 'other' | 'unknown'> {
  const { credentials, oneTimeURLSecret } = await desire(site, session, secrets);
  const applied: SiteApplied = site.status?.applied ?? {};
  const pairs = [
    [credentials, applied.originCredentials],
    [oneTimeURLSecret, applied.oneTimeURLSecret],
  ] as const;
  if (pairs.some(([fact, sent]) => fact && 'digest' in fact && fact.digest !== sent)) return 'other';
  return pairs.some(([fact]) => fact && 'hold' in fact) ? 'unknown' : 'same';
}

async function credentialsOf(
  site: WebAccelSite,
  namespace: string,
  session: Pick<AccountSession, 'digest'>,
  secrets: SecretReader,
): Promise<DesiredSite['credentials']> {
  const name = site.spec.origin?.objectStorage?.credentialsSecretRef.name;
  if (name === undefined) return undefined;
  const secret = await secrets.read(namespace, name);
  if (!secret) return { hold: holdMissing(namespace, name, 'the keys accessKeyID and secretAccessKey') };
  const accessKeyID = secret.word('accessKeyID');
  const secretAccessKey = secret.word('secretAccessKey');
  if (!accessKeyID || !secretAccessKey) {
    return { hold: holdKeyMissing(name, accessKeyID ? 'secretAccessKey' : 'accessKeyID') };
  }
  const digest = digestOfSecret(session, JSON.stringify([accessKeyID.reveal(), secretAccessKey.reveal()]));
  return { value: { accessKeyID, secretAccessKey }, digest };
}

async function oneTimeURLSecretOf(
  site: WebAccelSite,
  namespace: string,
  session: Pick<AccountSession, 'digest'>,
  secrets: SecretReader,
): Promise<DesiredSite['oneTimeURLSecret']> {
  const ref = site.spec.oneTimeURLSecretRef;
  if (!ref) return undefined;
  const secret = await secrets.read(namespace, ref.name);
  if (!secret) return { hold: holdMissing(namespace, ref.name, `the key "${ref.key}"`) };
  const value = secret.line(ref.key);
  if (!value) return { hold: holdKeyMissing(ref.name, ref.key) };
  return { value, digest: digestOfSecret(session, value.reveal()) };
}

function holdMissing(namespace: string, name: string, keys: string): SiteHold {
  return {
    state: 'Waiting',
    reason: SiteReason.SecretNotFound,
    message: `There is no Secret ${name} in namespace ${namespace}. Create it with ${keys}.`,
  };
}

function holdKeyMissing(name: string, key: string): SiteHold {
  return {
    state: 'Waiting',
    reason: SiteReason.SecretKeyMissing,
    message: `The Secret ${name} has no key "${key}", or it is empty. Add it.`,
  };
}

/** The Secrets a WebAccelSite names. */
export function secretNamesOf({ spec }: WebAccelSite): string[] {
  const names = [spec.origin?.objectStorage?.credentialsSecretRef.name, spec.oneTimeURLSecretRef?.name];
  return names.filter((name) => name !== undefined);
}
