import type { DialectName } from '../../cloud/dialect.ts';
import { defined, type Each } from '../../cloud/list/page.ts';
import type { Site, SiteDetail } from '../../cloud/site/types.ts';
import { timeFrom } from '../../kubernetes/objects.ts';
import type { SiteIdentity } from './facts.ts';
import type { WebAccelSite } from './schema.ts';
import type { ObservedSettings } from './status-schema.ts';

const REQUEST_PROTOCOLS = ['HTTPAndHTTPS', 'HTTPSOnly', 'RedirectToHTTPS'] as const;
const ORIGIN_TYPES = ['WebServer', 'ObjectStorage'] as const;

/** The number of a request protocol at the service (`api.md`, Site settings accepted by PUT). */
export function requestProtocolNumber(name: (typeof REQUEST_PROTOCOLS)[number]): 0 | 1 | 2 {
  return name === 'HTTPAndHTTPS' ? 0 : name === 'HTTPSOnly' ? 1 : 2;
}

function named(names: readonly string[], value: number | undefined): string | undefined {
  return value === undefined ? undefined : (names[value] ?? String(value));
}

/** The settings of a site in the words of the spec. Pure; unknown numbers pass through. */
export function toSettings(site: SiteDetail, dialect: DialectName): ObservedSettings {
  const originType = named(ORIGIN_TYPES, site.originType ?? 0);
  const [rule] = site.corsRules;
  return defined({
    displayName: site.name,
    requestProtocol: named(REQUEST_PROTOCOLS, site.requestProtocol),
    originType,
    webServer:
      originType === 'WebServer'
        ? defined({
            host: site.origin,
            hostHeader: site.hostHeader,
            protocol: site.originProtocol?.toUpperCase(),
          } satisfies Each<NonNullable<ObservedSettings['webServer']>>)
        : undefined,
    objectStorage:
      originType === 'ObjectStorage'
        ? defined({
            bucket: site.bucketName,
            endpoint: site.s3Endpoint,
            region: site.s3Region,
            documentIndex: site.docIndex ?? false,
          } satisfies Each<NonNullable<ObservedSettings['objectStorage']>>)
        : undefined,
    defaultCacheTTL: site.defaultCacheTTL,
    vary: site.varySupport ?? false,
    normalizeAcceptEncoding:
      site.normalizeAE === 3 ? 'BrotliAndGzip' : site.normalizeAE === 1 ? 'Gzip' : String(site.normalizeAE),
    cors: rule?.allowsAnyOrigin
      ? { allowAnyOrigin: true }
      : rule?.allowedOrigins
        ? { allowedOrigins: [...rule.allowedOrigins] }
        : {},
    // The Documented dialect never shows one, so nothing follows from its absence.
    hasOneTimeURLSecret: dialect === 'Extended' ? (site.hasOneTimeURLSecret ?? false) : undefined,
  } satisfies Each<ObservedSettings>);
}

/** Which site it is, as the service shows it. */
export function toIdentity(site: Site): SiteIdentity {
  return {
    id: site.id,
    createdAt: site.createdAt,
    name: site.name,
    domain: site.domain,
    asciiDomain: site.asciiDomain,
    subdomain: site.subdomain,
    domainType: site.domainType,
    status: site.status,
    certificateNotBefore: site.certificateNotBefore,
    certificateNotAfter: site.certificateNotAfter,
  } satisfies Each<SiteIdentity>;
}

/** Which site it is, as the status recorded it; for a site no list shows, after a restart. */
export function recordedIdentity(status: NonNullable<WebAccelSite['status']>, id: string): SiteIdentity {
  return {
    id,
    createdAt: status.createdAt,
    name: status.settings?.displayName ?? '',
    domain: status.domain ?? '',
    asciiDomain: status.asciiDomain ?? '',
    subdomain: status.subdomain ?? '',
    domainType: status.domainType ?? '',
    status: status.status ?? '',
    certificateNotBefore: timeFrom(status.certificate?.notBefore),
    certificateNotAfter: timeFrom(status.certificate?.notAfter),
  } satisfies Each<SiteIdentity>;
}

/**
 * Whether what the list shows of the settings is what was read of them in detail. A site whose origin is a bucket may still
 * show the web server it had before, which means nothing.
 */
export function agrees(site: Site, settings: ObservedSettings): boolean {
  const { webServer, originType } = settings;
  if (site.name !== (settings.displayName ?? '')) return false;
  if (originType === 'ObjectStorage') return true;
  return (site.origin ?? '') === (webServer?.host ?? '') && (site.hostHeader ?? '') === (webServer?.hostHeader ?? '');
}
