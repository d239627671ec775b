import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type CheckInput, checkCertificate } from '../../../../src/kinds/site-certificate/checks.ts';
import { SecretValue } from '../../../../src/reconcile/secret-value.ts';
import { createIntermediate, createRoot, type Issued, type Issuer, issue } from '../../../support/certificates.ts';

const DAY = 86_400_000;
const now = Date.now();

let root: Issuer;
let intermediate: Issuer;
let good: Issued;
let other: Issued;
beforeAll(async () => {
  root = await createRoot();
  intermediate = await createIntermediate(root);
  good = await issue(intermediate, ['www.example.jp']);
  other = await issue(intermediate, ['www.example.jp']);
});

function input(
  tls: { certificate?: string; key?: string; type?: string } = {},
  rest: Partial<CheckInput> = {},
): CheckInput {
  const { certificate = good.chain, key = good.key, type = 'kubernetes.io/tls' } = tls;
  return {
    namespace: 'web',
    secretName: 'www-tls',
    secret: { name: 'www-tls', type, certificate, key: key === '' ? undefined : new SecretValue(key) },
    site: { domain: 'www.example.jp', served: ['www.example.jp'] },
    current: undefined,
    allowRollback: false,
    allowTemporary: false,
    now,
    ...rest,
  };
}

/** The reason and the message, or the fingerprint of what may go on the site. */
function result(given: CheckInput): unknown {
  const checked = checkCertificate(given);
  return 'hold' in checked ? [checked.hold.reason, checked.hold.message] : checked.candidate.fingerprint;
}

describe('a certificate that is in order', () => {
  it('may go on the site, with its chain and nothing else from the file', () => {
    const noise = `Bag Attributes\n    friendlyName: www\n${good.chain}`;
    const checked = checkCertificate(input({ certificate: noise }));
    expect(checked).toEqual({
      candidate: {
        chain: good.chain,
        chainDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
        key: expect.any(SecretValue),
        fingerprint: good.fingerprint,
        notBefore: expect.any(Number),
        notAfter: good.notAfter,
      },
    });
  });

  it.each([
    ['a wildcard', ['*.example.jp'], 'www.example.jp'],
    ['one of many names', ['example.jp', 'www.example.jp'], 'www.example.jp'],
    ['a name in ASCII form', ['xn--wgv71a119e.jp'], 'xn--wgv71a119e.jp'],
    ['another case', ['WWW.Example.jp'], 'www.example.jp'],
  ])('covers the domain by %s', async (_, names, domain) => {
    const { chain, key, fingerprint } = await issue(intermediate, names);
    expect(result(input({ certificate: chain, key }, { site: { domain, served: [domain] } }))).toBe(fingerprint);
  });

  it.each([
    ['ecdsa', 'sec1'],
    ['ecdsa', 'pkcs8'],
    ['rsa', 'pkcs1'],
    ['rsa', 'pkcs8'],
  ] as const)('may have an %s key as %s', async (algorithm, keyFormat) => {
    const { chain, key, fingerprint } = await issue(intermediate, ['www.example.jp'], { algorithm, keyFormat });
    expect(result(input({ certificate: chain, key }))).toBe(fingerprint);
  });

  it('may come with its root', () => {
    expect(result(input({ certificate: `${good.chain}${root.pem}` }))).toBe(good.fingerprint);
  });
});

