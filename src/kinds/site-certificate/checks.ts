import type { KeyObject, X509Certificate } from 'node:crypto';
import { timestamp } from '../../kubernetes/objects.ts';
import type { SecretValue } from '../../reconcile/secret-value.ts';
import {
  type Candidate,
  canonicalFingerprint,
  digestOf,
  LONGEST_CHAIN,
  parseChain,
  parseKey,
  type SecretFacts,
  toPEM,
} from './candidate.ts';
import { type CertificateHold, CertificateReason } from './reasons.ts';

/** The names a certificate has to be for, in ASCII. */
export interface SiteNames {
  /** The domain as people know it. */
  readonly domain: string;
  /** What visitors ask for: every one has to be covered. */
  readonly served: readonly string[];
}

/** Everything the checks look at. Plain data, but for the key, which shows nothing. */
export interface CheckInput {
  readonly namespace: string;
  readonly secretName: string;
  readonly secret: SecretFacts | undefined;
  readonly site: SiteNames;
  /** The certificate on the site, where there is one: times in milliseconds since the epoch. */
  readonly current:
    | {
        readonly fingerprint: string;
        readonly notBefore?: number | undefined;
        readonly notAfter?: number | undefined;
        readonly issuer?: string | undefined;
      }
    | undefined;
  readonly allowRollback: boolean;
  readonly allowTemporary: boolean;
  /** Wall clock, milliseconds since the epoch. */
  readonly now: number;
}

/** The certificate to have on the site, or the first thing that is wrong with it. */
export type Checked = { readonly candidate: Candidate } | { readonly hold: CertificateHold };

/** What the checks after parsing look at. */
interface Parsed extends CheckInput {
  /** PEM, as the Secret has it. */
  readonly keyText: SecretValue;
  readonly chain: readonly X509Certificate[];
  readonly leaf: X509Certificate;
  readonly key: KeyObject;
}

type Check<T> = (input: T) => CertificateHold | undefined;

/** Checks in order, each a pure function; the first that finds something wrong ends the chain. */
const checks: readonly Check<Parsed>[] = [
  keyMatches,
  chainInOrder,
  coversDomain,
  notExpired,
  alreadyValid,
  notTemporary,
  notOlder,
];

/** Types of Secrets that a person or a controller puts a certificate into. */
const TYPES: ReadonlySet<string> = new Set(['kubernetes.io/tls', 'Opaque']);

/** Whose certificates cert-manager hands out until the true one is there, each from an authority it throws away. */
const TEMPORARY_ISSUER = 'CN=cert-manager.local';

/** Looks at a Secret, and says what to put on the site or why nothing can be. Pure. */
export function checkCertificate(input: CheckInput): Checked {
  const opened = open(input);
  if ('hold' in opened) return opened;
  const { parsed } = opened;
  for (const check of checks) {
    const hold = check(parsed);
    if (hold) return { hold };
  }
  const { leaf, chain, keyText } = parsed;
  return {
    candidate: {
      chain: toPEM(chain),
      chainDigest: digestOf(chain),
      key: keyText,
      fingerprint: canonicalFingerprint(leaf.fingerprint256),
      notBefore: leaf.validFromDate.getTime(),
      notAfter: leaf.validToDate.getTime(),
    },
  };
}

/** Present, of the right type, and readable. */
function open(input: CheckInput): { readonly parsed: Parsed } | { readonly hold: CertificateHold } {
  const { secret, secretName, namespace } = input;
  if (!secret) {
    return waiting(
      CertificateReason.SecretNotFound,
      `There is no Secret ${secretName} in namespace ${namespace} yet. Create it, or have cert-manager do it.`,
    );
  }
  if (!TYPES.has(secret.type)) {
    return stalled(
      CertificateReason.SecretTypeWrong,
      `The Secret ${secretName} is of the type ${secret.type}. Create it again as kubernetes.io/tls or Opaque, for example with kubectl create secret tls.`,
    );
  }
  const { certificate, key: keyText } = secret;
  if (!certificate || !keyText) {
    const missing = certificate ? 'tls.key' : 'tls.crt';
    return waiting(
      CertificateReason.SecretKeyMissing,
      `The Secret ${secretName} has no ${missing}, or it is empty. It needs tls.crt and tls.key.`,
    );
  }
  const chain = parseChain(certificate);
  if ('unreadable' in chain) {
    return stalled(
      CertificateReason.CertificateUnreadable,
      `tls.crt in the Secret ${secretName}: certificate ${chain.unreadable} can't be read. Put the certificate there as its authority gave it, in PEM.`,
    );
  }
  if ('cutOff' in chain) {
    return stalled(
      CertificateReason.CertificateUnreadable,
      `tls.crt in the Secret ${secretName}: certificate ${chain.cutOff} is cut off, for its BEGIN or its END line is missing. Put the whole file there as its authority gave it, in PEM.`,
    );
  }
  if ('slow' in chain) {
    return stalled(
      CertificateReason.CertificateUnreadable,
      `tls.crt in the Secret ${secretName}: certificate ${chain.slow} is for a key with ${chain.has}, as its signatures would take too long to check. Have it issued for an ordinary key, for example of 2048 bits.`,
    );
  }
  if ('tooMany' in chain) {
    return stalled(
      CertificateReason.CertificateUnreadable,
      `tls.crt in the Secret ${secretName} holds ${chain.tooMany} certificates, and no more than ${LONGEST_CHAIN} are read. Put only the certificate of the site and its issuers there.`,
    );
  }
  const [leaf] = chain;
  if (!leaf) {
    return stalled(
      CertificateReason.CertificateUnreadable,
      `tls.crt in the Secret ${secretName} holds no certificate. Put one there in PEM, between BEGIN CERTIFICATE and END CERTIFICATE.`,
    );
  }
  const key = parseKey(keyText);
  if (!key) {
    return stalled(
      CertificateReason.KeyUnreadable,
      `tls.key in the Secret ${secretName} is not a readable RSA or ECDSA key. Put the key there in PEM (PKCS#1, SEC 1 or PKCS#8), without a passphrase.`,
    );
  }
  return { parsed: { ...input, keyText, chain, leaf, key } };
}

