import { X509Certificate } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { createAuthority, issueLeaf, type KeyPair } from '../../../src/simulator/certificate-authority.ts';
import { refusal, useService } from './service.ts';

const siteID = '113300000301';
const path = `/site/${siteID}/certificate`;
const service = useService({ seed: { sites: [{ id: siteID, name: 'www', domain: 'www.example.jp' }] } });
const start = Date.UTC(2026, 0, 1);
const years = 365 * 86_400_000;

let authority: KeyPair;
let stranger: KeyPair;
let first: KeyPair;
let second: KeyPair;
let expired: KeyPair;
beforeAll(async () => {
  [authority, stranger] = await Promise.all([createAuthority(start), createAuthority(start)]);
  first = await issueLeaf(authority, ['www.example.jp'], start);
  second = await issueLeaf(authority, ['www.example.jp'], start);
  expired = await issueLeaf(authority, ['www.example.jp'], start - 11 * years);
});

const chain = (leaf: KeyPair) => leaf.certificate + authority.certificate;
const send = (method: string, Certificate: object) => service.web(method, path, { Certificate });
const upload = (leaf: KeyPair, method = 'POST') =>
  send(method, { CertificateChain: chain(leaf), Key: leaf.privateKey });

function generation(leaf: KeyPair, epoch: (milliseconds: number) => unknown = String): unknown {
  const certificate = new X509Certificate(leaf.certificate);
  return {
    ID: expect.stringMatching(/^\d{12}$/),
    SiteID: siteID,
    CertificateChain: chain(leaf),
    SerialNumber: certificate.serialNumber.toLowerCase(),
    NotBefore: epoch(certificate.validFromDate.getTime()),
    NotAfter: epoch(certificate.validToDate.getTime()),
    Issuer: { Country: '', Organization: 'Edgeline', OrganizationalUnit: '', CommonName: 'Edgeline simulator CA' },
    Subject: {
      Country: '',
      Organization: '',
      OrganizationalUnit: '',
      Locality: '',
      Province: '',
      StreetAddress: '',
      PostalCode: '',
      SerialNumber: '',
      CommonName: 'Edgeline simulator',
    },
    DNSNames: ['localhost', 'www.example.jp'],
    SHA256Fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    CreatedAt: '2026-01-01T09:00:00+09:00',
    UpdatedAt: '2026-01-01T09:00:00+09:00',
  };
}

describe('a site without a certificate', () => {
  it('has [] for one', async () => {
    expect((await service.web('GET', path)).body).toEqual({ is_ok: true, Certificate: [] });
  });

  it.each(['PUT', 'DELETE'])('answers %s with 404', async (method) => {
    expect((await upload(first, method)).status).toBe(404);
  });
});

describe('generations', () => {
  it('the current one becomes the previous one, by POST and by PUT', async () => {
    const seen = [];
    for (const [leaf, method] of [
      [first, 'POST'],
      [second, 'PUT'],
      [first, 'POST'],
    ] as const) {
      seen.push((await upload(leaf, method)).body['Certificate']);
    }
    expect(seen).toEqual([
      { Current: generation(first), Old: [] },
      { Current: generation(second), Old: [generation(first)] },
      { Current: generation(first), Old: [generation(second)] },
    ]);
  });

  it.each([
    ['current', () => ({ Current: generation(second) })],
    ['old', () => ({ Old: [generation(first)] })],
  ])('can be read one at a time, as type=%s', async (type, expected) => {
    await upload(first);
    await upload(second);
    expect((await service.web('GET', `${path}?type=${type}`)).body['Certificate']).toEqual(expected());
  });

  it('are no other than current and old', async () => {
    expect(refusal(await service.web('GET', `${path}?type=next`))).toBe('400 bad_request: type: write current or old');
  });

  it('times are numbers in the Extended dialect', async () => {
    await upload(first);
    const { body } = await service.web('GET', path, undefined, { extended: true });
    expect(body['Certificate']).toEqual({ Current: generation(first, Number), Old: [] });
  });

  it('the previous one stays when the current one is deleted', async () => {
    await upload(first);
    await upload(second);
    await service.web('DELETE', path);
    expect((await service.web('GET', path)).body['Certificate']).toEqual({ Old: [generation(first)] });
  });

  it('show in the list as numbers and in the detail as strings', async () => {
    await upload(first);
    const { validFromDate, validToDate } = new X509Certificate(first.certificate);
    const times = [validFromDate.getTime(), validToDate.getTime()];
    const list = (await service.web('GET', '/site')).body['Sites'];
    const detail = (await service.web('GET', `/site/${siteID}`)).body['Site'];
    const shown = (epoch: (time: number) => unknown) =>
      expect.objectContaining({
        HasCertificate: true,
        HasOldCertificate: false,
        CertValidNotBefore: epoch(times[0] ?? 0),
        CertValidNotAfter: epoch(times[1] ?? 0),
      });
    expect([list, detail]).toEqual([[shown(Number)], shown(String)]);
  });
});

