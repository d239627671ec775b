// First: @peculiar/x509 looks for the metadata functions this one brings.
// oxlint-disable-next-line import/no-unassigned-import
import 'reflect-metadata';
import { createPrivateKey, type webcrypto, X509Certificate } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const DAY = 86_400_000;
const ECDSA = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const RSA = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: 2048,
};

/** Who issues certificates: its own certificate in PEM, and its keys. */
export interface Issuer {
  readonly pem: string;
  readonly keys: webcrypto.CryptoKeyPair;
}

/** A certificate with its key, as a kubernetes.io/tls Secret holds them. */
export interface Issued {
  /** Leaf and, unless the issuer is a root, the issuer; PEM. */
  readonly chain: string;
  readonly leaf: string;
  readonly key: string;
  /** SHA-256, hexadecimal, lower case. */
  readonly fingerprint: string;
  readonly notAfter: number;
}

export interface IssueOptions {
  readonly notBefore?: number;
  readonly notAfter?: number;
  readonly algorithm?: 'ecdsa' | 'rsa';
  readonly keyFormat?: 'pkcs1' | 'sec1' | 'pkcs8';
  /** No authority: the certificate signs itself. */
  readonly selfSigned?: boolean;
}

export async function createRoot(name = 'Test root'): Promise<Issuer> {
  const keys = await crypto.subtle.generateKey(ECDSA, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serial(),
    name: `CN=${name}`,
    notBefore: new Date(Date.now() - 3650 * DAY),
    notAfter: new Date(Date.now() + 3650 * DAY),
    signingAlgorithm: ECDSA,
    keys,
    extensions: [new x509.BasicConstraintsExtension(true, 2, true)],
  });
  return { pem: `${certificate.toString('pem')}\n`, keys };
}

export async function createIntermediate(root: Issuer): Promise<Issuer> {
  const keys = await crypto.subtle.generateKey(ECDSA, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serial(),
    subject: 'CN=Test intermediate',
    issuer: new x509.X509Certificate(root.pem).subject,
    notBefore: new Date(Date.now() - 3650 * DAY),
    notAfter: new Date(Date.now() + 3650 * DAY),
    signingAlgorithm: ECDSA,
    publicKey: keys.publicKey,
    signingKey: root.keys.privateKey,
    extensions: [new x509.BasicConstraintsExtension(true, 1, true)],
  });
  return { pem: `${certificate.toString('pem')}\n`, keys };
}

/** Issues a certificate for these domains; valid from yesterday for ninety days unless told otherwise. */
export async function issue(issuer: Issuer, domains: readonly string[], options: IssueOptions = {}): Promise<Issued> {
  const { notBefore = Date.now() - DAY, notAfter = Date.now() + 90 * DAY } = options;
  const keys =
    options.algorithm === 'rsa'
      ? await crypto.subtle.generateKey(RSA, true, ['sign', 'verify'])
      : await crypto.subtle.generateKey(ECDSA, true, ['sign', 'verify']);
  const common = {
    serialNumber: serial(),
    notBefore: new Date(notBefore),
    notAfter: new Date(notAfter),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.SubjectAlternativeNameExtension(domains.map((value) => ({ type: 'dns', value }))),
    ],
  };
  const certificate = options.selfSigned
    ? await x509.X509CertificateGenerator.createSelfSigned({
        ...common,
        name: 'CN=Self',
        signingAlgorithm: ECDSA,
        keys,
      })
    : await x509.X509CertificateGenerator.create({
        ...common,
        subject: 'CN=Test site',
        issuer: new x509.X509Certificate(issuer.pem).subject,
        signingAlgorithm: ECDSA,
        publicKey: keys.publicKey,
        signingKey: issuer.keys.privateKey,
      });
  const leaf = `${certificate.toString('pem')}\n`;
  return {
    leaf,
    chain: isRoot(issuer) || options.selfSigned ? leaf : `${leaf}${issuer.pem}`,
    key: await keyPEM(keys.privateKey, options.keyFormat ?? 'pkcs8'),
    fingerprint: new X509Certificate(leaf).fingerprint256.replaceAll(':', '').toLowerCase(),
    notAfter: Math.floor(notAfter / 1000) * 1000,
  };
}

/** A kubernetes.io/tls Secret. */
export function tlsSecret(
  name: string,
  { chain, key }: Pick<Issued, 'chain' | 'key'>,
  type = 'kubernetes.io/tls',
): object {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name },
    type,
    stringData: { 'tls.crt': chain, 'tls.key': key },
  };
}

function isRoot({ pem }: Issuer): boolean {
  const { subject, issuer } = new X509Certificate(pem);
  return subject === issuer;
}

async function keyPEM(key: webcrypto.CryptoKey, type: 'pkcs1' | 'sec1' | 'pkcs8'): Promise<string> {
  const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', key));
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({ type, format: 'pem' }).toString();
}

function serial(): string {
  return `00${Buffer.from(crypto.getRandomValues(new Uint8Array(15))).toString('hex')}`;
}
