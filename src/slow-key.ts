import type { KeyObject, X509Certificate } from 'node:crypto';

/** Of true keys it is 65537, or 3. Checking a signature takes longer in proportion to it: a hundred times, where it is as long as the modulus. */
const MOST_EXPONENT_BITS = 32;
/** Authorities use half of it. */
const MOST_MODULUS_BITS = 8192;

/** What of a public key makes signatures take long to check, as in `a key with …`: whoever shows many keeps a process from its work. Undefined: nothing. */
export function slownessOf(certificate: Pick<X509Certificate, 'publicKey'>): string | undefined {
  const { modulusLength = 0, publicExponent = 0n } = detailsOf(certificate) ?? {};
  const exponentBits = publicExponent.toString(2).length;
  if (exponentBits > MOST_EXPONENT_BITS) {
    return `a public exponent of ${exponentBits} bits, and no more than ${MOST_EXPONENT_BITS} are taken`;
  }
  if (modulusLength > MOST_MODULUS_BITS) {
    return `a modulus of ${modulusLength} bits, and no more than ${MOST_MODULUS_BITS} are taken`;
  }
  return undefined;
}

/** Undefined of a key that can't be read here: no signature is checked with it either. */
function detailsOf(certificate: Pick<X509Certificate, 'publicKey'>): KeyObject['asymmetricKeyDetails'] {
  try {
    return certificate.publicKey.asymmetricKeyDetails;
  } catch {
    return undefined;
  }
}
