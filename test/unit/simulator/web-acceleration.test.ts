import { describe, expect, it } from 'vitest';
import { refusal, useService } from './service.ts';

const siteID = '113300000301';
const secondID = '113300000302';
const site = `/site/${siteID}`;
const service = useService({
  seed: {
    sites: [
      {
        id: siteID,
        name: 'www',
        domain: 'www.例え.jp',
        settings: { Origin: 'origin.example.jp', HostHeader: 'www.example.jp', DefaultCacheTTL: 3600 },
        accessControl: ['deny 192.0.2.0/24', 'allow all'],
      },
      {
        id: secondID,
        name: 'static',
        settings: {
          OriginType: 1,
          OriginProtocol: 'https',
          BucketName: 'b',
          S3Endpoint: 's3.example.jp',
          S3Region: 'r',
          AccessKeyID: 'k',
          SecretAccessKey: 's',
        },
      },
    ],
    accounts: [{ name: 'other', accessToken: 'other', accessTokenSecret: 'secret' }],
  },
});

const storage = {
  OriginType: 1,
  OriginProtocol: 'https',
  BucketName: 'bucket',
  S3Endpoint: 's3.example.jp',
  S3Region: 'jp-north-1',
  AccessKeyID: 'key-id',
  SecretAccessKey: 'very-secret',
  DocIndex: 1,
};

const element = {
  ID: siteID,
  Name: 'www',
  DomainType: 'own_domain',
  Domain: 'www.例え.jp',
  ASCIIDomain: 'www.xn--r8jz45g.jp',
  Subdomain: expect.stringMatching(/\.user\.webaccel\.example\.jp$/),
  Origin: 'origin.example.jp',
  HostHeader: 'www.example.jp',
  Status: 'enabled',
  CreatedAt: '2026-01-01T09:00:00+09:00',
  HasCertificate: false,
  HasOldCertificate: false,
  GibSentInLastWeek: expect.any(Number),
};

const detail = {
  ...element,
  OriginProtocol: 'http',
  RequestProtocol: '0',
  OriginType: '0',
  BucketName: '',
  S3Endpoint: '',
  S3Region: '',
  DocIndex: '0',
  VarySupport: '0',
  CORSRules: [],
  OriginGuardToken: '',
  NextOriginGuardToken: '',
  DefaultCacheTTL: 3600,
  CertType: 'manual',
  CertOpStatus: 'idle',
};

const change = (Site: unknown, extended = false) => service.web('PUT', site, { Site }, { extended });

describe('sites', () => {
  it('are listed up to CountLimit, without paging', async () => {
    await service.control.changeSettings({ siteCountLimit: 1 });
    expect((await service.web('GET', '/site')).body).toEqual({
      is_ok: true,
      Total: 2,
      From: 0,
      Count: 1,
      CountLimit: 1,
      Sites: [{ Index: 0, ...element, CORSRules: null }],
    });
  });

  it('are shown in detail', async () => {
    expect((await service.web('GET', site)).body).toEqual({ is_ok: true, Site: detail });
  });

  it('belong to one account', async () => {
    const answer = await service.web('GET', site, undefined, { as: ['other', 'secret'] });
    expect(refusal(answer)).toBe(`403 forbidden: site ${siteID} belongs to another member`);
    expect(refusal(await service.web('GET', '/site/113300000399'))).toBe(
      '404 not_found: site 113300000399 does not exist',
    );
  });
});

