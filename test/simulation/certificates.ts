import made from './certificates.json' with { type: 'json' };

/** A certificate for a site of the simulation, with its key: test keys, which are no secret. */
export interface TestCertificate {
  /** For example `a-2`: the second generation for `a.example.jp`; or what is special about it: `a-expired`. */
  readonly name: string;
  /** In ASCII; `*.` stands for one label. */
  readonly domains: readonly string[];
  /** Milliseconds since the Unix epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** SHA-256, hexadecimal, lower case. */
  readonly fingerprint: string;
  /** The leaf first, then the intermediate; PEM. */
  readonly chain: string;
  /** PKCS#8, PEM. */
  readonly key: string;
}

/** The moment the certificates are made for: simulated lives begin there. Milliseconds since the Unix epoch. */
export const epoch = Date.UTC(2026, 0, 1);

/** All of them, made by `scripts/simulation-certificates.ts`. */
export const certificates: readonly TestCertificate[] = made.certificates;

/** The one of this name. Throws when there is none. */
export function certificateNamed(name: string): TestCertificate {
  const found = certificates.find((certificate) => certificate.name === name);
  if (!found) throw new Error(`there is no test certificate ${name}`);
  return found;
}

/** A TLS Secret with one of them, as cert-manager leaves it. */
export function tlsSecret(name: string, certificate: string) {
  const { chain, key } = certificateNamed(certificate);
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  return {
    metadata: { name },
    type: 'kubernetes.io/tls',
    data: { 'tls.crt': base64(chain), 'tls.key': base64(key) },
  };
}
