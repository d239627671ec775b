import { isDeepStrictEqual } from 'node:util';
import { defined } from '../../cloud/list/page.ts';
import type { CORSRule } from '../../cloud/site/types.ts';
import { mending, secretChange } from '../../reconcile/change.ts';
import { type Drift, isPending, wasApplied } from '../../reconcile/managed-object.ts';
import type { Plan } from '../../reconcile/plan.ts';
import { combine, type Planners, partsOf } from '../common/combine.ts';
import { planAccessControl } from './access-control.ts';
import { driftOf, show } from './drift.ts';
import type { ObservedSite, SiteFacts } from './facts.ts';
import { holdNotFound } from './holds.ts';
import { requestProtocolNumber } from './observe.ts';
import { planOrigin } from './origin.ts';
import { type SiteHold, SiteReason } from './reasons.ts';
import type { SiteSpec } from './schema.ts';
import type { SiteApplied } from './status-schema.ts';
import type { PlainSettings, SiteField, SitePart, SiteStep } from './steps.ts';

type PlannerInput = [facts: SiteFacts, site: ObservedSite];
type SitePlan = Plan<SiteStep, SiteApplied, SiteHold['reason']>;

/** Who plans what. All settings that differ go in one call. */
export const sitePlanners: Planners<SiteApplied, PlannerInput, SitePart> = {
  displayName: planName,
  requestProtocol: planRequestProtocol,
  defaultCacheTTL: planCacheTTL,
  vary: planVary,
  normalizeAcceptEncoding: planAcceptEncoding,
  cors: planCORS,
  originHost: planOrigin,
  hostHeader: planOrigin,
  originProtocol: planOrigin,
  bucket: planOrigin,
  endpoint: planOrigin,
  region: planOrigin,
  originCredentials: planOrigin,
  documentIndex: planOrigin,
  oneTimeURLSecret: planOneTimeURL,
  accessControl: planAccessControl,
};

/**
 * The calls that bring the site to its spec: at most one PUT with the settings that differ, and one for the access
 * control list. Each planner compares desired, applied and observed on its own; see docs/decisions/three-way-applied.md.
 */
export function planSite(facts: SiteFacts): SitePlan {
  const { observed } = facts;
  if (!observed) {
    // What was applied to one that has vanished is not applied to whatever comes in its place.
    return { steps: [], drift: [], applied: {}, hold: holdNotFound(facts.desired.spec), undecided: 'all' };
  }
  const parts = partsOf<SitePart, PlannerInput>(sitePlanners, facts, observed);
  const plan = combine(...parts);
  const notTaken = notTakenOf({ ...facts, applied: plan.applied, pending: [] }, observed);
  const isNotTaken = (one: Drift) => notTaken.some((other) => isDeepStrictEqual(one, other));
  const refused = plan.drift.find(isNotTaken);
  return {
    ...plan,
    steps: stepsOf(parts, ({ drift = [] }) => drift.length === 0 || !drift.every(isNotTaken)),
    applied: defined(plan.applied),
    ...(refused && {
      unsynced: {
        reason: SiteReason.SettingNotTaken,
        message: `The service was sent ${refused.field} ${refused.desired} and shows ${refused.observed}. Write it as the service does; it is not sent again until either changes.`,
      },
    }),
  };
}

/** Sites are never deleted: letting go is all there is. */
export function planSiteDeletion(facts: SiteFacts): SitePlan {
  return { steps: [], drift: [], applied: facts.applied };
}

/**
 * What was sent and still differed in the answer: sending it again would change nothing, and never end. The facts have
 * all as applied, for what the service never shows, as a Secret, only differs from what was sent before.
 */
function notTakenOf(facts: SiteFacts, observed: ObservedSite): Drift[] {
  const { settings, accessControl } = facts.answers;
  const differing = (answered: Partial<ObservedSite>, sent: readonly Drift[]) => {
    const then = partsOf<SitePart, PlannerInput>(sitePlanners, facts, { ...observed, ...answered });
    return combine(...then).drift.filter(({ field, desired }) =>
      sent.some((one) => one.field === field && one.desired === desired),
    );
  };
  return [
    ...(settings ? differing({ settings: settings.shown }, settings.sent) : []),
    ...(accessControl ? differing({ accessControl: accessControl.shown }, accessControl.sent) : []),
  ];
}