describe('PUT /site/:id', () => {
  it('changes what is sent and shows the numbers as strings', async () => {
    const settings = {
      Name: 'new',
      RequestProtocol: 2,
      OriginProtocol: 'https',
      DefaultCacheTTL: -1,
      VarySupport: 1,
      NormalizeAE: 3,
      CORSRules: [{ AllowedOrigins: ['https://a.example.jp'] }],
      HostHeader: '',
    };
    expect((await change(settings)).body).toEqual({
      is_ok: true,
      Success: true,
      Site: { ...detail, ...settings, RequestProtocol: '2', VarySupport: '1', NormalizeAE: '3' },
    });
  });

  it('takes digits in strings in the Extended dialect', async () => {
    const settings = { RequestProtocol: '2', VarySupport: '1', NormalizeAE: '3', DefaultCacheTTL: '60' };
    expect((await change(settings, true)).body['Site']).toEqual({
      ...detail,
      ...settings,
      DefaultCacheTTL: 60,
      OnetimeURLSecrets: null,
    });
  });

  it('changes nothing by an empty change, and by members that mean nothing', async () => {
    expect((await change({ CreatedAt: '0001-01-01T00:00:00Z', Colour: 1 })).body['Site']).toEqual(detail);
  });

  it('changes the type of the origin when all that needs is sent, and forgets the other', async () => {
    const moved = (await change(storage)).body['Site'];
    expect(moved).toEqual({
      ...detail,
      Origin: '',
      HostHeader: '',
      OriginProtocol: 'https',
      OriginType: '1',
      BucketName: 'bucket',
      S3Endpoint: 's3.example.jp',
      S3Region: 'jp-north-1',
      DocIndex: '1',
    });
    expect((await change({ OriginType: 0, Origin: 'o.example.jp' })).body['Site']).toEqual({
      ...detail,
      OriginProtocol: 'https',
      Origin: 'o.example.jp',
      HostHeader: '',
    });
  });

  it.each(['BucketName', 'S3Endpoint', 'S3Region', 'AccessKeyID', 'SecretAccessKey'])(
    'refuses a change to object storage without %s',
    async (member) => {
      const answer = await change({ ...storage, [member]: undefined });
      expect(refusal(answer)).toBe(`400 bad_request: Site.${member}: OriginType 1 needs it, write it too`);
      expect((await service.web('GET', site)).body['Site']).toEqual(detail);
    },
  );

  it.each<[unknown, string]>([
    [undefined, 'Site: write an object'],
    [{ Name: 1 }, 'Site.Name: write a name'],
    [{ RequestProtocol: 3 }, 'Site.RequestProtocol: write 0 or 1 or 2'],
    [{ RequestProtocol: '2' }, 'Site.RequestProtocol: write 0 or 1 or 2'],
    [{ OriginProtocol: 'ftp' }, 'Site.OriginProtocol: write http or https'],
    [{ DefaultCacheTTL: 604_801 }, 'Site.DefaultCacheTTL: write -1 or a whole number from 0 to 604800'],
    [{ DefaultCacheTTL: -2 }, 'Site.DefaultCacheTTL: write -1 or a whole number from 0 to 604800'],
    [{ DefaultCacheTTL: '60' }, 'Site.DefaultCacheTTL: write -1 or a whole number from 0 to 604800'],
    [{ VarySupport: true }, 'Site.VarySupport: write 0 or 1'],
    [{ NormalizeAE: 2 }, 'Site.NormalizeAE: write 1 or 3'],
    [{ CORSRules: {} }, 'Site.CORSRules: write a list'],
    [{ CORSRules: [{}] }, 'Site.CORSRules[0]: write either AllowsAnyOrigin: true or AllowedOrigins, at least one'],
    [{ CORSRules: [1, 2].map(() => ({ AllowsAnyOrigin: true })) }, 'Site.CORSRules: write at most one rule'],
    [
      { CORSRules: [{ AllowedOrigins: ['example.jp'] }] },
      'Site.CORSRules[0].AllowedOrigins[0]: write an origin such as https://example.jp',
    ],
    [
      { CORSRules: [{ AllowedOrigins: [1, 2, 3, 4, 5].map((n) => `https://${n}.jp`) }] },
      'Site.CORSRules[0].AllowedOrigins: write at most 4 origins',
    ],
    [{ OnetimeURLSecrets: ['a'] }, 'Site.OnetimeURLSecrets: write a string'],
    [{ Origin: '' }, 'Site.Origin: write a host name or an address'],
    [{ BucketName: 'b' }, 'Site.BucketName: it belongs to OriginType 1, this is 0'],
    [{ ...storage, OriginProtocol: 'http' }, 'Site.OriginProtocol: write https, which object storage needs'],
    [{ ...storage, DocIndex: 2 }, 'Site.DocIndex: write 0 or 1'],
  ])('refuses %j', async (given, message) => {
    expect(refusal(await change(given))).toBe(`400 bad_request: ${message}`);
  });

  it.each<[unknown, string]>([
    [{ RequestProtocol: 2 }, 'Site.RequestProtocol: write "0" or "1" or "2"'],
    [{ OnetimeURLSecrets: 'a' }, 'Site.OnetimeURLSecrets: write a list of strings'],
  ])('refuses %j in the Extended dialect', async (given, message) => {
    expect(refusal(await change(given, true))).toBe(`400 bad_request: ${message}`);
  });

  it('keeps secrets out of its answers, the log and the state', async () => {
    await change({ ...storage, OnetimeURLSecrets: 'one-time-secret' });
    const shown = [
      (await service.web('GET', site)).text,
      JSON.stringify(await service.control.requests()),
      JSON.stringify(await service.control.state()),
    ].join('\n');
    for (const secret of ['very-secret', 'key-id', 'one-time-secret']) expect(shown).not.toContain(secret);
    const extended = await service.web('GET', site, undefined, { extended: true });
    expect(extended.body['Site']).toEqual(expect.objectContaining({ OnetimeURLSecrets: ['one-time-secret'] }));
  });
});

