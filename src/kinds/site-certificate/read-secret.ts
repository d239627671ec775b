import type { SecretReader } from '../../reconcile/secrets.ts';
import { canonicalFingerprint, digestOf, parseChain, type SecretFacts } from './candidate.ts';
import { fromGeneration } from './observe.ts';
import { differs } from './plan.ts';
import type { SiteCertificate } from './schema.ts';

/** A chain of the longest that are read, with large keys, has half as much. */
const CHAIN_BYTES = 256 * 1024;

/** What a SiteCertificate's Secret holds; undefined: there is none. */
export async function readSecret(object: SiteCertificate, secrets: SecretReader): Promise<SecretFacts | undefined> {
  const { name } = object.spec.secretRef;
  const secret = await secrets.read(object.metadata.namespace ?? '', name);
  return (
    secret && {
      name,
      type: secret.type,
      certificate: secret.get('tls.crt', CHAIN_BYTES)?.reveal(),
      key: secret.get('tls.key'),
    }
  );
}

/** Whether the Secret still holds what the status says is on the site, its chain included. */
export async function isAsRecorded(object: SiteCertificate, secrets: SecretReader): Promise<boolean> {
  return comparedWithRecord(object, await readSecret(object, secrets)) === 'same';
}

/** What the Secret holds, beside what the status says is on the site: `none` is nothing that could be. Pure. */
export function comparedWithRecord(
  object: SiteCertificate,
  secret: SecretFacts | undefined,
): 'same' | 'other' | 'none' {
  const chain = secret?.certificate === undefined ? [] : parseChain(secret.certificate);
  const leaf = 'length' in chain ? chain[0] : undefined;
  if (!('length' in chain) || !leaf) return 'none';
  const held = { fingerprint: canonicalFingerprint(leaf.fingerprint256), chainDigest: digestOf(chain) };
  return differs(held, fromGeneration(object.status?.current), object.status?.applied ?? {}) ? 'other' : 'same';
}
