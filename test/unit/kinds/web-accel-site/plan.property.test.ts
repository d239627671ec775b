import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ObservedSite, SiteFacts } from '../../../../src/kinds/web-accel-site/facts.ts';
import { planSite } from '../../../../src/kinds/web-accel-site/plan.ts';
import type { SiteSpec } from '../../../../src/kinds/web-accel-site/schema.ts';
import type { ObservedSettings, SiteApplied } from '../../../../src/kinds/web-accel-site/status-schema.ts';
import type { SiteStep } from '../../../../src/kinds/web-accel-site/steps.ts';
import { SecretValue } from '../../../../src/reconcile/secret-value.ts';

const host = fc.constantFrom('a.example.jp', 'b.example.jp');
const rules = fc.constantFrom<string[]>([], ['allow all'], ['deny 192.0.2.0/24', 'allow all']);
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const cors = fc.constantFrom<NonNullable<ObservedSettings['cors']>>(
  {},
  { allowAnyOrigin: true },
  { allowedOrigins: ['https://a.example.jp'] },
);
const protocol = fc.constantFrom('HTTPAndHTTPS' as const, 'HTTPSOnly' as const, 'RedirectToHTTPS' as const);
const encoding = fc.constantFrom('Gzip' as const, 'BrotliAndGzip' as const);

const origin = fc.oneof(
  fc
    .record({
      host,
      hostHeader: optional(host),
      protocol: optional(fc.constantFrom('HTTP' as const, 'HTTPS' as const)),
    })
    .map((webServer) => ({ webServer })),
  fc.record({ bucket: host, endpoint: host, region: host, documentIndex: optional(fc.boolean()) }).map((storage) => ({
    objectStorage: { ...storage, credentialsSecretRef: { name: 's3' } },
  })),
);

/** A field of the spec that is not drawn does not compile. */
type Planned = Exclude<keyof SiteSpec, 'accountRef' | 'managementPolicy' | 'deletionPolicy' | 'siteID'>;

const spec: fc.Arbitrary<SiteSpec> = fc.record({
  domain: fc.constant('www.example.jp'),
  displayName: optional(host),
  requestProtocol: optional(protocol),
  origin: optional(origin),
  defaultCacheTTL: optional(fc.integer({ min: -1, max: 3 })),
  vary: optional(fc.boolean()),
  normalizeAcceptEncoding: optional(encoding),
  cors: optional(cors),
  oneTimeURLSecretRef: optional(fc.constant({ name: 'one-time', key: 'secret' })),
  accessControl: optional(rules),
} satisfies Record<Planned, fc.Arbitrary<unknown>>);

/** The service, as far as a site's settings go. */
interface Model {
  settings: ObservedSettings;
  accessControl: string[];
}

const settings: fc.Arbitrary<ObservedSettings> = fc
  .record({
    displayName: host,
    requestProtocol: protocol,
    defaultCacheTTL: fc.integer({ min: -1, max: 3 }),
    vary: fc.boolean(),
    normalizeAcceptEncoding: encoding,
    cors,
    origin: fc.oneof(
      fc.record({ host, hostHeader: optional(host), protocol: fc.constantFrom('HTTP', 'HTTPS') }).map((webServer) => ({
        originType: 'WebServer',
        webServer,
      })),
      fc
        .record({ bucket: host, endpoint: host, region: host, documentIndex: fc.boolean() })
        .map((objectStorage) => ({ originType: 'ObjectStorage', objectStorage })),
    ),
  })
  .map(({ origin, ...rest }) => ({ ...rest, ...origin }));

const applied: fc.Arbitrary<SiteApplied> = fc.record(
  {
    displayName: host,
    requestProtocol: protocol,
    originHost: host,
    hostHeader: host,
    originProtocol: fc.constantFrom('HTTP' as const, 'HTTPS' as const),
    bucket: host,
    originCredentials: fc.constantFrom('digest', 'another'),
    documentIndex: fc.boolean(),
    defaultCacheTTL: fc.constant(3),
    vary: fc.boolean(),
    normalizeAcceptEncoding: encoding,
    cors,
    oneTimeURLSecret: fc.constantFrom('digest', 'another'),
    accessControl: rules,
  },
  { requiredKeys: [] },
);

