import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operator } from '../../../src/operator/start.ts';
import { secretDigest } from '../../../src/simulator/redact.ts';
import { secret } from '../../support/manifests.ts';
import { startTestOperator } from '../../support/operator.ts';
import { expectSiteWrites, lookAgain, put, SITE_ID, site, siteWorld } from './support.ts';

let operator: Operator;
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(() => operator.stop());

interface Life {
  readonly field: string;
  /** Spec, and the calls it leads to. */
  readonly set: readonly [object, ...string[]];
  readonly change: readonly [object, ...string[]];
  /** What somebody does behind the operator's back, and what puts it right. */
  readonly drift: readonly [{ settings?: Record<string, unknown>; accessControl?: string[] }, ...string[]];
  readonly remove: readonly string[];
  /** The list of sites shows it, so nobody has to ask for another look. */
  readonly listed?: boolean;
  readonly extended?: Partial<Pick<Life, 'set' | 'change' | 'drift' | 'remove'>>;
}

const acl = (rules: string) => `PUT webaccel/site/:id/acl ${JSON.stringify({ ACL: rules })}`;

const lives: readonly Life[] = [
  {
    field: 'displayName',
    set: [{ displayName: 'Shop' }, put({ Name: 'Shop' })],
    change: [{ displayName: 'Shop (new)' }, put({ Name: 'Shop (new)' })],
    drift: [{ settings: { Name: 'somebody was here' } }, put({ Name: 'Shop (new)' })],
    remove: [put({ Name: 'www.example.jp' })],
    listed: true,
  },
  {
    field: 'requestProtocol',
    set: [{ requestProtocol: 'HTTPSOnly' }, put({ RequestProtocol: 1 })],
    change: [{ requestProtocol: 'RedirectToHTTPS' }, put({ RequestProtocol: 2 })],
    drift: [{ settings: { RequestProtocol: 1 } }, put({ RequestProtocol: 2 })],
    remove: [put({ RequestProtocol: 0 })],
    extended: {
      set: [{ requestProtocol: 'HTTPSOnly' }, put({ RequestProtocol: '1' })],
      change: [{ requestProtocol: 'RedirectToHTTPS' }, put({ RequestProtocol: '2' })],
      drift: [{ settings: { RequestProtocol: 1 } }, put({ RequestProtocol: '2' })],
      remove: [put({ RequestProtocol: '0' })],
    },
  },
  {
    field: 'defaultCacheTTL',
    set: [{ defaultCacheTTL: 3600 }, put({ DefaultCacheTTL: 3600 })],
    change: [{ defaultCacheTTL: -1 }, put({ DefaultCacheTTL: -1 })],
    drift: [{ settings: { DefaultCacheTTL: 60 } }, put({ DefaultCacheTTL: -1 })],
    remove: [put({ DefaultCacheTTL: 0 })],
  },
  {
    field: 'vary and normalizeAcceptEncoding',
    set: [{ vary: true, normalizeAcceptEncoding: 'BrotliAndGzip' }, put({ VarySupport: 1, NormalizeAE: 3 })],
    change: [{ vary: true, normalizeAcceptEncoding: 'Gzip' }, put({ NormalizeAE: 1 })],
    drift: [{ settings: { VarySupport: 0 } }, put({ VarySupport: 1 })],
    remove: [put({ VarySupport: 0 })],
  },
  {
    field: 'cors',
    set: [{ cors: { allowAnyOrigin: true } }, put({ CORSRules: [{ AllowsAnyOrigin: true }] })],
    change: [
      { cors: { allowedOrigins: ['https://b.example.jp', 'https://a.example.jp'] } },
      put({ CORSRules: [{ AllowedOrigins: ['https://a.example.jp', 'https://b.example.jp'] }] }),
    ],
    drift: [
      { settings: { CORSRules: [] } },
      put({ CORSRules: [{ AllowedOrigins: ['https://a.example.jp', 'https://b.example.jp'] }] }),
    ],
    remove: [put({ CORSRules: [] })],
  },
  {
    field: 'cors, switched off',
    set: [{ cors: { allowAnyOrigin: true } }, put({ CORSRules: [{ AllowsAnyOrigin: true }] })],
    change: [{ cors: {} }, put({ CORSRules: [] })],
    drift: [{ settings: { CORSRules: [{ AllowsAnyOrigin: true }] } }, put({ CORSRules: [] })],
    remove: [],
  },
  {
    field: 'origin.webServer',
    set: [
      { origin: { webServer: { host: '192.0.2.10', hostHeader: 'shop.example.jp', protocol: 'HTTPS' } } },
      put({ OriginProtocol: 'https', Origin: '192.0.2.10', HostHeader: 'shop.example.jp' }),
    ],
    change: [
      { origin: { webServer: { host: '192.0.2.11' } } },
      put({ OriginProtocol: 'http', Origin: '192.0.2.11', HostHeader: '' }),
    ],
    drift: [{ settings: { Origin: '192.0.2.99' } }, put({ Origin: '192.0.2.11' })],
    remove: [],
    listed: true,
  },
  {
    field: 'origin.objectStorage',
    set: [
      {
        origin: {
          objectStorage: {
            bucket: 'shop',
            endpoint: 's3.example.jp',
            region: 'jp-north-1',
            credentialsSecretRef: { name: 's3' },
            documentIndex: true,
          },
        },
      },
      put({
        OriginType: 1,
        OriginProtocol: 'https',
        BucketName: 'shop',
        S3Endpoint: 's3.example.jp',
        S3Region: 'jp-north-1',
        AccessKeyID: secretDigest('key-id'),
        SecretAccessKey: secretDigest('key-secret'),
        DocIndex: 1,
      }),
    ],
    change: [
      {
        origin: {
          objectStorage: {
            bucket: 'shop-2',
            endpoint: 's3.example.jp',
            region: 'jp-north-1',
            credentialsSecretRef: { name: 's3' },
          },
        },
      },
      put({ BucketName: 'shop-2', DocIndex: 0 }),
    ],
    drift: [{ settings: { BucketName: 'other' } }, put({ BucketName: 'shop-2' })],
    remove: [],
  },
  {
    field: 'accessControl',
    set: [{ accessControl: ['deny 192.0.2.0/24', 'allow all'] }, acl('deny 192.0.2.0/24\nallow all')],
    change: [{ accessControl: ['allow 2001:db8::/32', 'deny all'] }, acl('allow 2001:db8::/32\ndeny all')],
    drift: [{ accessControl: ['allow all'] }, acl('allow 2001:db8::/32\ndeny all')],
    remove: ['DELETE webaccel/site/:id/acl'],
  },
  {
    field: 'accessControl, emptied',
    set: [{ accessControl: ['deny 192.0.2.7', 'allow all'] }, acl('deny 192.0.2.7\nallow all')],
    change: [{ accessControl: [] }, 'DELETE webaccel/site/:id/acl'],
    drift: [{ accessControl: ['deny all'] }, 'DELETE webaccel/site/:id/acl'],
    remove: [],
  },
  {
    field: 'oneTimeURLSecretRef',
    set: [
      { oneTimeURLSecretRef: { name: 'one-time', key: 'first' } },
      put({ OnetimeURLSecrets: secretDigest('first-secret') }),
    ],
    change: [
      { oneTimeURLSecretRef: { name: 'one-time', key: 'second' } },
      put({ OnetimeURLSecrets: secretDigest('second-secret') }),
    ],
    drift: [{ settings: { OnetimeURLSecrets: 'somebody' } }],
    remove: [put({ OnetimeURLSecrets: '' })],
    extended: {
      set: [
        { oneTimeURLSecretRef: { name: 'one-time', key: 'first' } },
        put({ OnetimeURLSecrets: [secretDigest('first-secret')] }),
      ],
      change: [
        { oneTimeURLSecretRef: { name: 'one-time', key: 'second' } },
        put({ OnetimeURLSecrets: [secretDigest('second-secret')] }),
      ],
      drift: [{ settings: { OnetimeURLSecrets: '' } }, put({ OnetimeURLSecrets: [secretDigest('second-secret')] })],
      remove: [put({ OnetimeURLSecrets: [] })],
    },
  },
];

