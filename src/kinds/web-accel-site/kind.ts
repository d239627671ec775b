import type { ManagedKind } from '../../reconcile/kind.ts';
import { actOnSite, describeSiteStep } from './act.ts';
import type { SiteFacts } from './facts.ts';
import { gatherSite, type SiteSources } from './gather.ts';
import { planSite, planSiteDeletion } from './plan.ts';
import { siteDefinition, siteResource, type WebAccelSite } from './schema.ts';
import { secretNamesOf } from './secrets.ts';
import { observedStatus, readyMessage, siteImpairment } from './status.ts';
import { siteApplied } from './status-schema.ts';
import type { SiteStep } from './steps.ts';

/** The kind WebAccelSite, reading from `sources`. */
export function createSiteKind(sources: SiteSources): ManagedKind<WebAccelSite, SiteFacts, SiteStep> {
  return {
    definition: siteDefinition,
    resource: siteResource,
    sharesHour: true,
    fields: Object.keys(siteApplied.shape),
    marks: [],
    secretsOf: secretNamesOf,
    gather: (pass) => gatherSite(pass, sources),
    plan: planSite,
    planDeletion: planSiteDeletion,
    act: (step, facts, pass) => actOnSite(step, facts, pass, sources.details),
    describe: describeSiteStep,
    identify: ({ observed }) => observed && { id: observed.id, ownership: 'Adopted' },
    impairment: siteImpairment,
    observed: observedStatus,
    readyMessage,
  };
}
