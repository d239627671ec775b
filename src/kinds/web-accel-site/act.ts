import { CloudError, type CloudErrorClass } from '../../cloud/errors.ts';
import type { SiteSettings } from '../../cloud/site/types.ts';
import type { Pass, StepResult } from '../../reconcile/kind.ts';
import type { SiteDetailsReader } from './details.ts';
import type { NotTaken, ObservedSite, SiteFacts } from './facts.ts';
import { toIdentity, toSettings } from './observe.ts';
import { planSite } from './plan.ts';
import type { WebAccelSite } from './schema.ts';
import type { SiteStep } from './steps.ts';

/** After these the site is as it was. */
const UNCHANGED: ReadonlySet<CloudErrorClass> = new Set(['Rejected', 'Throttled', 'Conflict', 'CredentialsRejected']);

/**
 * Does one call of the service for one step (`api.md`, Web acceleration operations). The answer of a PUT shows the site
 * after the change, so it is the observation the next plan is made from.
 */
export async function actOnSite(
  step: SiteStep,
  facts: SiteFacts,
  pass: Pass<WebAccelSite>,
  details: SiteDetailsReader,
): Promise<StepResult> {
  const { sites } = pass.session.client;
  const { object } = pass;
  const call = pass.call('write');
  const id = facts.observed?.id;
  if (id === undefined) throw new TypeError(`${step.do} needs a site`);
  try {
    switch (step.do) {
      case 'updateSettings': {
        const answer = await sites.update(id, settingsOf(step, facts), call);
        const settings = toSettings(answer, facts.dialect);
        details.remember(object, {
          identity: toIdentity(answer),
          settings,
          notTaken: notTaken(facts, details, object, { settings }),
        });
        return {};
      }
      case 'setAccessControl': {
        const accessControl = await sites.setACL(id, step.rules, call);
        details.remember(object, { accessControl, notTaken: notTaken(facts, details, object, { accessControl }) });
        return {};
      }
      case 'removeAccessControl':
        await sites.deleteACL(id, call);
        details.remember(object, { accessControl: [] });
        return {};
    }
  } catch (error) {
    if (!(error instanceof CloudError) || !UNCHANGED.has(error.class)) details.forget(object);
    throw error;
  }
}

function settingsOf(step: SiteStep & { do: 'updateSettings' }, facts: SiteFacts): SiteSettings {
  const { credentials, oneTimeURLSecret } = facts.desired;
  const settings: { -readonly [K in keyof SiteSettings]: SiteSettings[K] } = { ...step.settings };
  if (step.credentials) {
    if (!credentials || !('value' in credentials)) throw new TypeError('credentials are sent only when at hand');
    settings.accessKeyID = credentials.value.accessKeyID.reveal();
    settings.secretAccessKey = credentials.value.secretAccessKey.reveal();
  }
  if (step.oneTimeURLSecret === 'clear') settings.oneTimeURLSecret = '';
  else if (step.oneTimeURLSecret === 'set') {
    if (!oneTimeURLSecret || !('value' in oneTimeURLSecret))
      throw new TypeError('the secret is sent only when at hand');
    settings.oneTimeURLSecret = oneTimeURLSecret.value.reveal();
  }
  return settings;
}

/** What was sent and still differs in the answer: sending it again would change nothing, and never end. */
function notTaken(
  facts: SiteFacts,
  details: SiteDetailsReader,
  object: WebAccelSite,
  answered: Partial<Pick<ObservedSite, 'settings' | 'accessControl'>>,
): NotTaken[] {
  const { observed } = facts;
  if (!observed) return [];
  const { drift, applied } = planSite({ ...facts, notTaken: [] });
  const sent = new Set(drift.map(({ field }) => field));
  const after = planSite({ ...facts, applied, pending: [], notTaken: [], observed: { ...observed, ...answered } });
  const isAnswered = (field: string) => (field === 'accessControl') === (answered.accessControl !== undefined);
  const others = (details.known(object)?.notTaken ?? []).filter(({ field }) => !isAnswered(field));
  return [...others, ...after.drift.filter(({ field }) => sent.has(field) && isAnswered(field))];
}

/** The step in the past tense. */
export function describeSiteStep(step: SiteStep): string {
  switch (step.do) {
    case 'updateSettings':
      return `set ${step.fields.join(', ')}`;
    case 'setAccessControl':
      return `set the access control list (${step.rules.length === 1 ? '1 rule' : `${step.rules.length} rules`})`;
    case 'removeAccessControl':
      return 'removed the access control list';
  }
}