describe('a certificate that is not in order', () => {
  it('is not there', () => {
    expect(result({ ...input(), secret: undefined })).toEqual([
      'SecretNotFound',
      'There is no Secret www-tls in namespace web yet. Create it, or have cert-manager do it.',
    ]);
  });

  it('is in a Secret of another type', () => {
    expect(result(input({ type: 'example.com/other' }))).toEqual([
      'SecretTypeWrong',
      'The Secret www-tls is of the type example.com/other. Create it again as kubernetes.io/tls or Opaque, for example with kubectl create secret tls.',
    ]);
  });

  it.each([
    ['tls.crt', { certificate: '' }],
    ['tls.key', { key: '' }],
  ])('lacks %s', (member, tls) => {
    expect(result(input(tls))).toEqual([
      'SecretKeyMissing',
      `The Secret www-tls has no ${member}, or it is empty. It needs tls.crt and tls.key.`,
    ]);
  });

  it('cannot be read, and says which of the chain', () => {
    const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
    expect(result(input({ certificate: `${good.leaf}${broken}` }))).toEqual([
      'CertificateUnreadable',
      "tls.crt in the Secret www-tls: certificate 2 can't be read. Put the certificate there as its authority gave it, in PEM.",
    ]);
    expect(result(input({ certificate: 'none' }))).toEqual([
      'CertificateUnreadable',
      'tls.crt in the Secret www-tls holds no certificate. Put one there in PEM, between BEGIN CERTIFICATE and END CERTIFICATE.',
    ]);
  });

  it.each([
    ['in its last line', (leaf: string, issuer: string) => `${leaf}${issuer.replace(/-----END[^\n]*\n$/, '')}`, 2],
    ['in the middle', (leaf: string, issuer: string) => `${leaf}${issuer.slice(0, 200)}\n${issuer}`, 2],
    ['in its first line', (leaf: string, issuer: string) => `${leaf}${issuer.replace(/^-----BEGIN[^\n]*\n/, '')}`, 2],
    ['at its beginning', (leaf: string, issuer: string) => `${leaf.slice(0, 300)}\n${issuer}`, 1],
  ])('is cut off %s, and nothing is dropped in silence', (_, cut, position) => {
    expect(result(input({ certificate: cut(good.leaf, intermediate.pem) }))).toEqual([
      'CertificateUnreadable',
      `tls.crt in the Secret www-tls: certificate ${position} is cut off, for its BEGIN or its END line is missing. Put the whole file there as its authority gave it, in PEM.`,
    ]);
  });

  it('has a key that no one can use, and shows nothing of it', () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const ed25519 = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const locked = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      .privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
      .toString();
    for (const key of ['nonsense', ed25519, locked]) {
      expect(result(input({ key }))).toEqual([
        'KeyUnreadable',
        'tls.key in the Secret www-tls is not a readable RSA or ECDSA key. Put the key there in PEM (PKCS#1, SEC 1 or PKCS#8), without a passphrase.',
      ]);
    }
  });

  it('has the key of another', () => {
    expect(result(input({ key: other.key }))).toEqual([
      'KeyMismatch',
      'tls.key in the Secret www-tls is not the key of the first certificate in tls.crt. Put the two that belong together there; the certificate of the site comes first.',
    ]);
  });

  it('has its chain out of order', () => {
    expect(result(input({ certificate: `${good.leaf}${root.pem}${intermediate.pem}` }))).toEqual([
      'ChainOutOfOrder',
      "tls.crt in the Secret www-tls: certificate 2 did not issue certificate 1. Put the certificate of the site first, then each one's issuer.",
    ]);
  });

  it('is for another domain', () => {
    expect(result(input({}, { site: { domain: '日本語.jp', served: ['xn--wgv71a119e.jp'] } }))).toEqual([
      'DomainNotCovered',
      'The certificate in the Secret www-tls is for www.example.jp, not for xn--wgv71a119e.jp, the domain of the site. Have it issued for xn--wgv71a119e.jp.',
    ]);
  });

  it('is no longer, or not yet, valid', async () => {
    const [past, future] = [new Date(now - DAY), new Date(now + 600_000)].map(
      (date) => `${date.toISOString().slice(0, 19)}Z`,
    );
    const old = await issue(intermediate, ['www.example.jp'], { notBefore: now - 9 * DAY, notAfter: now - DAY });
    expect(result(input({ certificate: old.chain, key: old.key }))).toEqual([
      'Expired',
      `The certificate in the Secret www-tls expired on ${past}. Renew it.`,
    ]);
    const early = await issue(intermediate, ['www.example.jp'], { notBefore: now + 600_000 });
    expect(checkCertificate(input({ certificate: early.chain, key: early.key }))).toEqual({
      hold: {
        state: 'Waiting',
        reason: 'NotYetValid',
        message: `The certificate in the Secret www-tls is not valid until ${future}. It is put on the site then.`,
        retryAfterSeconds: expect.closeTo(600, -1),
      },
    });
  });

  it.each([
    ['is older than the one on the site', 60_000, 100 * DAY, false, false, 'OlderThanCurrent'],
    ['is older, but that is allowed', 60_000, 100 * DAY, true, false, ''],
    ['begins earlier and lasts longer, as where the authority dates back', 60_000, 60_000, false, false, ''],
    ['is older than one that has expired', 60_000, -1, false, false, ''],
    ['is the one on the site', 60_000, 60_000, false, true, ''],
    ['is newer than the one on the site', -60_000, 60_000, false, false, ''],
  ])('%s', (_, later, left, allowRollback, same, reason) => {
    const start = Math.floor((now - DAY) / 1000) * 1000;
    const fingerprint = same ? good.fingerprint : other.fingerprint;
    const current = { fingerprint, notBefore: start + later, notAfter: now + left };
    const seen = result(input({}, { current, allowRollback }));
    expect(Array.isArray(seen) ? seen[0] : '').toBe(reason);
  });

  it('is the temporary one of cert-manager, which goes on no site unless that is asked for', async () => {
    const temporary = await issue(await createRoot('cert-manager.local'), ['www.example.jp']);
    const tls = { certificate: temporary.chain, key: temporary.key };
    expect(result(input(tls))).toEqual([
      'TemporaryCertificate',
      'The Secret www-tls holds the temporary certificate of cert-manager, which no browser trusts. What is on the site stays until the true one is issued; to put this one there, set allowTemporary: true.',
    ]);
    expect(result(input(tls, { allowTemporary: true }))).toBe(temporary.fingerprint);
  });

  it('gives way to the true one, which began earlier and ends sooner', () => {
    const start = Math.floor((now - DAY) / 1000) * 1000;
    const current = { fingerprint: other.fingerprint, notBefore: start + 60_000, notAfter: now + 100 * DAY };
    const seen = [undefined, 'CN=Test root', 'CN=cert-manager.local'].map((issuer) =>
      result(input({}, { current: { ...current, issuer } })),
    );
    const refused = ['OlderThanCurrent', expect.any(String)];
    expect(seen).toEqual([refused, refused, good.fingerprint]);
  });

  it('may be in a Secret of the type Opaque', () => {
    expect(result(input({ type: 'Opaque' }))).toBe(good.fingerprint);
  });

  it('is told of by the first thing that is wrong', () => {
    const wrong = input({ type: 'example.com/other', key: other.key, certificate: 'none' });
    expect(result(wrong)).toEqual(['SecretTypeWrong', expect.any(String)]);
  });
});

describe('a chain', () => {
  it('whose signatures take long to check is refused before any is', () => {
    const verify = vi.spyOn(X509Certificate.prototype, 'verify');
    const certificate = readFileSync('test/support/slow-chain.pem', 'utf8');
    expect(result(input({ certificate }))).toEqual([
      'CertificateUnreadable',
      'tls.crt in the Secret www-tls: certificate 1 is for a key with a public exponent of 3071 bits, and no more than 32 are taken, as its signatures would take too long to check. Have it issued for an ordinary key, for example of 2048 bits.',
    ]);
    expect(verify).not.toHaveBeenCalled();
    verify.mockRestore();
  });

  it('is checked once, however long its text is and however often it is looked at', async () => {
    const verify = vi.spyOn(X509Certificate.prototype, 'verify');
    const { chain, key, fingerprint } = await issue(intermediate, ['www.example.jp']);
    const certificate = `${' '.repeat(20_000)}${chain}`;
    for (let pass = 0; pass < 3; pass++) expect(result(input({ certificate, key }))).toBe(fingerprint);
    expect(verify).toHaveBeenCalledTimes(1);
    verify.mockRestore();
  });
});
