import { createHash, X509Certificate } from 'node:crypto';
import { slownessOf } from '../../slow-key.ts';
import { certificatesIn } from '../../text.ts';
import { sizeText } from './answer-bounds.ts';

/** More is not read: reading a bundle holds up everything else, and those of whole operating systems have half of it. */
const MOST_BYTES = 512 * 1024;
const MOST_CERTIFICATES = 500;

/** Bundles that were read already, by digest, with what is wrong with them; each account's is read at every look at it. */
const read = new Map<string, string | undefined>();
const MOST_REMEMBERED = 100;

/** The PEM blocks of a CA bundle, or what is wrong with it, as a predicate: `holds no certificate`. */
export function readBundle(pem: string): { readonly certificates: readonly string[] } | { readonly problem: string } {
  const bytes = Buffer.byteLength(pem);
  if (bytes > MOST_BYTES)
    return { problem: `is ${sizeText(bytes)} in size, and at most ${sizeText(MOST_BYTES)} is read` };
  const certificates = certificatesIn(pem);
  if (certificates.length === 0) return { problem: 'holds no certificate' };
  if (certificates.length > MOST_CERTIFICATES) {
    return { problem: `holds ${certificates.length} certificates, and no more than ${MOST_CERTIFICATES} are read` };
  }
  const digest = createHash('sha256').update(pem).digest('base64');
  if (!read.has(digest)) {
    if (read.size >= MOST_REMEMBERED) read.clear();
    read.set(digest, firstAmiss(certificates));
  }
  const problem = read.get(digest);
  return problem === undefined ? { certificates } : { problem };
}

function firstAmiss(certificates: readonly string[]): string | undefined {
  for (const [index, block] of certificates.entries()) {
    const which = `(number ${index + 1} of ${certificates.length})`;
    try {
      const has = slownessOf(new X509Certificate(block));
      if (has !== undefined) return `holds a certificate ${which} for a key with ${has}`;
    } catch {
      return `holds a certificate that can't be read ${which}`;
    }
  }
  return undefined;
}