describe('PUT without a key', () => {
  it('keeps the stored key when the certificate is of that key', async () => {
    await upload(first);
    expect((await send('PUT', { CertificateChain: chain(first) })).status).toBe(200);
  });

  it('is refused when it is of another', async () => {
    await upload(first);
    expect(refusal(await send('PUT', { CertificateChain: chain(second) }))).toBe(
      '400 bad_request: Certificate.Key: the key stored is not that of this certificate: write its key',
    );
  });
});

describe('a certificate', () => {
  const member = 'Certificate.CertificateChain';
  it.each<[string, () => object, string]>([
    [
      'that is no PEM',
      () => ({ CertificateChain: 'x', Key: first.privateKey }),
      `${member}: write certificates in PEM`,
    ],
    [
      'that cannot be read',
      () => ({
        CertificateChain: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
        Key: first.privateKey,
      }),
      `${member}: certificate 1 cannot be read`,
    ],
    [
      'that is self-signed',
      () => ({ CertificateChain: authority.certificate, Key: authority.privateKey }),
      `${member}: the certificate is self-signed, which is not accepted`,
    ],
    [
      'whose chain is of another issuer',
      () => ({ CertificateChain: first.certificate + stranger.certificate, Key: first.privateKey }),
      `${member}: certificate 2 did not issue certificate 1: write the leaf first`,
    ],
    [
      'that has expired',
      () => ({ CertificateChain: chain(expired), Key: expired.privateKey }),
      `${member}: the certificate expired on Dec 31 23:59:59 2024 GMT`,
    ],
    [
      'of another key',
      () => ({ CertificateChain: chain(first), Key: second.privateKey }),
      'Certificate.Key: it is not the key of the certificate',
    ],
    [
      'with a key that is none',
      () => ({ CertificateChain: chain(first), Key: 'k' }),
      'Certificate.Key: write an unencrypted private key in PEM',
    ],
    ['without a key', () => ({ CertificateChain: chain(first) }), 'Certificate.Key: write the private key in PEM'],
    ['without a chain', () => ({ Key: first.privateKey }), `${member}: write the certificate and its chain in PEM`],
  ])('%s is refused', async (_, body, message) => {
    const answer = await send('POST', body());
    expect(refusal(answer)).toBe(`400 bad_request: ${message}`);
    expect((await service.web('GET', path)).body['Certificate']).toEqual([]);
  });

  it('of one certificate without its issuer is taken', async () => {
    expect((await send('POST', { CertificateChain: first.certificate, Key: first.privateKey })).status).toBe(200);
  });

  it('leaves its private key nowhere', async () => {
    await upload(first);
    const secret = first.privateKey.split('\n')[1] ?? '';
    const shown = [
      (await service.web('GET', path)).text,
      JSON.stringify(await service.control.requests()),
      JSON.stringify(await service.control.state()),
    ];
    expect(shown.join('\n')).not.toContain(secret);
    expect(JSON.stringify((await service.control.requests()).requests.map(({ body }) => body))).toMatch(
      /"Key":"sha256:[0-9a-f]{12}"/,
    );
  });
});