/** The calls of those parts that are worth it. */
function stepsOf(all: readonly SitePart[], isWorth: (part: SitePart) => boolean): SiteStep[] {
  const parts = all.filter(isWorth);
  const fields = parts.flatMap((part) => part.fields ?? []);
  const steps = parts.flatMap((part) => part.steps ?? []);
  if (fields.length === 0) return steps;
  const update: SiteStep = {
    do: 'updateSettings',
    settings: Object.assign({}, ...parts.map((part) => part.settings)),
    credentials: parts.find((part) => part.credentials)?.credentials,
    oneTimeURLSecret: parts.find((part) => part.oneTimeURLSecret)?.oneTimeURLSecret,
    fields,
    pending: fields,
    changes: parts.flatMap((part) => (part.fields?.length ? (part.changes ?? mending(part.drift ?? [])) : [])),
    // What was sent before, to no avail, goes on counting as sent.
    mends: all.flatMap((part) => (part.fields?.length ? (part.drift ?? []) : [])),
  };
  return [update, ...steps];
}

/** The name is in the list, so it is compared without any detail. */
function planName(facts: SiteFacts, site: ObservedSite): SitePart<'displayName'> {
  return planOne(facts, {
    field: 'displayName',
    desired: facts.desired.spec.displayName,
    baseline: site.domain || site.asciiDomain || site.subdomain,
    observed: site.settings?.displayName ?? site.name,
    send: (name) => ({ name }),
  });
}

function planRequestProtocol(facts: SiteFacts, { settings }: ObservedSite): SitePart<'requestProtocol'> {
  if (!settings) return kept(facts, 'requestProtocol');
  return planOne(facts, {
    field: 'requestProtocol',
    desired: facts.desired.spec.requestProtocol,
    baseline: 'HTTPAndHTTPS',
    observed: settings.requestProtocol,
    send: (name) => ({ requestProtocol: requestProtocolNumber(name) }),
  });
}

function planCacheTTL(facts: SiteFacts, { settings }: ObservedSite): SitePart<'defaultCacheTTL'> {
  if (!settings) return kept(facts, 'defaultCacheTTL');
  return planOne(facts, {
    field: 'defaultCacheTTL',
    desired: facts.desired.spec.defaultCacheTTL,
    baseline: 0,
    observed: settings.defaultCacheTTL,
    send: (seconds) => ({ defaultCacheTTL: seconds }),
  });
}

function planVary(facts: SiteFacts, { settings }: ObservedSite): SitePart<'vary'> {
  if (!settings) return kept(facts, 'vary');
  return planOne(facts, {
    field: 'vary',
    desired: facts.desired.spec.vary,
    baseline: false,
    observed: settings.vary ?? false,
    send: (vary) => ({ varySupport: vary }),
  });
}

function planAcceptEncoding(facts: SiteFacts, { settings }: ObservedSite): SitePart<'normalizeAcceptEncoding'> {
  if (!settings) return kept(facts, 'normalizeAcceptEncoding');
  return planOne(facts, {
    field: 'normalizeAcceptEncoding',
    desired: facts.desired.spec.normalizeAcceptEncoding,
    baseline: 'Gzip',
    observed: settings.normalizeAcceptEncoding,
    send: (name) => ({ normalizeAE: name === 'Gzip' ? 1 : 3 }),
  });
}

/** Nothing is planned for the field until its setting was read. */
function kept<Field extends SiteField>(facts: SiteFacts, field: Field): SitePart<Field> {
  return { applied: one(field, facts.applied[field]), undecided: [field] };
}

function one<Field extends SiteField>(field: Field, value: SiteApplied[Field]): Pick<SiteApplied, Field> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has the one field, which TypeScript can't tell
  return { [field]: value } as Pick<SiteApplied, Field>;
}

