// First: @peculiar/x509 looks for the metadata functions this one brings.
// oxlint-disable-next-line import/no-unassigned-import
import 'reflect-metadata';
import { createPrivateKey, KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';

const DAY_MILLISECONDS = 86_400_000;
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** A certificate and its private key, both PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly privateKey: string;
}

/** Makes the simulator's own certificate authority, good for ten years. */
export async function createAuthority(now: number): Promise<KeyPair> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serial(),
    name: 'O=Edgeline, CN=Edgeline simulator CA',
    notBefore: new Date(now - DAY_MILLISECONDS),
    notAfter: new Date(now + 3650 * DAY_MILLISECONDS),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: `${certificate.toString('pem')}\n`, privateKey: privatePEM(keys.privateKey) };
}

/** Issues the server's certificate, for the local names and the host it listens on. */
export async function issueLeaf(authority: KeyPair, hosts: readonly string[], now: number): Promise<KeyPair> {
  const issuer = new x509.X509Certificate(authority.certificate);
  const signingKey = createPrivateKey(authority.privateKey).toCryptoKey(algorithm, false, ['sign']);
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const names = [...new Set(['localhost', '127.0.0.1', '::1', ...hosts])];
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serial(),
    subject: 'CN=Edgeline simulator',
    issuer: issuer.subject,
    notBefore: new Date(now - DAY_MILLISECONDS),
    notAfter: new Date(now + 3650 * DAY_MILLISECONDS - 1000),
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isIP(value) ? ('ip' as const) : ('dns' as const), value })),
      ),
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: `${certificate.toString('pem')}\n`, privateKey: privatePEM(keys.privateKey) };
}

function serial(): string {
  return `00${Buffer.from(crypto.getRandomValues(new Uint8Array(15))).toString('hex')}`;
}

function privatePEM(key: Parameters<typeof KeyObject.from>[0]): string {
  return KeyObject.from(key).export({ type: 'pkcs8', format: 'pem' }).toString();
}
