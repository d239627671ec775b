import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CloudClient } from '../../../../src/cloud/client.ts';
import { type DialectClients, startDialectClients } from '../../../support/dialect-clients.ts';

const o = { lane: 'write' } as const;
const prefix = '/cloud/zone/is1a/api/webaccel/1.0';
const id = '113300000abc';

let service: DialectClients;
beforeAll(async () => {
  service = await startDialectClients();
});
afterAll(() => service.close());
beforeEach(() => {
  service.server.requests.length = 0;
});

type Operation = [string, (c: CloudClient) => Promise<unknown>, object, [string, string, unknown]];
const site = { Site: { ID: id } };

describe('what each operation sends', () => {
  const operations: Operation[] = [
    ['list', (c) => c.sites.list(o), { Sites: [] }, ['GET', '/site', null]],
    ['read', (c) => c.sites.read(id, o), site, ['GET', `/site/${id}`, null]],
    ['acl', (c) => c.sites.acl(id, o), {}, ['GET', `/site/${id}/acl`, null]],
    [
      'setACL',
      (c) => c.sites.setACL(id, ['deny 192.0.2.0/24', 'allow all'], o),
      {},
      ['PUT', `/site/${id}/acl`, { ACL: 'deny 192.0.2.0/24\nallow all' }],
    ],
    ['deleteACL', (c) => c.sites.deleteACL(id, o), {}, ['DELETE', `/site/${id}/acl`, null]],
    ['certificate', (c) => c.sites.certificate(id, {}, o), {}, ['GET', `/site/${id}/certificate`, null]],
    [
      'certificate, current',
      (c) => c.sites.certificate(id, { type: 'current' }, o),
      {},
      ['GET', `/site/${id}/certificate?type=current`, null],
    ],
    [
      'postCertificate',
      (c) => c.sites.postCertificate(id, { certificateChain: 'CHAIN', key: 'KEY' }, o),
      {},
      ['POST', `/site/${id}/certificate`, { Certificate: { CertificateChain: 'CHAIN', Key: 'KEY' } }],
    ],
    [
      'putCertificate with the stored key',
      (c) => c.sites.putCertificate(id, { certificateChain: 'CHAIN' }, o),
      {},
      ['PUT', `/site/${id}/certificate`, { Certificate: { CertificateChain: 'CHAIN' } }],
    ],
    ['monthlyUsage', (c) => c.sites.monthlyUsage({}, o), {}, ['GET', '/monthlyusage', null]],
    [
      'monthlyUsage of a month',
      (c) => c.sites.monthlyUsage({ target: '202610' }, o),
      {},
      ['GET', '/monthlyusage?target=202610', null],
    ],
  ];

  test.each(operations)('%s, the same in both dialects', async (_, call, json, [method, path, body]) => {
    for (const dialect of ['Documented', 'Extended'] as const) {
      service.server.requests.length = 0;
      service.server.answer({ json: { is_ok: true, ACL: '', MonthlyUsages: [], Certificate: [], ...json } });
      await call(service.client(dialect));
      expect(service.sent()).toEqual([[method, prefix + path, body]]);
    }
  });

  const everything = {
    name: 'shop',
    requestProtocol: 2,
    originType: 1,
    originProtocol: 'https',
    defaultCacheTTL: 0,
    varySupport: true,
    normalizeAE: 3,
    corsRules: [{ allowedOrigins: ['https://a.example'] }],
    oneTimeURLSecret: 'secret',
    bucketName: 'bucket',
    s3Endpoint: 's3.example',
    s3Region: 'r1',
    accessKeyID: 'key',
    secretAccessKey: 'secret-key',
    docIndex: false,
  } as const;
  const alike = {
    Name: 'shop',
    OriginProtocol: 'https',
    DefaultCacheTTL: 0,
    CORSRules: [{ AllowedOrigins: ['https://a.example'] }],
    BucketName: 'bucket',
    S3Endpoint: 's3.example',
    S3Region: 'r1',
    AccessKeyID: 'key',
    SecretAccessKey: 'secret-key',
  };
  const documented = {
    RequestProtocol: 2,
    OriginType: 1,
    VarySupport: 1,
    NormalizeAE: 3,
    DocIndex: 0,
    OnetimeURLSecrets: 'secret',
  };
  const extended = {
    RequestProtocol: '2',
    OriginType: '1',
    VarySupport: '1',
    NormalizeAE: '3',
    DocIndex: '0',
    OnetimeURLSecrets: ['secret'],
  };

  test.each([
    ['Documented', 'everything', everything, { ...alike, ...documented }],
    ['Extended', 'everything', everything, { ...alike, ...extended }],
    [
      'Documented',
      'nothing but a web server',
      { origin: '192.0.2.1', hostHeader: 'a.example' },
      { Origin: '192.0.2.1', HostHeader: 'a.example' },
    ],
    [
      'Documented',
      'CORS for all',
      { corsRules: [{ allowsAnyOrigin: true }] },
      { CORSRules: [{ AllowsAnyOrigin: true }] },
    ],
    ['Documented', 'CORS off', { corsRules: [] }, { CORSRules: [] }],
    ['Documented', 'no one-time URL secret', { oneTimeURLSecret: '' }, { OnetimeURLSecrets: '' }],
    ['Extended', 'no one-time URL secret', { oneTimeURLSecret: '' }, { OnetimeURLSecrets: [] }],
  ] as const)('update in the dialect %s with %s', async (dialect, _, settings, wire) => {
    service.server.answer({ json: { is_ok: true, ...site } });
    await service.client(dialect).sites.update(id, settings, o);
    expect(service.sent()).toEqual([['PUT', `${prefix}/site/${id}`, { Site: wire }]]);
  });

  const upload = {
    bucket: 'logs',
    endpoint: 's3.example',
    region: 'r1',
    status: 'enabled',
    accessKeyID: 'k',
    secretAccessKey: 's',
  };
  const extensions: Operation[] = [
    [
      'create',
      (c) => c.sites.create({ domainType: 'own_domain', domain: 'a.example', name: 'a', originType: 0 }, o),
      site,
      ['POST', '/site', { Site: { DomainType: 'own_domain', Domain: 'a.example', Name: 'a', OriginType: '0' } }],
    ],
    ['delete', (c) => c.sites.delete(id, o), {}, ['DELETE', `/site/${id}`, null]],
    [
      'setStatus',
      (c) => c.sites.setStatus(id, 'disabled', o),
      {},
      ['PUT', `/site/${id}/status`, { Site: { Status: 'disabled' } }],
    ],
    ['deleteCertificate', (c) => c.sites.deleteCertificate(id, o), {}, ['DELETE', `/site/${id}/certificate`, null]],
    [
      'enableCertificateAutoUpdate',
      (c) => c.sites.enableCertificateAutoUpdate(id, o),
      {},
      ['POST', `/site/${id}/auto-cert-update`, null],
    ],
    [
      'disableCertificateAutoUpdate',
      (c) => c.sites.disableCertificateAutoUpdate(id, o),
      {},
      ['DELETE', `/site/${id}/auto-cert-update`, null],
    ],
    [
      'createOriginGuardToken',
      (c) => c.sites.createOriginGuardToken(id, {}, o),
      {},
      ['POST', `/site/${id}/origin-guard-token`, null],
    ],
    [
      'createOriginGuardToken, next',
      (c) => c.sites.createOriginGuardToken(id, { next: true }, o),
      {},
      ['POST', `/site/${id}/origin-guard-token/next`, null],
    ],
    [
      'deleteOriginGuardToken',
      (c) => c.sites.deleteOriginGuardToken(id, {}, o),
      {},
      ['DELETE', `/site/${id}/origin-guard-token`, null],
    ],
    ['logUpload', (c) => c.sites.logUpload(id, o), {}, ['GET', `/site/${id}/log-upload-config`, null]],
    [
      'setLogUpload',
      (c) => c.sites.setLogUpload(id, upload, o),
      {},
      [
        'PUT',
        `/site/${id}/log-upload-config`,
        {
          SiteLogUploadConfig: {
            Bucket: 'logs',
            Endpoint: 's3.example',
            Region: 'r1',
            Status: 'enabled',
            AccessKeyID: 'k',
            SecretAccessKey: 's',
          },
        },
      ],
    ],
    ['deleteLogUpload', (c) => c.sites.deleteLogUpload(id, o), {}, ['DELETE', `/site/${id}/log-upload-config`, null]],
    [
      'deleteAllCache',
      (c) => c.sites.deleteAllCache('a.example', o),
      {},
      ['POST', '/deleteallcache', { Site: { Domain: 'a.example' } }],
    ],
    [
      'deleteCache',
      (c) => c.sites.deleteCache(['https://a.example/x'], o),
      {},
      ['POST', '/deletecache', { URL: ['https://a.example/x'] }],
    ],
  ];

  test.each(extensions)('%s exists in the Extended dialect only', async (_, call, json, [method, path, body]) => {
    service.server.answer({ json: { is_ok: true, ...json } });
    await call(service.client('Extended'));
    expect(service.sent()).toEqual([[method, prefix + path, body]]);
    await expect(async () => call(service.client('Documented'))).rejects.toMatchObject({
      code: 'NotInDialect',
      class: 'Rejected',
    });
    expect(service.server.requests).toHaveLength(1);
  });
});

