import { cloudDate } from '../dates.ts';
import type { Site } from '../model.ts';
import { steadyHash } from '../steady-random.ts';
import { validity } from './certificate.ts';

/** An element of the site list (`api.md`, Web acceleration site). */
export function siteElement(site: Site): Record<string, unknown> {
  const valid = site.current && validity(site.current);
  return {
    ...common(site),
    CORSRules: null,
    ...(valid && { CertValidNotBefore: valid.notBefore, CertValidNotAfter: valid.notAfter }),
  };
}

/** The site in detail. Settings that are numbers show as strings, but for the TTL. Write-only secrets never show. */
export function siteDetail(site: Site, extended: boolean): Record<string, unknown> {
  const { settings } = site;
  const valid = site.current && validity(site.current);
  const epoch = (value: number) => (extended ? value : String(value));
  return {
    ...common(site),
    OriginProtocol: settings.OriginProtocol,
    RequestProtocol: String(settings.RequestProtocol),
    OriginType: String(settings.OriginType),
    BucketName: settings.BucketName,
    S3Endpoint: settings.S3Endpoint,
    S3Region: settings.S3Region,
    DocIndex: String(settings.DocIndex),
    VarySupport: String(settings.VarySupport),
    ...(settings.NormalizeAE !== null && { NormalizeAE: String(settings.NormalizeAE) }),
    CORSRules: settings.CORSRules,
    OriginGuardToken: site.originGuardToken,
    NextOriginGuardToken: site.nextOriginGuardToken,
    DefaultCacheTTL: settings.DefaultCacheTTL,
    CertType: site.autoCertUpdate ? 'auto' : 'manual',
    CertOpStatus: 'idle',
    // Clients meet both: the key absent as in the given interface, and null or a list as the public clients read it.
    ...(extended && { OnetimeURLSecrets: site.oneTimeURLSecrets }),
    ...(valid && { CertValidNotBefore: epoch(valid.notBefore), CertValidNotAfter: epoch(valid.notAfter) }),
  };
}

function common(site: Site): Record<string, unknown> {
  return {
    ID: site.id,
    Name: site.settings.Name,
    DomainType: site.domainType,
    Domain: site.domain,
    ASCIIDomain: site.asciiDomain,
    Subdomain: site.subdomain,
    Origin: site.settings.Origin,
    HostHeader: site.settings.HostHeader,
    Status: site.status,
    CreatedAt: cloudDate(site.createdAt),
    HasCertificate: site.current !== null,
    HasOldCertificate: site.previous !== null,
    GibSentInLastWeek: steadyHash(site.id) % 500,
  };
}
