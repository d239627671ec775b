// First: @peculiar/x509 looks for the metadata functions this one brings.
// oxlint-disable-next-line import/no-unassigned-import
import 'reflect-metadata';
import { domainToASCII } from 'node:url';
import * as x509 from '@peculiar/x509';
import { demoNamespace, madeBySandbox } from '../names.ts';
import type { Manifest } from './manifests.ts';
import type { WantedCertificate } from './wanted-certificates.ts';

const DAY_MILLISECONDS = 86_400_000;
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const authorityName = 'O=Edgeline, CN=Edgeline demo CA';

/** Signs certificates for as long as it's held; its own key is nowhere else. */
export interface DemoAuthority {
  /** A Secret with a certificate of 90 days for the domain, and its key; a new one at each call. */
  issue(wanted: WantedCertificate, namespace: string): Promise<Manifest>;
}

/**
 * Makes a certificate authority for the examples' sites: the service refuses self-signed certificates.
 *
 * @param now milliseconds since the epoch.
 */
export async function createDemoAuthority(now: number): Promise<DemoAuthority> {
  const keys = await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: authorityName,
    notBefore: new Date(now - DAY_MILLISECONDS),
    notAfter: new Date(now + 365 * DAY_MILLISECONDS),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ],
  });
  return {
    async issue({ secretName, domain }, namespace) {
      const leafKeys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
      const name = domainToASCII(domain);
      const leaf = await x509.X509CertificateGenerator.create({
        subject: `CN=${name}`,
        issuer: certificate.subject,
        notBefore: new Date(now - 60_000),
        notAfter: new Date(now + 90 * DAY_MILLISECONDS),
        signingAlgorithm: algorithm,
        publicKey: leafKeys.publicKey,
        signingKey: keys.privateKey,
        extensions: [
          new x509.BasicConstraintsExtension(false, undefined, true),
          new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
          new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: name }]),
        ],
      });
      const key = x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', leafKeys.privateKey), 'PRIVATE KEY');
      return {
        source: 'made by the sandbox',
        object: {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { name: secretName, namespace, labels: madeBySandbox },
          type: 'kubernetes.io/tls',
          stringData: { 'tls.crt': `${leaf.toString('pem')}\n`, 'tls.key': `${key}\n` },
        },
      };
    },
  };
}

/** The Secrets the examples' sites wait for, made now. */
export async function demoCertificates(wanted: readonly WantedCertificate[], now: number): Promise<Manifest[]> {
  if (wanted.length === 0) return [];
  const authority = await createDemoAuthority(now);
  return Promise.all(wanted.map((one) => authority.issue(one, demoNamespace)));
}
