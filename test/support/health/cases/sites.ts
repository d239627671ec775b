import type { DesiredSite, ObservedSite, SiteFacts } from '../../../../src/kinds/web-accel-site/facts.ts';
import { holdNotListed } from '../../../../src/kinds/web-accel-site/holds.ts';
import { planSite } from '../../../../src/kinds/web-accel-site/plan.ts';
import { type SiteSpec, siteDefinition, type WebAccelSite } from '../../../../src/kinds/web-accel-site/schema.ts';
import { desire } from '../../../../src/kinds/web-accel-site/secrets.ts';
import { observedStatus, readyMessage, siteImpairment } from '../../../../src/kinds/web-accel-site/status.ts';
import type { SecretContent } from '../../../../src/reconcile/secrets.ts';
import type { Shown } from '../../../../src/reconcile/write-outcome.ts';
import { concluded, ended, type HealthCase, metadataOf } from '../case.ts';

const shown: Shown<WebAccelSite, SiteFacts> = {
  definition: siteDefinition,
  observed: observedStatus,
  marks: [],
  impairment: siteImpairment,
  readyMessage,
};

const atService: ObservedSite = {
  id: '113300000301',
  name: 'www',
  domain: 'www.example.jp',
  asciiDomain: 'www.example.jp',
  subdomain: '',
  domainType: 'own_domain',
  status: 'enabled',
  listed: true,
  settings: {},
};

function siteOf(spec: Partial<SiteSpec> = {}): WebAccelSite {
  return {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'WebAccelSite',
    metadata: metadataOf('www'),
    spec: { domain: 'www.example.jp', ...spec },
  };
}

function factsOf(desired: DesiredSite, more: Partial<SiteFacts> = {}): SiteFacts {
  const nothing = { applied: {}, pending: [], answers: {}, usage: undefined };
  return { desired, observed: atService, dialect: 'Documented', ...nothing, ...more };
}

function planned(site: WebAccelSite, more: Partial<SiteFacts> = {}): WebAccelSite {
  const desired = { spec: site.spec, credentials: undefined, oneTimeURLSecret: undefined };
  return concluded(shown, site, ended(factsOf(desired, more), planSite));
}

/** A site with one-time URLs whose Secret is so; `sent`: it was there before. */
async function withSecret(secret: SecretContent | undefined, sent: boolean): Promise<WebAccelSite> {
  const site = siteOf({ oneTimeURLSecretRef: { name: 'urls', key: 'secret' } });
  const before = sent ? { ...planned(siteOf()), spec: site.spec } : site;
  const digest = (value: string) => `digest of ${value}`;
  const desired = await desire(before, { digest }, { read: async () => secret });
  const applied = sent ? { oneTimeURLSecret: digest('before') } : {};
  return concluded(shown, before, ended(factsOf(desired, { applied }), planSite));
}

const empty: SecretContent = {
  type: 'Opaque',
  resourceVersion: '1',
  get: () => undefined,
  word: () => undefined,
  line: () => undefined,
};
const sent = [{ field: 'vary', desired: 'true', observed: 'false' }];

/** What only WebAccelSites have. */
export async function siteCases(): Promise<readonly HealthCase[]> {
  return [
    { title: 'a site that works', object: planned(siteOf()) },
    { title: 'a site that is disabled', object: planned(siteOf(), { observed: { ...atService, status: 'disabled' } }) },
    {
      title: 'a site that no list shows',
      object: concluded(shown, siteOf(), { hold: holdNotListed('www.example.jp', 100) }),
    },
    {
      title: 'a site with a setting that was not taken',
      object: planned(siteOf({ vary: true }), { answers: { settings: { sent, shown: atService.settings ?? {} } } }),
    },
    { title: 'a site without its Secret', object: await withSecret(undefined, false) },
    { title: 'a site that works, and whose Secret is gone', object: await withSecret(undefined, true) },
    { title: 'a site with an empty Secret', object: await withSecret(empty, false) },
    { title: 'a site that works, and whose Secret is empty now', object: await withSecret(empty, true) },
  ];
}