describe('the access control list', () => {
  const put = (ACL: unknown) => service.web('PUT', `${site}/acl`, { ACL });

  it.each([
    ['deny 192.0.2.1\nallow all', 'deny 192.0.2.1\nallow all'],
    ['allow 192.0.2.0/24\ndeny all\n', 'allow 192.0.2.0/24\ndeny all'],
    ['deny 2001:db8::/32\r\nallow all', 'deny 2001:db8::/32\nallow all'],
  ])('%j is stored', async (sent, stored) => {
    expect((await put(sent)).body).toEqual({ is_ok: true, ACL: stored, Success: true });
    expect((await service.web('GET', `${site}/acl`)).body).toEqual({ is_ok: true, ACL: stored });
  });

  it.each<[unknown, string]>([
    ['', 'ACL line 1: write deny or allow, one space, and an address, a network or all'],
    ['allow all\ndeny 192.0.2.1', 'ACL line 1: write "all" in the last line only'],
    ['deny 192.0.2.0/33\nallow all', 'ACL line 1: 192.0.2.0/33 is neither an address nor a network'],
    ['deny example.jp', 'ACL line 1: example.jp is neither an address nor a network'],
    ['Deny 192.0.2.1', 'ACL line 1: write deny or allow, one space, and an address, a network or all'],
    ['deny 192.0.2.1\n\nallow all', 'ACL line 2: write deny or allow, one space, and an address, a network or all'],
    [['deny 192.0.2.1'], 'ACL: write a string'],
  ])('%j is refused', async (sent, message) => {
    expect(refusal(await put(sent))).toBe(`400 bad_request: ${message}`);
  });

  it('is empty after it is deleted', async () => {
    const before = (await service.web('GET', `${site}/acl`)).body['ACL'];
    await service.web('DELETE', `${site}/acl`);
    expect([before, (await service.web('GET', `${site}/acl`)).body['ACL']]).toEqual([
      'deny 192.0.2.0/24\nallow all',
      '',
    ]);
  });
});

describe('monthly usage', () => {
  const usage = async (query = '') => (await service.web('GET', `/monthlyusage${query}`)).body;

  it('covers all sites of the account, and grows through the month', async () => {
    const before = await usage();
    await service.control.advance(15 * 86_400);
    const after = await usage();
    const counts = (body: Record<string, unknown>) => {
      const usages = body['MonthlyUsages'];
      return Array.isArray(usages) ? usages.map(({ AccessCount }) => Number(AccessCount)) : [];
    };
    expect(after).toEqual({
      is_ok: true,
      Success: true,
      Year: 2026,
      Month: 1,
      MonthlyUsages: [
        {
          SiteID: siteID,
          Domain: 'www.例え.jp',
          ASCIIDomain: 'www.xn--r8jz45g.jp',
          Subdomain: element.Subdomain,
          AccessCount: expect.any(Number),
          BytesSent: expect.any(Number),
          CacheMissBytesSent: expect.any(Number),
          CacheHitRatio: expect.any(Number),
          BytesCacheHitRatio: expect.any(Number),
          Price: expect.any(Number),
        },
        expect.objectContaining({ SiteID: secondID }),
      ],
    });
    expect(counts(after)[0]).toBeGreaterThan(counts(before)[0] ?? 0);
  });

  it.each([
    ['?target=202512', 2025, 12],
    ['?target=', 2026, 1],
  ])('takes %s', async (query, Year, Month) => {
    expect(await usage(query)).toEqual(expect.objectContaining({ Year, Month }));
  });

  it.each(['202513', '2025', 'abcdef'])('refuses target %s', async (target) => {
    expect(refusal(await service.web('GET', `/monthlyusage?target=${target}`))).toBe(
      '400 bad_request: target: write year and month as six digits, such as 202601',
    );
  });
});

