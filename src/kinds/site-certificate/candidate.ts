import { createHash, createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { SecretValue } from '../../reconcile/secret-value.ts';
import { slownessOf } from '../../slow-key.ts';
import { BEGIN_CERTIFICATE, certificatesIn, END_CERTIFICATE } from '../../text.ts';

/** What a Secret with a certificate holds, as text. */
export interface SecretFacts {
  readonly name: string;
  readonly type: string;
  /** `tls.crt`, PEM. */
  readonly certificate: string | undefined;
  /** `tls.key`, PEM. */
  readonly key: SecretValue | undefined;
}

/** A certificate that could go on a site. */
export interface Candidate {
  /** The chain, leaf first, PEM. */
  readonly chain: string;
  /** See {@link digestOf}. */
  readonly chainDigest: string;
  readonly key: SecretValue;
  readonly fingerprint: string;
  /** Milliseconds since the epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
}

/** Longer chains do not exist; each certificate costs the checking of a signature. */
export const LONGEST_CHAIN = 30;

/** Why a PEM text is no chain: the position (from 1) of a certificate that can't be read, is cut off or has a slow key, or how many too many. */
export type Broken =
  | { readonly unreadable: number }
  | { readonly cutOff: number }
  | { readonly slow: number; readonly has: string }
  | { readonly tooMany: number };

/** Chains that are kept, parsed: each pass over a SiteCertificate looks at the same few. */
const MOST_KEPT = 64;
/** Longer texts are parsed each time. Characters. */
const LONGEST_KEPT = 16_384;
const kept = new Map<string, readonly X509Certificate[] | Broken>();

/** The certificates of a PEM text in their order, or what is wrong with it. Certificates are public: their texts may be kept. */
export function parseChain(pem: string): readonly X509Certificate[] | Broken {
  const known = kept.get(pem);
  if (known) return known;
  const chain = parsedChain(pem);
  // A text with a key in it is somebody's mistake, and not for keeping.
  if (pem.length > LONGEST_KEPT || pem.includes('PRIVATE KEY')) return chain;
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(pem, chain);
  return chain;
}

function parsedChain(pem: string): readonly X509Certificate[] | Broken {
  const blocks = certificatesIn(pem);
  if (blocks.length > LONGEST_CHAIN) return { tooMany: blocks.length };
  const cutOff = cutOffIn(pem);
  if (cutOff !== undefined) return { cutOff };
  const chain: X509Certificate[] = [];
  for (const block of blocks) {
    try {
      const certificate = new X509Certificate(block);
      const has = slownessOf(certificate);
      if (has !== undefined) return { slow: chain.length + 1, has };
      chain.push(certificate);
    } catch {
      return { unreadable: chain.length + 1 };
    }
  }
  return chain;
}

/** The position of the first certificate that begins without an end, or ends without a beginning. */
function cutOffIn(pem: string): number | undefined {
  let position = 1;
  for (let at = 0; ; position++) {
    const begin = pem.indexOf(BEGIN_CERTIFICATE, at);
    const end = pem.indexOf(END_CERTIFICATE, at);
    if (begin < 0 && end < 0) return undefined;
    const next = pem.indexOf(BEGIN_CERTIFICATE, begin + 1);
    if (begin < 0 || end < begin || (next >= 0 && next < end)) return position;
    at = end + END_CERTIFICATE.length;
  }
}

/** Stands for certificates in this order: SHA-256, hexadecimal, lower case. */
export function digestOf(chain: readonly X509Certificate[]): string {
  const hash = createHash('sha256');
  for (const { raw } of chain) hash.update(raw);
  return hash.digest('hex');
}

/** The certificates alone, without what else stands in the file. */
export function toPEM(chain: readonly X509Certificate[]): string {
  return chain.map((certificate) => certificate.toString()).join('');
}

/** An RSA or ECDSA key from PKCS#1, SEC 1 or PKCS#8 in PEM; undefined for everything else. The reason could quote the key. */
export function parseKey(key: SecretValue): KeyObject | undefined {
  try {
    const parsed = createPrivateKey(key.reveal());
    return parsed.asymmetricKeyType === 'rsa' || parsed.asymmetricKeyType === 'ec' ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** A SHA-256 in the one form in which fingerprints are compared: hexadecimal digits, lower case. */
export function canonicalFingerprint(fingerprint: string): string {
  return fingerprint.replace(/[^0-9a-fA-F]/g, '').toLowerCase();
}

/** The start of a fingerprint, for people. */
export function shortFingerprint(fingerprint: string): string {
  return canonicalFingerprint(fingerprint).slice(0, 12);
}
