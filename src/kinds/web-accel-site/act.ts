import { CloudError, type CloudErrorClass } from '../../cloud/errors.ts';
import type { SiteSettings } from '../../cloud/site/types.ts';
import type { WriteReport } from '../../cloud/write-report.ts';
import type { Pass, StepResult } from '../../reconcile/kind.ts';
import type { SiteDetailsReader } from './details.ts';
import { toIdentity, toSettings } from './observe.ts';
import type { WebAccelSite } from './schema.ts';
import type { SiteStep } from './steps.ts';

/** After these the site is as it was. */
const UNCHANGED: ReadonlySet<CloudErrorClass> = new Set(['Rejected', 'Throttled', 'Conflict', 'CredentialsRejected']);

/**
 * Does one call about the site with this ID (`api.md`, Web acceleration operations). The answer of a PUT shows the site
 * after the change, so it is the observation the next plan is made from.
 */
export async function actOnSite(
  step: SiteStep,
  id: string,
  pass: Pass<WebAccelSite>,
  details: SiteDetailsReader,
): Promise<StepResult<WebAccelSite, never>> {
  const { client, dialect } = pass.session;
  const { sites } = client;
  const { object } = pass;
  const asked = pass.call('write');
  let isSent = false;
  let isUnclear = false;
  const onSent = () => {
    isSent = true;
    asked.onSent?.();
  };
  const onWrite = (report: WriteReport) => {
    isUnclear ||= report.outcome === 'unclear';
    asked.onWrite?.(report);
  };
  const call = { ...asked, onSent, onWrite };
  try {
    switch (step.do) {
      case 'updateSettings': {
        const answer = await sites.update(id, settingsOf(step), call);
        const settings = toSettings(answer, dialect);
        const answers = { settings: { sent: step.mends, shown: settings } };
        details.answered(object, id, { identity: toIdentity(answer), settings, answers });
        return {};
      }
      case 'setAccessControl': {
        const accessControl = await sites.setACL(id, step.rules, call);
        const answers = { accessControl: { sent: step.mends, shown: accessControl } };
        details.answered(object, id, { accessControl, answers });
        return {};
      }
      case 'removeAccessControl':
        await sites.deleteACL(id, call);
        details.answered(object, id, { accessControl: [] });
        return {};
    }
  } catch (error) {
    // What refused the last try says nothing of one before it.
    const isChanged = isUnclear || !(error instanceof CloudError) || !UNCHANGED.has(error.class);
    if (isSent && isChanged) details.forget(object, id);
    throw error;
  }
}

function settingsOf({ settings, credentials, oneTimeURLSecret }: SiteStep & { do: 'updateSettings' }): SiteSettings {
  return {
    ...settings,
    ...(credentials && {
      accessKeyID: credentials.accessKeyID.reveal(),
      secretAccessKey: credentials.secretAccessKey.reveal(),
    }),
    ...(oneTimeURLSecret && {
      oneTimeURLSecret: oneTimeURLSecret === 'clear' ? '' : oneTimeURLSecret.reveal(),
    }),
  };
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