describe('the limit', () => {
  it('lets so many requests through in any hour, and says when the next one may come', async () => {
    await service.control.changeSettings({ webAccelLimit: 3 });
    const statuses = [];
    for (let request = 0; request < 3; request++) {
      statuses.push((await service.web('GET', '/site')).status);
      await service.control.advance(600);
    }
    const refused = await service.web('GET', '/site');
    expect([statuses, refusal(refused), refused.headers['retry-after']]).toEqual([
      [200, 200, 200],
      '429 too_many_request: the account has made 3 requests within an hour',
      '1800',
    ]);
    const other = await service.web('GET', '/site', undefined, { as: ['other', 'secret'] });
    await service.control.advance(1800);
    expect([other.status, (await service.web('GET', '/site')).status]).toEqual([200, 200]);
    expect((await service.web('GET', '/site')).status).toBe(429);
  });

  it('is 500 unless told', async () => {
    expect((await service.control.settings()).webAccelLimit).toBe(500);
  });

  it('does not count the cloud API', async () => {
    await service.control.changeSettings({ webAccelLimit: 0 });
    expect((await service.call('GET', '/commonserviceitem')).status).toBe(200);
  });

  it('of the cloud API is so many in any second, of each account, and is not there unless told', async () => {
    expect((await service.control.settings()).cloudLimit).toBeNull();
    await service.control.changeSettings({ cloudLimit: 2 });
    const list = () => service.call('GET', '/commonserviceitem');
    const statuses = [(await list()).status, (await list()).status];
    const refused = await list();
    expect([statuses, refusal(refused), refused.headers['retry-after']]).toEqual([
      [200, 200],
      '503 too_many_request: the account has made 2 requests within a second',
      undefined,
    ]);
    const other = await service.call('GET', '/commonserviceitem', undefined, { as: ['other', 'secret'] });
    expect([other.status, (await service.web('GET', '/site')).status]).toEqual([200, 200]);
    await service.control.advance(1);
    expect((await list()).status).toBe(200);
  });
});

describe('the operations of the public clients', () => {
  const extended = { extended: true };

  it('create a site, switch it and delete it', async () => {
    const body = {
      Site: { Name: 'n', DomainType: 'own_domain', Domain: 'n.example.jp', Origin: 'o.example.jp', OriginType: '0' },
    };
    const made = await service.web('POST', '/site', body, extended);
    const id = Object.keys((await service.control.state()).sites).at(-1) ?? '';
    const statuses = [made.status];
    const twice = await service.web('POST', '/site', body, extended);
    for (const [method, path, given] of [
      ['PUT', '/status', { Site: { Status: 'enabled' } }],
      ['DELETE', '', undefined],
      ['PUT', '/status', { Site: { Status: 'disabled' } }],
      ['DELETE', '', undefined],
      ['GET', '', undefined],
    ] as const) {
      statuses.push((await service.web(method, `/site/${id}${path}`, given, extended)).status);
    }
    expect(statuses).toEqual([201, 200, 409, 200, 200, 404]);
    expect(refusal(twice)).toBe('409 conflict: Site.Domain: there is a site for n.example.jp');
  });

  it('set guard tokens, automatic certificates and log upload', async () => {
    const statuses = [];
    for (const [method, path, body] of [
      ['POST', 'origin-guard-token'],
      ['POST', 'origin-guard-token/next'],
      ['POST', 'auto-cert-update'],
      ['GET', 'log-upload-config'],
      ['PUT', 'log-upload-config', { SiteLogUploadConfig: { Bucket: 'logs', SecretAccessKey: 'hidden' } }],
      ['GET', 'log-upload-config'],
    ] as const) {
      statuses.push((await service.web(method, `${site}/${path}`, body, extended)).status);
    }
    const { body } = await service.web('GET', site, undefined, extended);
    expect([statuses, body['Site']]).toEqual([
      [200, 200, 200, 404, 200, 200],
      expect.objectContaining({
        OriginGuardToken: expect.stringMatching(/^[0-9a-f]{16}$/),
        NextOriginGuardToken: expect.stringMatching(/^[0-9a-f]{16}$/),
        CertType: 'auto',
      }),
    ]);
    for (const path of ['origin-guard-token', 'origin-guard-token/next', 'auto-cert-update', 'log-upload-config']) {
      expect((await service.web('DELETE', `${site}/${path}`, undefined, extended)).status).toBe(200);
    }
    expect((await service.web('GET', site)).body['Site']).toEqual(detail);
  });

  it('purge the cache of their own domains', async () => {
    const statuses = [];
    for (const [path, body] of [
      ['/deleteallcache', { Site: { Domain: 'www.例え.jp' } }],
      ['/deleteallcache', { Site: { Domain: 'else.example.jp' } }],
      ['/deletecache', { URL: ['https://www.xn--r8jz45g.jp/a'] }],
      ['/deletecache', { URL: ['a'] }],
    ] as const) {
      statuses.push((await service.web('POST', path, body, extended)).status);
    }
    expect(statuses).toEqual([200, 404, 200, 400]);
  });
});
