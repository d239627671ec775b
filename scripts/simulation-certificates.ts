/*
 * Writes test/simulation/certificates.json: the certificates that sites of the simulation are given. Making them takes
 * webcrypto and chance, which a simulated life must do without, so they are made once and committed.
 *
 *   node scripts/simulation-certificates.ts
 */
// First: @peculiar/x509 looks for the metadata functions this one brings.
// oxlint-disable-next-line import/no-unassigned-import
import 'reflect-metadata';
import { webcrypto, X509Certificate } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import * as x509 from '@peculiar/x509';

const epoch = Date.UTC(2026, 0, 1);
const day = 86_400_000;
const hour = 1 / 24;
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const file = new URL('../test/simulation/certificates.json', import.meta.url);

interface Issuer {
  readonly pem: string;
  readonly subject: string;
  readonly keys: webcrypto.CryptoKeyPair;
}

const a = ['a.example.jp'];
const b = ['b.example.jp'];
const wildcard = ['example.jp', '*.example.jp'];
/** Name, domains, and from and to when it is valid: days from the epoch. */
const plain: readonly (readonly [name: string, domains: readonly string[], from: number, to: number])[] = [
  ['a-1', a, -60, 30],
  ['a-2', a, -20, 70],
  ['a-3', a, -2, 88],
  ['a-4', a, -1, 120],
  ['a-expires-after-an-hour', a, -90, hour],
  ['a-expires-after-a-day', a, -89, 1],
  ['a-expired', a, -100, -10],
  ['a-valid-after-half-an-hour', a, hour / 2, 90],
  ['a-valid-after-two-days', a, 2, 92],
  ['b-1', b, -60, 30],
  ['b-2', b, -20, 70],
  ['b-3', b, -2, 88],
  ['b-expired', b, -100, -10],
  ['c-1', ['c.example.jp'], -60, 30],
  ['c-2', ['c.example.jp'], -2, 88],
  ['wildcard-1', wildcard, -60, 30],
  ['wildcard-2', wildcard, -20, 70],
  ['wildcard-3', wildcard, -2, 88],
  ['a-and-b-1', [...a, ...b], -20, 70],
  ['a-and-b-2', [...a, ...b], -2, 88],
  // 日本語.jp
  ['japanese-1', ['xn--wgv71a119e.jp'], -60, 30],
  ['japanese-2', ['xn--wgv71a119e.jp'], -2, 88],
  ['subdomain-1', ['*.user.webaccel.example.jp'], -60, 30],
  ['subdomain-2', ['*.user.webaccel.example.jp'], -2, 88],
];

let lastSerial = 0x1000;
const serialNumber = () => (lastSerial++).toString(16).padStart(32, '0');
const span = (from: number, to: number) => ({
  notBefore: new Date(epoch + from * day),
  notAfter: new Date(epoch + to * day),
});

async function createIssuer(subject: string, by?: Issuer): Promise<Issuer> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject,
    issuer: by?.subject ?? subject,
    ...span(-3650, 3650),
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey: (by?.keys ?? keys).privateKey,
    extensions: [new x509.BasicConstraintsExtension(true, by ? 0 : 1, true)],
  });
  return { pem: `${certificate.toString('pem')}\n`, subject, keys };
}

/** Issues one; without an issuer it signs itself. */
async function issue(
  name: string,
  domains: readonly string[],
  [from, to]: readonly [number, number],
  issuer: Issuer | undefined,
  chain: readonly string[],
) {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const subject = 'CN=Test site';
  const { notBefore, notAfter } = span(from, to);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject,
    issuer: issuer?.subject ?? subject,
    notBefore,
    notAfter,
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey: (issuer?.keys ?? keys).privateKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.SubjectAlternativeNameExtension(domains.map((value) => ({ type: 'dns', value }))),
    ],
  });
  const leaf = `${certificate.toString('pem')}\n`;
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return {
    name,
    domains,
    notBefore: notBefore.getTime(),
    notAfter: notAfter.getTime(),
    fingerprint: new X509Certificate(leaf).fingerprint256.replaceAll(':', '').toLowerCase(),
    chain: [leaf, ...chain].join(''),
    key: `-----BEGIN PRIVATE KEY-----\n${der.match(/.{1,64}/g)?.join('\n')}\n-----END PRIVATE KEY-----\n`,
  };
}

const root = await createIssuer('CN=Test root');
const intermediate = await createIssuer('CN=Test intermediate', root);
const temporary = await createIssuer('CN=cert-manager.local');
const certificates = [];
for (const [name, domains, from, to] of plain) {
  certificates.push(await issue(name, domains, [from, to], intermediate, [intermediate.pem]));
}
certificates.push(
  await issue('a-with-root', a, [-2, 88], intermediate, [intermediate.pem, root.pem]),
  await issue('a-temporary', a, [-1, 89], temporary, []),
  await issue('a-self-signed', a, [-1, 89], undefined, []),
);
const content = {
  about:
    'Test certificates and test keys: made by scripts/simulation-certificates.ts, trusted by nobody, and no secret. Times are milliseconds since the Unix epoch.',
  root: root.pem,
  intermediate: intermediate.pem,
  certificates,
};
await writeFile(file, `${JSON.stringify(content, null, 2)}\n`);
