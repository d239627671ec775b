import { isDeepStrictEqual } from 'node:util';
import { defined } from '../../cloud/list/page.ts';
import type { CORSRule } from '../../cloud/site/types.ts';
import { isPending, type Plan, wasApplied } from '../../reconcile/kind.ts';
import { planAccessControl } from './access-control.ts';
import { driftOf, show } from './drift.ts';
import type { ObservedSite, SiteFacts } from './facts.ts';
import { holdNotFound } from './holds.ts';
import { requestProtocolNumber } from './observe.ts';
import { planOrigin } from './origin.ts';
import { SiteReason } from './reasons.ts';
import type { SiteSpec } from './schema.ts';
import type { ObservedSettings, SiteApplied } from './status-schema.ts';
import type { Part, PlainSettings, SiteField, SiteStep } from './steps.ts';

/**
 * The calls that bring the site to its spec: at most one PUT with the settings that differ, and one for the access
 * control list. Each aspect compares desired, applied and observed on its own; see design, three-way reconcile.
 */
export function planSite(facts: SiteFacts): Plan<SiteStep> {
  const { observed } = facts;
  if (!observed) return { steps: [], drift: [], applied: facts.applied, hold: holdNotFound(facts.desired.spec) };
  const parts = [
    planName(facts, observed),
    ...planPlain(facts, observed.settings),
    planOrigin(facts, observed),
    planOneTimeURL(facts, observed.settings),
    planAccessControl(facts, observed),
  ];
  const hold = parts.find((part) => part.hold)?.hold;
  const applied: SiteApplied = defined(Object.assign({}, ...parts.map((part) => part.applied)));
  const drift = parts.flatMap((part) => part.drift ?? []);
  const refused = facts.notTaken.find((one) => drift.some((other) => isDeepStrictEqual(one, other)));
  const worth = parts.filter((part) => !isNotTaken(facts, part));
  return {
    steps: stepsOf(worth),
    drift,
    applied,
    ...(hold && { hold }),
    ...(refused && {
      unsynced: {
        reason: SiteReason.SettingNotTaken,
        message: `The service was sent ${refused.field} ${refused.desired} and shows ${refused.observed}. Write it as the service does; it is not sent again until either changes.`,
      },
    }),
  };
}

/** Sites are never deleted: letting go is all there is. */
export function planSiteDeletion(facts: SiteFacts): Plan<SiteStep> {
  return { steps: [], drift: [], applied: facts.applied };
}

/** All a part would do was done before, to no avail. */
function isNotTaken(facts: SiteFacts, part: Part): boolean {
  const drift = part.drift ?? [];
  return drift.length > 0 && drift.every((one) => facts.notTaken.some((other) => isDeepStrictEqual(one, other)));
}

function stepsOf(parts: readonly Part[]): SiteStep[] {
  const fields = parts.flatMap((part) => part.fields ?? []);
  const steps: SiteStep[] = [];
  if (fields.length > 0) {
    steps.push({
      do: 'updateSettings',
      settings: Object.assign({}, ...parts.map((part) => part.settings)),
      credentials: parts.some((part) => part.credentials),
      oneTimeURLSecret: parts.find((part) => part.oneTimeURLSecret)?.oneTimeURLSecret,
      fields,
      pending: fields,
    });
  }
  return [...steps, ...parts.flatMap((part) => part.step ?? [])];
}

/** The name is in the list, so it is compared without any detail. */
function planName(facts: SiteFacts, site: ObservedSite): Part {
  return planOne(facts, {
    field: 'displayName',
    desired: facts.desired.spec.displayName,
    baseline: site.domain || site.asciiDomain || site.subdomain,
    observed: site.settings?.displayName ?? site.name,
    send: (name) => ({ name }),
  });
}

function planPlain(facts: SiteFacts, settings: ObservedSettings | undefined): Part[] {
  const { spec } = facts.desired;
  if (!settings) return [{ applied: keptPlain(facts) }];
  return [
    planOne<NonNullable<SiteSpec['requestProtocol']>>(facts, {
      field: 'requestProtocol',
      desired: spec.requestProtocol,
      baseline: 'HTTPAndHTTPS',
      observed: settings.requestProtocol,
      send: (name) => ({ requestProtocol: requestProtocolNumber(name) }),
    }),
    planOne(facts, {
      field: 'defaultCacheTTL',
      desired: spec.defaultCacheTTL,
      baseline: 0,
      observed: settings.defaultCacheTTL,
      send: (seconds) => ({ defaultCacheTTL: seconds }),
    }),
    planOne(facts, {
      field: 'vary',
      desired: spec.vary,
      baseline: false,
      observed: settings.vary ?? false,
      send: (vary) => ({ varySupport: vary }),
    }),
    planOne(facts, {
      field: 'normalizeAcceptEncoding',
      desired: spec.normalizeAcceptEncoding,
      baseline: 'Gzip',
      observed: settings.normalizeAcceptEncoding,
      send: (name) => ({ normalizeAE: name === 'Gzip' ? 1 : 3 }),
    }),
    planCORS(facts, settings),
  ];
}

function keptPlain({ applied }: SiteFacts): SiteApplied {
  const { requestProtocol, defaultCacheTTL, vary, normalizeAcceptEncoding, cors, oneTimeURLSecret } = applied;
  return { requestProtocol, defaultCacheTTL, vary, normalizeAcceptEncoding, cors, oneTimeURLSecret };
}

interface One<T> {
  readonly field: SiteField;
  readonly desired: T | undefined;
  /** What it goes back to when it leaves the spec. */
  readonly baseline: T;
  readonly observed: unknown;
  readonly send: (value: T) => PlainSettings;
}

function planOne<T>(facts: SiteFacts, { field, desired, baseline, observed, send }: One<T>): Part {
  const wanted = desired ?? (wasApplied(facts, field) ? baseline : undefined);
  const applied: SiteApplied = desired === undefined ? {} : { [field]: desired };
  if (wanted === undefined || wanted === observed) return { applied };
  return { settings: send(wanted), fields: [field], drift: [driftOf(field, wanted, observed)], applied };
}

/** The order of origins has no meaning. */
function planCORS(facts: SiteFacts, settings: ObservedSettings): Part {
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

function corsOf(cors: CORS | undefined): CORS {
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
function planOneTimeURL(facts: SiteFacts, settings: ObservedSettings | undefined): Part {
  const secret = facts.desired.oneTimeURLSecret;
  const isUnclear = isPending(facts.pending, 'oneTimeURLSecret');
  const recorded = facts.applied.oneTimeURLSecret;
  const kept = recorded === undefined ? {} : { oneTimeURLSecret: recorded };
  const isThere = settings?.hasOneTimeURLSecret;
  if (!settings) return { applied: kept };
  if (!secret) {
    if (!wasApplied(facts, 'oneTimeURLSecret') || isThere === false) return {};
    const drift = [driftOf('oneTimeURLSecretRef', undefined, 'a secret')];
    return { oneTimeURLSecret: 'clear', fields: ['oneTimeURLSecret'], drift };
  }
  if ('hold' in secret) return { applied: kept, hold: secret.hold };
  const applied = { oneTimeURLSecret: secret.digest };
  if (!isUnclear && recorded === secret.digest && isThere !== false) return { applied };
  const drift = [
    driftOf('oneTimeURLSecretRef', 'as in the Secret', isThere === false ? show(undefined) : 'not sent yet'),
  ];
  return { oneTimeURLSecret: 'set', fields: ['oneTimeURLSecret'], drift, applied };
}