function keyMatches({ leaf, key, secretName }: Parsed): CertificateHold | undefined {
  if (leaf.checkPrivateKey(key)) return undefined;
  return stall(
    CertificateReason.KeyMismatch,
    `tls.key in the Secret ${secretName} is not the key of the first certificate in tls.crt. Put the two that belong together there; the certificate of the site comes first.`,
  );
}

function chainInOrder({ chain, secretName }: Parsed): CertificateHold | undefined {
  for (const [index, certificate] of chain.entries()) {
    const issuer = chain[index + 1];
    if (!issuer || (certificate.checkIssued(issuer) && isSignedBy(certificate, issuer))) continue;
    return stall(
      CertificateReason.ChainOutOfOrder,
      `tls.crt in the Secret ${secretName}: certificate ${index + 2} did not issue certificate ${index + 1}. Put the certificate of the site first, then each one's issuer.`,
    );
  }
  return undefined;
}

/** Whether a certificate is signed by another, by the digests of both. */
const signatures = new Map<string, boolean>();
/** Of chains that many namespaces have in use. */
const MOST_SIGNATURES = 10_000;

/** Checking a signature takes longer than all else of a pass, and a chain that was read before was checked before, however long it is. */
function isSignedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  const pair = digestOf([certificate, issuer]);
  const signed = signatures.get(pair) ?? certificate.verify(issuer.publicKey);
  signatures.delete(pair);
  signatures.set(pair, signed);
  const [oldest] = signatures.keys();
  if (oldest !== undefined && signatures.size > MOST_SIGNATURES) signatures.delete(oldest);
  return signed;
}

function coversDomain({ leaf, site, secretName }: Parsed): CertificateHold | undefined {
  const missing = site.served.find((name) => leaf.checkHost(name, { subject: 'never' }) === undefined);
  if (missing === undefined) return undefined;
  const names = dnsNames(leaf);
  return stall(
    CertificateReason.DomainNotCovered,
    `The certificate in the Secret ${secretName} is for ${names.length > 0 ? names.join(', ') : 'no domain'}, not for ${missing}, the domain of the site. Have it issued for ${missing}.`,
  );
}

function notExpired({ leaf, now, secretName }: Parsed): CertificateHold | undefined {
  if (leaf.validToDate.getTime() > now) return undefined;
  return stall(
    CertificateReason.Expired,
    `The certificate in the Secret ${secretName} expired on ${dateOf(leaf.validToDate)}. Renew it.`,
  );
}

function alreadyValid({ leaf, now, secretName }: Parsed): CertificateHold | undefined {
  const left = leaf.validFromDate.getTime() - now;
  if (left <= 0) return undefined;
  return {
    state: 'Waiting',
    reason: CertificateReason.NotYetValid,
    message: `The certificate in the Secret ${secretName} is not valid until ${dateOf(leaf.validFromDate)}. It is put on the site then.`,
    retryAfterSeconds: Math.min(3600, Math.ceil(left / 1000)),
  };
}

/** It ends by itself: the true certificate takes its place in the same Secret. */
function notTemporary({ leaf, allowTemporary, secretName }: Parsed): CertificateHold | undefined {
  if (allowTemporary || leaf.issuer !== TEMPORARY_ISSUER) return undefined;
  return {
    state: 'Waiting',
    reason: CertificateReason.TemporaryCertificate,
    message: `The Secret ${secretName} holds the temporary certificate of cert-manager, which no browser trusts. What is on the site stays until the true one is issued; to put this one there, set allowTemporary: true.`,
  };
}

/**
 * One that has expired, or is temporary, is worth less than any that is not. Authorities date certificates back, by an hour or by days, so
 * that one that lasts longer is no older for having begun earlier.
 */
function notOlder({ leaf, current, allowRollback, now, secretName }: Parsed): CertificateHold | undefined {
  const isSame = current?.fingerprint === canonicalFingerprint(leaf.fingerprint256);
  if (!current || isSame || allowRollback || current.notBefore === undefined) return undefined;
  if (leaf.validFromDate.getTime() >= current.notBefore || current.issuer === TEMPORARY_ISSUER) return undefined;
  const { notAfter = Number.POSITIVE_INFINITY } = current;
  if (notAfter <= now || leaf.validToDate.getTime() > notAfter) return undefined;
  return stall(
    CertificateReason.OlderThanCurrent,
    `The certificate in the Secret ${secretName} is valid from ${dateOf(leaf.validFromDate)}, the one on the site from ${dateOf(new Date(current.notBefore))} and for at least as long: that one is newer and stays. Renew the Secret's, or set allowRollback: true.`,
  );
}

/** The domains of a certificate's subjectAltName. */
function dnsNames(certificate: X509Certificate): string[] {
  const names = (certificate.subjectAltName ?? '').split(', ').filter((name) => name.startsWith('DNS:'));
  return names.map((name) => name.slice(4));
}

function dateOf(date: Date): string {
  return timestamp(date.getTime());
}

function stall(reason: CertificateHold['reason'], message: string): CertificateHold {
  return { state: 'Stalled', reason, message };
}

function stalled(reason: CertificateHold['reason'], message: string): { hold: CertificateHold } {
  return { hold: stall(reason, message) };
}

function waiting(reason: CertificateHold['reason'], message: string): { hold: CertificateHold } {
  return { hold: { state: 'Waiting', reason, message } };
}
