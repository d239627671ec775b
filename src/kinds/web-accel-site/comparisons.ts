import { isDeepStrictEqual } from 'node:util';
import { type Comparisons, compared } from '../common/comparisons.ts';
import { canonicalRule } from './access-control.ts';
import type { ObservedSite, SiteFacts } from './facts.ts';
import { corsOf } from './plan.ts';
import type { ObservedSettings, SiteApplied } from './status-schema.ts';

/** Of a setting: how it is compared, once the settings were read. */
function setting<Value>(
  isSame: (value: Value, settings: ObservedSettings) => boolean | undefined,
): (value: Value, site: ObservedSite) => boolean | undefined {
  return (value, { settings }) => settings && isSame(value, settings);
}

const comparisons: Comparisons<SiteApplied, ObservedSite> = {
  displayName: (name, site) => (site.settings?.displayName ?? site.name) === name,
  requestProtocol: setting((protocol, settings) => settings.requestProtocol === protocol),
  defaultCacheTTL: setting((seconds, settings) => settings.defaultCacheTTL === seconds),
  vary: setting((vary, settings) => (settings.vary ?? false) === vary),
  normalizeAcceptEncoding: setting((name, settings) => settings.normalizeAcceptEncoding === name),
  cors: setting((cors, settings) => isDeepStrictEqual(corsOf(cors), corsOf(settings.cors))),
  originHost: setting((host, settings) => settings.webServer?.host === host),
  hostHeader: setting((header, settings) => settings.webServer?.hostHeader === header),
  originProtocol: setting((protocol, settings) => settings.webServer?.protocol === protocol),
  bucket: setting((bucket, settings) => settings.objectStorage?.bucket === bucket),
  endpoint: setting((endpoint, settings) => settings.objectStorage?.endpoint === endpoint),
  region: setting((region, settings) => settings.objectStorage?.region === region),
  originCredentials: () => undefined,
  documentIndex: setting((index, settings) => (settings.objectStorage?.documentIndex ?? false) === index),
  oneTimeURLSecret: setting((_, settings) => (settings.hasOneTimeURLSecret === false ? false : undefined)),
  accessControl: (rules, site) =>
    site.accessControl && isDeepStrictEqual(site.accessControl.map(canonicalRule), rules.map(canonicalRule)),
};

/** Whether the site has just what was sent of an entry of `pending`; undefined: that does not show. Pure. */
export function isThere({ observed }: Pick<SiteFacts, 'observed'>, entry: string, value: unknown): boolean | undefined {
  return observed && compared(comparisons, observed, entry, value);
}
