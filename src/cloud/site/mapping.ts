import type { z } from 'zod';
import type { Dialect } from '../dialect.ts';
import { defined, type Each } from '../list/page.ts';
import type { CertificateWire, certificatesWire } from './certificate-wire.ts';
import type { Certificate, Certificates, CORSRule, MonthlyUsage, Site, SiteDetail, SiteSettings } from './types.ts';
import type { monthlyUsageWire, SiteDetailWire, SiteWire } from './wire.ts';

/** A site in the domain's words. */
export function toSite(wire: SiteWire): Site {
  return defined({
    id: wire.ID,
    name: wire.Name ?? '',
    domainType: wire.DomainType ?? '',
    domain: wire.Domain ?? '',
    asciiDomain: wire.ASCIIDomain ?? '',
    subdomain: wire.Subdomain ?? '',
    status: wire.Status ?? '',
    origin: wire.Origin,
    hostHeader: wire.HostHeader,
    createdAt: wire.CreatedAt,
    hasCertificate: wire.HasCertificate ?? false,
    hasOldCertificate: wire.HasOldCertificate ?? false,
    sentLastWeekGiB: wire.GibSentInLastWeek,
    certificateNotBefore: wire.CertValidNotBefore,
    certificateNotAfter: wire.CertValidNotAfter,
  } satisfies Each<Site>);
}

/** A site and its settings in the domain's words. */
export function toSiteDetail(wire: SiteDetailWire): SiteDetail {
  return {
    ...toSite(wire),
    ...defined({
      requestProtocol: wire.RequestProtocol,
      originType: wire.OriginType,
      originProtocol: wire.OriginProtocol,
      bucketName: wire.BucketName,
      s3Endpoint: wire.S3Endpoint,
      s3Region: wire.S3Region,
      docIndex: wire.DocIndex,
      varySupport: wire.VarySupport,
      normalizeAE: wire.NormalizeAE ?? 1,
      corsRules: wire.CORSRules.map((rule) =>
        defined({
          allowsAnyOrigin: rule.AllowsAnyOrigin === true ? true : undefined,
          allowedOrigins: rule.AllowedOrigins.length > 0 ? rule.AllowedOrigins : undefined,
        }),
      ),
      defaultCacheTTL: wire.DefaultCacheTTL,
      hasOneTimeURLSecret: wire.OnetimeURLSecrets,
      hasOriginGuardToken: wire.OriginGuardToken,
      hasNextOriginGuardToken: wire.NextOriginGuardToken,
      certType: wire.CertType,
      certOpStatus: wire.CertOpStatus,
    } satisfies Each<Omit<SiteDetail, keyof Site>>),
  };
}

/** `Site` to send: only the members that are given. A setting that is not sent does not compile. */
export function fromSettings(settings: SiteSettings, dialect: Dialect): object {
  const choice = (value: number | boolean | undefined) =>
    value === undefined ? undefined : dialect.settingsNumber(Number(value));
  const { oneTimeURLSecret: secret } = settings;
  const members = {
    name: { Name: settings.name },
    requestProtocol: { RequestProtocol: choice(settings.requestProtocol) },
    originType: { OriginType: choice(settings.originType) },
    originProtocol: { OriginProtocol: settings.originProtocol },
    // A quantity, and a number in both dialects.
    defaultCacheTTL: { DefaultCacheTTL: settings.defaultCacheTTL },
    varySupport: { VarySupport: choice(settings.varySupport) },
    normalizeAE: { NormalizeAE: choice(settings.normalizeAE) },
    corsRules: { CORSRules: settings.corsRules?.map(fromRule) },
    oneTimeURLSecret: { OnetimeURLSecrets: secret === undefined ? undefined : dialect.oneTimeURLSecrets(secret) },
    origin: { Origin: settings.origin },
    hostHeader: { HostHeader: settings.hostHeader },
    bucketName: { BucketName: settings.bucketName },
    s3Endpoint: { S3Endpoint: settings.s3Endpoint },
    s3Region: { S3Region: settings.s3Region },
    accessKeyID: { AccessKeyID: settings.accessKeyID },
    secretAccessKey: { SecretAccessKey: settings.secretAccessKey },
    docIndex: { DocIndex: choice(settings.docIndex) },
  } satisfies Record<keyof SiteSettings, object>;
  return defined(Object.assign({}, ...Object.values(members)));
}

function fromRule(rule: CORSRule): object {
  return rule.allowsAnyOrigin ? { AllowsAnyOrigin: true } : { AllowedOrigins: rule.allowedOrigins ?? [] };
}

export function toMonthlyUsage(wire: z.infer<typeof monthlyUsageWire>): MonthlyUsage {
  return {
    year: wire.Year ?? 0,
    month: wire.Month ?? 0,
    usages: wire.MonthlyUsages.map((usage) => ({
      siteID: usage.SiteID,
      domain: usage.Domain ?? '',
      asciiDomain: usage.ASCIIDomain ?? '',
      subdomain: usage.Subdomain ?? '',
      accessCount: usage.AccessCount ?? 0,
      bytesSent: usage.BytesSent ?? 0,
      cacheMissBytesSent: usage.CacheMissBytesSent ?? 0,
      cacheHitRatioPercent: usage.CacheHitRatio ?? 0,
      bytesCacheHitRatioPercent: usage.BytesCacheHitRatio ?? 0,
      price: usage.Price ?? 0,
    })),
  };
}

/** Both generations; a certificate object without a chain, fingerprint and ID is none. */
export function toCertificates({ Certificate: wire }: z.infer<typeof certificatesWire>): Certificates {
  const [current] = wire?.Current ? toCertificate(wire.Current) : [];
  return defined({ current, old: (wire?.Old ?? []).flatMap((old) => (old ? toCertificate(old) : [])) });
}

function toCertificate(wire: CertificateWire): Certificate[] {
  if (wire.ID === undefined && wire.SHA256Fingerprint === undefined && wire.CertificateChain === undefined) return [];
  return [
    defined({
      id: wire.ID ?? '',
      certificateChain: wire.CertificateChain,
      serialNumber: wire.SerialNumber,
      notBefore: wire.NotBefore,
      notAfter: wire.NotAfter,
      issuer: toName(wire.Issuer),
      subject: toName(wire.Subject),
      dnsNames: wire.DNSNames,
      sha256Fingerprint: wire.SHA256Fingerprint,
      createdAt: wire.CreatedAt,
      updatedAt: wire.UpdatedAt,
    } satisfies Each<Certificate>),
  ];
}

function toName(wire: CertificateWire['Issuer']): Certificate['issuer'] {
  return defined({
    commonName: wire?.CommonName,
    organization: wire?.Organization,
    organizationalUnit: wire?.OrganizationalUnit,
    country: wire?.Country,
  });
}
