import type { ManagedKind } from '../../reconcile/kind.ts';
import { fieldsOf } from '../common/combine.ts';
import { actOnSite, describeSiteStep } from './act.ts';
import { isThere } from './comparisons.ts';
import type { SiteFacts } from './facts.ts';
import { gatherSite, type SiteSources } from './gather.ts';
import { planSite, planSiteDeletion, sitePlanners } from './plan.ts';
import type { SiteHold } from './reasons.ts';
import { siteDefinition, siteResource, type WebAccelSite } from './schema.ts';
import { secretNamesOf } from './secrets.ts';
import { observedStatus, readyMessage, siteImpairment } from './status.ts';
import type { SiteStep } from './steps.ts';

/** The kind WebAccelSite, reading from `sources`. */
export function createSiteKind(
  sources: SiteSources,
): ManagedKind<WebAccelSite, SiteFacts, SiteStep, never, SiteHold['reason']> {
  return {
    definition: siteDefinition,
    resource: siteResource,
    hidden: ['oneTimeURLSecret', 'originCredentials'],
    sharesHour: 'write',
    fields: fieldsOf(sitePlanners),
    marks: [],
    outside: { originCredentials: 'SecretChanged', oneTimeURLSecret: 'SecretChanged' },
    secretsOf: secretNamesOf,
    gather: (pass) => gatherSite(pass, sources),
    plan: planSite,
    planDeletion: planSiteDeletion,
    forget: sources.details.forget,
    readAt: sources.details.readAt,
    isOld: ({ object }, { observed }) => observed !== undefined && sources.details.isOld(object, observed.id),
    // Never: no step of a site creates one.
    create: (step) => step,
    act: (step, id, pass) => actOnSite(step, id, pass, sources.details),
    called: ({ spec, status }, id) => `site ${id} (${status?.domain ?? spec.domain ?? 'domain unknown'})`,
    describe: describeSiteStep,
    isThere,
    identify: ({ observed }) => observed && { id: observed.id, ownership: 'Adopted' },
    // Settings and access control have nothing to do with one another.
    goesOn: () => true,
    impairment: siteImpairment,
    observed: observedStatus,
    learnt(object, id) {
      const known = sources.details.known(object, id);
      if (!known || known.source === 'recorded' || !known.value.settings) return undefined;
      const { settings, accessControl } = known.value;
      return { settings, ...(accessControl && { accessControl: [...accessControl] }) };
    },
    seal: sources.claims.seal,
    giveUp: sources.claims.drop,
    readyMessage,
  };
}