function factsOf(spec: SiteSpec, applied: SiteApplied, pending: readonly string[], model: Model): SiteFacts {
  const secret = new SecretValue('x');
  const observed: ObservedSite = {
    id: '1',
    name: model.settings.displayName ?? '',
    domain: 'www.example.jp',
    asciiDomain: 'www.example.jp',
    subdomain: 'x.user.example.jp',
    domainType: 'own_domain',
    status: 'enabled',
    listed: true,
    settings: model.settings,
    accessControl: model.accessControl,
  };
  return {
    desired: {
      spec,
      credentials: spec.origin?.objectStorage && {
        value: { accessKeyID: secret, secretAccessKey: secret },
        digest: 'digest',
      },
      oneTimeURLSecret: spec.oneTimeURLSecretRef && { value: secret, digest: 'digest' },
    },
    applied,
    pending,
    observed,
    answers: {},
    dialect: 'Documented',
  };
}

/** What the service does with a call; refuses what `api.md` says it refuses. */
function carryOut(model: Model, step: SiteStep): void {
  if (step.do === 'removeAccessControl') model.accessControl = [];
  if (step.do === 'setAccessControl') model.accessControl = [...step.rules];
  if (step.do !== 'updateSettings') return;
  const { settings: sent } = step;
  const before = model.settings;
  const type = sent.originType === undefined ? before.originType : ['WebServer', 'ObjectStorage'][sent.originType];
  const changes = type !== before.originType;
  const isWeb = type === 'WebServer';
  const web = [sent.origin, sent.hostHeader];
  const storage = [sent.bucketName, sent.s3Endpoint, sent.s3Region, sent.docIndex];
  if ((isWeb ? storage : web).some((value) => value !== undefined))
    throw new Error('a setting of the other origin type');
  if (isWeb && step.credentials) throw new Error('credentials for a web server');
  if (changes && isWeb && sent.origin === undefined) throw new Error('Origin is missing');
  if (changes && !isWeb && (storage.slice(0, 3).includes(undefined) || !step.credentials))
    throw new Error('a setting of the object storage is missing');
  if (!isWeb && changes && sent.originProtocol !== 'https') throw new Error('object storage needs https');
  if (!isWeb && sent.originProtocol === 'http') throw new Error('object storage needs https');
  const [webServer, objectStorage] = [changes ? {} : before.webServer, changes ? {} : before.objectStorage];
  const [rule] = sent.corsRules ?? [];
  model.settings = {
    displayName: sent.name ?? before.displayName,
    requestProtocol:
      sent.requestProtocol === undefined
        ? before.requestProtocol
        : ['HTTPAndHTTPS', 'HTTPSOnly', 'RedirectToHTTPS'][sent.requestProtocol],
    originType: type,
    ...(isWeb
      ? {
          webServer: {
            host: sent.origin ?? webServer?.host,
            hostHeader: (sent.hostHeader ?? webServer?.hostHeader) || undefined,
            protocol: sent.originProtocol?.toUpperCase() ?? webServer?.protocol,
          },
        }
      : {
          objectStorage: {
            bucket: sent.bucketName ?? objectStorage?.bucket,
            endpoint: sent.s3Endpoint ?? objectStorage?.endpoint,
            region: sent.s3Region ?? objectStorage?.region,
            documentIndex: sent.docIndex ?? objectStorage?.documentIndex ?? false,
          },
        }),
    defaultCacheTTL: sent.defaultCacheTTL ?? before.defaultCacheTTL,
    vary: sent.varySupport ?? before.vary,
    normalizeAcceptEncoding:
      sent.normalizeAE === undefined
        ? before.normalizeAcceptEncoding
        : sent.normalizeAE === 3
          ? 'BrotliAndGzip'
          : 'Gzip',
    cors:
      sent.corsRules === undefined
        ? before.cors
        : rule?.allowsAnyOrigin
          ? { allowAnyOrigin: true }
          : rule?.allowedOrigins
            ? { allowedOrigins: [...rule.allowedOrigins] }
            : {},
  };
}