const both = lives.flatMap(({ extended, ...life }) => [
  { ...life, dialect: 'Documented' as const },
  ...(extended ? [{ ...life, ...extended, dialect: 'Extended' as const }] : []),
]);

const secrets = `${secret('s3', { accessKeyID: 'key-id', secretAccessKey: 'key-secret' })}
---
${secret('one-time', { first: 'first-secret', second: 'second-secret' })}`;

/** What the list shows is found by its poll, after what each change waits for. Milliseconds. */
const LONG = { timeout: 300_000 };

describe.concurrent('a field of a WebAccelSite', () => {
  it.each(both)('$field is set, changed, put right and un-set ($dialect)', LONG, async (life) => {
    const world = await siteWorld({ dialect: life.dialect });
    await world.apply(secrets);
    await world.apply(site({}));
    await world.ready('WebAccelSite', 'www');
    await expectSiteWrites(world, []);

    for (const [spec, ...calls] of [life.set, life.change]) {
      await world.forget();
      await world.apply(site(spec));
      await expectSiteWrites(world, calls);
    }
    await world.forget();
    const [drift, ...calls] = life.drift;
    await world.simulator.patch({ sites: { [SITE_ID]: drift } });
    if (!life.listed) await lookAgain(world, 'WebAccelSite', 'www');
    await expectSiteWrites(world, calls);

    await world.forget();
    await world.apply(site({}));
    await expectSiteWrites(world, life.remove);
    const { status } = await world.ready('WebAccelSite', 'www');
    expect(status).toMatchObject({ ownership: 'Adopted', conditions: [{ type: 'Ready' }, { type: 'Synced' }] });
    expect(status).not.toHaveProperty('applied');
    expect(status).not.toHaveProperty('pending');
    await world.stop();
  });
});
