import { describe, expect, it } from 'vitest';
import type { ObservedSite, SiteFacts } from '../../../../src/kinds/web-accel-site/facts.ts';
import { planSite } from '../../../../src/kinds/web-accel-site/plan.ts';
import type { SiteSpec } from '../../../../src/kinds/web-accel-site/schema.ts';
import type { SiteApplied } from '../../../../src/kinds/web-accel-site/status-schema.ts';
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