describe('what each answer becomes', () => {
  const answer = (json: object) => service.server.answer({ json: { is_ok: true, ...json } });

  test('the list says how much it leaves out', async () => {
    answer({
      Total: 3,
      From: 0,
      Count: 1,
      CountLimit: 1,
      Sites: [
        {
          Index: 0,
          ID: id,
          Name: 'shop',
          DomainType: 'own_domain',
          Domain: '例え.example',
          ASCIIDomain: 'xn--r8jz45g.example',
          Subdomain: 'x.user.example',
          Origin: '192.0.2.1',
          HostHeader: '',
          Status: 'enabled',
          CreatedAt: '2026-01-01T00:00:00+09:00',
          HasCertificate: true,
          HasOldCertificate: false,
          GibSentInLastWeek: 12,
          CertValidNotBefore: 1767225600000,
          CertValidNotAfter: '1775001600000',
        },
      ],
    });
    expect(await service.client().sites.list(o)).toEqual({
      from: 0,
      count: 1,
      total: 3,
      countLimit: 1,
      items: [
        {
          id,
          name: 'shop',
          domainType: 'own_domain',
          domain: '例え.example',
          asciiDomain: 'xn--r8jz45g.example',
          subdomain: 'x.user.example',
          status: 'enabled',
          origin: '192.0.2.1',
          createdAt: '2026-01-01T00:00:00+09:00',
          hasCertificate: true,
          hasOldCertificate: false,
          sentLastWeekGiB: 12,
          certificateNotBefore: 1767225600000,
          certificateNotAfter: 1775001600000,
        },
      ],
    });
  });

  test('a detail reads digits in strings as numbers and keeps no secret', async () => {
    answer({
      Site: {
        ID: id,
        Name: 'shop',
        RequestProtocol: '2',
        OriginType: '1',
        OriginProtocol: 'https',
        BucketName: 'bucket',
        S3Endpoint: 's3.example',
        S3Region: 'r1',
        DocIndex: '1',
        VarySupport: 0,
        NormalizeAE: '',
        CORSRules: [{ AllowsAnyOrigin: false, AllowedOrigins: ['https://a.example'] }],
        OnetimeURLSecrets: ['hunter2'],
        OriginGuardToken: 'hunter3',
        NextOriginGuardToken: '',
        DefaultCacheTTL: '-1',
        CertType: 'x',
        SomethingNew: 'hunter4',
      },
    });
    const detail = await service.client().sites.read(id, o);
    expect(detail).toEqual({
      id,
      name: 'shop',
      domainType: '',
      domain: '',
      asciiDomain: '',
      subdomain: '',
      status: '',
      hasCertificate: false,
      hasOldCertificate: false,
      requestProtocol: 2,
      originType: 1,
      originProtocol: 'https',
      bucketName: 'bucket',
      s3Endpoint: 's3.example',
      s3Region: 'r1',
      docIndex: true,
      varySupport: false,
      normalizeAE: 1,
      corsRules: [{ allowedOrigins: ['https://a.example'] }],
      defaultCacheTTL: -1,
      hasOneTimeURLSecret: true,
      hasOriginGuardToken: true,
      hasNextOriginGuardToken: false,
      certType: 'x',
    });
    expect(JSON.stringify(detail)).not.toContain('hunter');
  });

  test.each([
    ['null', null, []],
    [
      '[{AllowsAnyOrigin: true, AllowedOrigins: null}]',
      [{ AllowsAnyOrigin: true, AllowedOrigins: null }],
      [{ allowsAnyOrigin: true }],
    ],
  ])('CORS rules given as %s', async (_, wire, expected) => {
    answer({ Site: { ID: id, CORSRules: wire } });
    expect((await service.client().sites.read(id, o)).corsRules).toEqual(expected);
  });

  test.each([
    ['', []],
    ['deny 192.0.2.1\nallow all\n', ['deny 192.0.2.1', 'allow all']],
    [null, []],
  ])('the ACL %j becomes lines', async (wire, expected) => {
    answer({ ACL: wire });
    expect(await service.client().sites.acl(id, o)).toEqual(expected);
  });

  const certificate = {
    ID: '7',
    SiteID: id,
    CertificateChain: 'PEM',
    SerialNumber: '01',
    NotBefore: '1767225600000',
    NotAfter: 1775001600000,
    Issuer: { Country: 'JP', Organization: 'CA', OrganizationalUnit: '', CommonName: 'CA 1' },
    Subject: { CommonName: 'a.example' },
    DNSNames: ['a.example'],
    SHA256Fingerprint: 'AB:CD',
    CreatedAt: '2026-01-01T00:00:00Z',
    UpdatedAt: null,
  };
  const read = {
    id: '7',
    certificateChain: 'PEM',
    serialNumber: '01',
    notBefore: 1767225600000,
    notAfter: 1775001600000,
    issuer: { commonName: 'CA 1', organization: 'CA', country: 'JP' },
    subject: { commonName: 'a.example' },
    dnsNames: ['a.example'],
    sha256Fingerprint: 'AB:CD',
    createdAt: '2026-01-01T00:00:00Z',
  };

  test.each([
    ['both generations', { Current: certificate, Old: [certificate] }, { current: read, old: [read] }],
    ['a current one alone', { Current: certificate, Old: null }, { current: read, old: [] }],
    ['an empty current one', { Current: {}, Old: [certificate] }, { old: [read] }],
    ['[]', [], { old: [] }],
    ['null', null, { old: [] }],
  ])('certificates: %s', async (_, wire, expected) => {
    answer({ Certificate: wire });
    expect(await service.client().sites.certificate(id, {}, o)).toEqual(expected);
  });

  test('monthly usage', async () => {
    answer({
      Year: 2026,
      Month: '10',
      MonthlyUsages: [
        { SiteID: id, Domain: 'a.example', AccessCount: '5', BytesSent: 1, CacheHitRatio: 99.5, Price: 10 },
      ],
    });
    expect(await service.client().sites.monthlyUsage({}, o)).toEqual({
      year: 2026,
      month: 10,
      usages: [
        {
          siteID: id,
          domain: 'a.example',
          asciiDomain: '',
          subdomain: '',
          accessCount: 5,
          bytesSent: 1,
          cacheMissBytesSent: 0,
          cacheHitRatioPercent: 99.5,
          bytesCacheHitRatioPercent: 0,
          price: 10,
        },
      ],
    });
  });
});