describe('the plan of a site', () => {
  it('is empty after at most two calls, from anywhere', () => {
    const fields = fc.subarray(['displayName', 'vary', 'cors', 'hostHeader', 'originCredentials', 'accessControl']);
    fc.assert(
      fc.property(spec, applied, fields, settings, rules, (spec, applied, pending, settings, accessControl) => {
        const model: Model = { settings, accessControl };
        const plan = planSite(factsOf(spec, applied, pending, model));
        expect(plan.steps.length).toBeLessThanOrEqual(2);
        for (const step of plan.steps) carryOut(model, step);
        const after = planSite(factsOf(spec, plan.applied, [], model));
        expect({ steps: after.steps, drift: after.drift, applied: after.applied }).toEqual({
          steps: [],
          drift: [],
          applied: plan.applied,
        });
      }),
      { numRuns: 1000 },
    );
  });

  it('is empty for a site that was taken over with nothing but its domain, whatever it is like', () => {
    fc.assert(
      fc.property(settings, rules, (settings, accessControl) => {
        const plan = planSite(factsOf({ domain: 'www.example.jp' }, {}, [], { settings, accessControl }));
        expect(plan).toEqual({ steps: [], drift: [], applied: {} });
      }),
    );
  });

  it('sends only what differs: what the site has already is never in a call', () => {
    fc.assert(
      fc.property(spec, applied, settings, rules, (spec, applied, settings, accessControl) => {
        const plan = planSite(factsOf(spec, applied, [], { settings, accessControl }));
        for (const step of plan.steps) {
          if (step.do !== 'updateSettings' || step.settings.originType !== undefined) continue;
          const { name, origin, hostHeader, defaultCacheTTL, bucketName } = step.settings;
          const has = {
            name: settings.displayName,
            origin: settings.webServer?.host,
            defaultCacheTTL: settings.defaultCacheTTL,
          };
          for (const [sent, known] of [
            [name, has.name],
            [origin, has.origin],
            [hostHeader, settings.webServer?.hostHeader ?? ''],
            [defaultCacheTTL, has.defaultCacheTTL],
            [bucketName, settings.objectStorage?.bucket],
          ])
            if (sent !== undefined) expect(sent).not.toEqual(known);
        }
      }),
    );
  });

  it('does not send again what the service took and did not keep, and says so', () => {
    const model: Model = { settings: { displayName: 'www', vary: false }, accessControl: [] };
    const facts = factsOf({ domain: 'www.example.jp', displayName: 'Shop', vary: true }, {}, [], model);
    const sent = [{ field: 'displayName', desired: 'Shop', observed: 'before' }];
    const { steps, unsynced } = planSite({ ...facts, answers: { settings: { sent, shown: model.settings } } });
    expect({ steps: steps.map(({ fields }) => fields), unsynced }).toEqual({
      steps: [['vary']],
      unsynced: {
        reason: 'SettingNotTaken',
        message:
          'The service was sent displayName Shop and shows www. Write it as the service does; it is not sent again until either changes.',
      },
    });
  });

  it('sends a Secret that has changed since it was sent last', () => {
    const model: Model = { settings: { displayName: 'www' }, accessControl: [] };
    const spec = { domain: 'www.example.jp', oneTimeURLSecretRef: { name: 'one-time', key: 'secret' } };
    const facts = factsOf(spec, { oneTimeURLSecret: 'before' }, [], model);
    const sent = [{ field: 'oneTimeURLSecretRef', desired: 'as in the Secret', observed: 'not sent yet' }];
    const { steps } = planSite({ ...facts, answers: { settings: { sent, shown: model.settings } } });
    expect(steps.map(({ fields }) => fields)).toEqual([['oneTimeURLSecret']]);
  });
});
