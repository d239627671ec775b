import { describe, expect, it } from 'vitest';
import type { ObservedSite, SiteFacts } from '../../../../src/kinds/web-accel-site/facts.ts';
import { planSite } from '../../../../src/kinds/web-accel-site/plan.ts';
import type { SiteSpec } from '../../../../src/kinds/web-accel-site/schema.ts';
import type { ObservedSettings, SiteApplied } from '../../../../src/kinds/web-accel-site/status-schema.ts';
import { SecretValue } from '../../../../src/reconcile/secret-value.ts';

const site: ObservedSite = {
  id: '1',
  name: 'www',
  domain: 'www.example.jp',
  asciiDomain: 'www.example.jp',
  subdomain: 'www.example',
  domainType: 'own_domain',
  status: 'enabled',
  listed: true,
  settings: {
    displayName: 'www',
    requestProtocol: 'HTTPAndHTTPS',
    defaultCacheTTL: 0,
    vary: false,
    normalizeAcceptEncoding: 'Gzip',
    originType: 'WebServer',
    webServer: { host: 'a.example.jp', protocol: 'HTTP' },
    hasOneTimeURLSecret: false,
  },
  accessControl: ['deny 192.0.2.0/24'],
};
const storage = { bucket: 'b', endpoint: 's3.example.jp', region: 'r' };

function told(spec: Partial<SiteSpec>, applied: SiteApplied = {}, observed: Partial<ObservedSite> = {}): string[] {
  const facts: SiteFacts = {
    desired: {
      spec: { domain: 'www.example.jp', ...spec },
      credentials: spec.origin?.objectStorage && {
        value: { accessKeyID: new SecretValue('canary'), secretAccessKey: new SecretValue('canary') },
        digest: 'digest',
      },
      oneTimeURLSecret: spec.oneTimeURLSecretRef && { value: new SecretValue('canary'), digest: 'digest' },
    },
    applied,
    pending: [],
    observed: { ...site, ...observed },
    answers: {},
    dialect: 'Extended',
  };
  return planSite(facts).steps.map(
    (step) =>
      `${step.do}: ${step.changes.map(({ field, before, after }) => `${field} ${before} → ${after}`).join(', ')}`,
  );
}

const oneTime = { oneTimeURLSecretRef: { name: 's', key: 'k' } };
const bucket = { origin: { objectStorage: { ...storage, credentialsSecretRef: { name: 's3' } } } };
const inBucket = { settings: { ...site.settings, originType: 'ObjectStorage', objectStorage: storage } };

describe('what the calls about a site change', () => {
  it.each<[string, string[], readonly string[]]>([
    [
      'settings that differ, in one call',
      told({ vary: true, defaultCacheTTL: 60, requestProtocol: 'HTTPAndHTTPS' }),
      ['updateSettings: defaultCacheTTL 0 → 60, vary false → true'],
    ],
    [
      'a web server',
      told({ origin: { webServer: { host: 'b.example.jp', protocol: 'HTTP' } } }),
      ['updateSettings: origin.webServer.host a.example.jp → b.example.jp'],
    ],
    [
      'an origin of another type, whose credentials nobody is told',
      told(bucket),
      [
        'updateSettings: origin WebServer → ObjectStorage, origin.objectStorage.bucket none → b, origin.objectStorage.endpoint none → s3.example.jp, origin.objectStorage.region none → r, origin.objectStorage.credentialsSecretRef none → (secret)',
      ],
    ],
    [
      'other credentials',
      told(bucket, { originCredentials: 'another' }, inBucket),
      ['updateSettings: origin.objectStorage.credentialsSecretRef (secret) → (secret)'],
    ],
    ['a one-time secret', told(oneTime), ['updateSettings: oneTimeURLSecretRef none → (secret)']],
    [
      'another one',
      told(oneTime, { oneTimeURLSecret: 'another' }, { settings: { ...site.settings, hasOneTimeURLSecret: true } }),
      ['updateSettings: oneTimeURLSecretRef (secret) → (secret)'],
    ],
    [
      'one that is no more wanted',
      told({}, { oneTimeURLSecret: 'digest' }, { settings: { ...site.settings, hasOneTimeURLSecret: true } }),
      ['updateSettings: oneTimeURLSecretRef (secret) → none'],
    ],
    [
      'an access control list',
      told({ accessControl: ['allow all'] }),
      ['setAccessControl: accessControl deny 192.0.2.0/24 → allow all'],
    ],
    ['none any more', told({ accessControl: [] }), ['removeAccessControl: accessControl deny 192.0.2.0/24 → none']],
    ['nothing', told({ vary: false }), []],
  ])('%s', (_, told, expected) => {
    expect(told).toEqual(expected);
  });
});