interface One<Field extends SiteField> {
  readonly field: Field;
  readonly desired: SiteApplied[Field];
  /** What it goes back to when it leaves the spec. */
  readonly baseline: NonNullable<SiteApplied[Field]>;
  readonly observed: unknown;
  readonly send: (value: NonNullable<SiteApplied[Field]>) => PlainSettings;
}

function planOne<Field extends SiteField>(
  facts: SiteFacts,
  { field, desired, baseline, observed, send }: One<Field>,
): SitePart<Field> {
  const wanted = desired ?? (wasApplied(facts, field) ? baseline : undefined);
  const applied = one(field, desired);
  if (wanted === undefined || wanted === observed) return { applied };
  return { settings: send(wanted), fields: [field], drift: [driftOf(field, wanted, observed)], applied };
}

/** The order of origins has no meaning. */
function planCORS(facts: SiteFacts, { settings }: ObservedSite): SitePart<'cors'> {
  if (!settings) return kept(facts, 'cors');
  const { cors: given } = facts.desired.spec;
  const cors = given === null ? {} : given;
  const wanted = cors ?? (wasApplied(facts, 'cors') ? {} : undefined);
  const applied = cors ? { cors: corsOf(cors) } : {};
  if (wanted === undefined) return { applied };
  const [desired, observed] = [corsOf(wanted), corsOf(settings.cors)];
  if (isDeepStrictEqual(desired, observed)) return { applied };
  const drift = [driftOf('cors', showCORS(desired), showCORS(observed))];
  return { settings: { corsRules: rulesOf(desired) }, fields: ['cors'], drift, applied };
}

type CORS = Exclude<SiteSpec['cors'], null | undefined>;

/** CORS in the form in which it is compared. */
export function corsOf(cors: CORS | undefined): CORS {
  if (cors?.allowAnyOrigin) return { allowAnyOrigin: true };
  const origins = cors?.allowedOrigins ?? [];
  return origins.length > 0 ? { allowedOrigins: origins.toSorted() } : {};
}

function rulesOf(cors: CORS): CORSRule[] {
  if (cors.allowAnyOrigin) return [{ allowsAnyOrigin: true }];
  return cors.allowedOrigins ? [{ allowedOrigins: cors.allowedOrigins }] : [];
}

function showCORS(cors: CORS): string {
  return cors.allowAnyOrigin ? 'any origin' : (cors.allowedOrigins?.join(', ') ?? 'off');
}

/** The Documented dialect never shows whether there is a secret; none shows which. So it is compared with what was sent. */
function planOneTimeURL(facts: SiteFacts, { settings }: ObservedSite): SitePart<'oneTimeURLSecret'> {
  const secret = facts.desired.oneTimeURLSecret;
  const isUnclear = isPending(facts.pending, 'oneTimeURLSecret');
  const recorded = facts.applied.oneTimeURLSecret;
  const kept = recorded === undefined ? {} : { oneTimeURLSecret: recorded };
  const isThere = settings?.hasOneTimeURLSecret;
  if (!settings) return { applied: kept, undecided: ['oneTimeURLSecret'] };
  if (!secret) {
    if (!wasApplied(facts, 'oneTimeURLSecret') || isThere === false) return {};
    const drift = [driftOf('oneTimeURLSecretRef', undefined, 'a secret')];
    const changes = [secretChange('oneTimeURLSecretRef', { before: true, after: false })];
    return { oneTimeURLSecret: 'clear', fields: ['oneTimeURLSecret'], drift, changes };
  }
  if ('hold' in secret) return { applied: kept, hold: secret.hold, undecided: ['oneTimeURLSecret'] };
  const applied = { oneTimeURLSecret: secret.digest };
  if (!isUnclear && recorded === secret.digest && isThere !== false) return { applied };
  const drift = [
    driftOf('oneTimeURLSecretRef', 'as in the Secret', isThere === false ? show(undefined) : 'not sent yet'),
  ];
  const changes = [secretChange('oneTimeURLSecretRef', { before: isThere ?? recorded !== undefined, after: true })];
  return { oneTimeURLSecret: secret.value, fields: ['oneTimeURLSecret'], drift, changes, applied };
}
