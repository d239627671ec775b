/** The codes of OpenSSL and Node for a certificate that no trusted authority has signed. */
const UNTRUSTED_CODES = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_UNTRUSTED',
  'CERT_SIGNATURE_FAILURE',
];

/** What is to be said of a certificate that is not trusted, by each code that an error for that has. Pure. */
export function byUntrustedCode<T>(said: T): Readonly<Record<string, T>> {
  return Object.fromEntries(UNTRUSTED_CODES.map((code) => [code, said]));
}