/** The field was applied, alone, and is at the service as it was applied. */
const had = (applied: SiteApplied, settings: Partial<ObservedSettings>, more: Partial<ObservedSite> = {}) =>
  told({}, applied, { settings: { ...site.settings, ...settings }, ...more });
/** What is part of the origin stays: a site is never without one. */
const ofOrigin: string[] = [];

/** What is sent once a field leaves the spec: the default of a new site. A field without its row does not compile. */
const unset = {
  displayName: [had({ displayName: 'shop' }, { displayName: 'shop' }), ['displayName shop → www.example.jp']],
  requestProtocol: [
    had({ requestProtocol: 'HTTPSOnly' }, { requestProtocol: 'HTTPSOnly' }),
    ['requestProtocol HTTPSOnly → HTTPAndHTTPS'],
  ],
  originHost: [had({ originHost: 'a.example.jp' }, {}), ofOrigin],
  hostHeader: [
    had({ hostHeader: 'h.example.jp' }, { webServer: { ...site.settings?.webServer, hostHeader: 'h.example.jp' } }),
    ofOrigin,
  ],
  originProtocol: [
    had({ originProtocol: 'HTTPS' }, { webServer: { ...site.settings?.webServer, protocol: 'HTTPS' } }),
    ofOrigin,
  ],
  bucket: [had({ bucket: 'b' }, inBucket.settings), ofOrigin],
  endpoint: [had({ endpoint: 's3.example.jp' }, inBucket.settings), ofOrigin],
  region: [had({ region: 'r' }, inBucket.settings), ofOrigin],
  originCredentials: [had({ originCredentials: 'digest' }, inBucket.settings), ofOrigin],
  documentIndex: [
    had({ documentIndex: true }, { ...inBucket.settings, objectStorage: { ...storage, documentIndex: true } }),
    ofOrigin,
  ],
  defaultCacheTTL: [had({ defaultCacheTTL: 60 }, { defaultCacheTTL: 60 }), ['defaultCacheTTL 60 → 0']],
  vary: [had({ vary: true }, { vary: true }), ['vary true → false']],
  normalizeAcceptEncoding: [
    had({ normalizeAcceptEncoding: 'BrotliAndGzip' }, { normalizeAcceptEncoding: 'BrotliAndGzip' }),
    ['normalizeAcceptEncoding BrotliAndGzip → Gzip'],
  ],
  cors: [had({ cors: { allowAnyOrigin: true } }, { cors: { allowAnyOrigin: true } }), ['cors any origin → off']],
  oneTimeURLSecret: [
    had({ oneTimeURLSecret: 'digest' }, { hasOneTimeURLSecret: true }),
    ['oneTimeURLSecretRef (secret) → none'],
  ],
  accessControl: [
    had({ accessControl: ['deny 192.0.2.0/24'] }, {}, { accessControl: ['deny 192.0.2.0/24'] }),
    ['accessControl deny 192.0.2.0/24 → none'],
  ],
} satisfies Record<keyof SiteApplied, [told: string[], changes: string[]]>;

it.each(Object.entries(unset))(
  'a site goes back to the default of a new one where the spec drops %s',
  (_, [sent, changes]) => {
    expect(sent.map((call) => call.replace(/^\w+: /, ''))).toEqual(changes);
  },
);
