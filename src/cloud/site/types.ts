/** A site as the list shows it (`api.md`, Web acceleration site). */
export interface Site {
  id: string;
  name: string;
  /** `own_domain`, `subdomain` or others, as it came. */
  domainType: string;
  /** May hold non-ASCII characters. */
  domain: string;
  asciiDomain: string;
  subdomain: string;
  /** `enabled`, `disabled` or others, as it came. */
  status: string;
  origin?: string;
  hostHeader?: string;
  createdAt?: string;
  hasCertificate: boolean;
  hasOldCertificate: boolean;
  sentLastWeekGiB?: number;
  /** Epoch milliseconds. */
  certificateNotBefore?: number;
  /** Epoch milliseconds. */
  certificateNotAfter?: number;
}

/** Either all origins or the listed ones. */
export interface CORSRule {
  allowsAnyOrigin?: boolean;
  allowedOrigins?: readonly string[];
}

/** A site with its settings. Secrets are left out: only whether they are set. */
export interface SiteDetail extends Site {
  /** 0 = http and https, 1 = https only, 2 = redirect to https. */
  requestProtocol?: number;
  /** 0 = web server, 1 = object storage. */
  originType?: number;
  /** `http` or `https`. */
  originProtocol?: string;
  bucketName?: string;
  s3Endpoint?: string;
  s3Region?: string;
  docIndex?: boolean;
  varySupport?: boolean;
  /** 1 = gzip, 3 = br and gzip; an absent one means gzip and is given as 1. */
  normalizeAE: number;
  /** Empty: CORS is off. */
  corsRules: CORSRule[];
  /** Seconds; -1 = no caching. */
  defaultCacheTTL?: number;
  /** Undefined: not shown, as in the Documented dialect. */
  hasOneTimeURLSecret?: boolean;
  hasOriginGuardToken: boolean;
  hasNextOriginGuardToken: boolean;
  certType?: string;
  certOpStatus?: string;
}

/** Settings to change (`api.md`, Site settings accepted by PUT); members left out stay as they are. */
export interface SiteSettings {
  readonly name?: string | undefined;
  readonly requestProtocol?: 0 | 1 | 2 | undefined;
  /** A change needs all members of the new type, too. */
  readonly originType?: 0 | 1 | undefined;
  readonly originProtocol?: 'http' | 'https' | undefined;
  /** Seconds: -1 = no caching, or 0 to 604800. */
  readonly defaultCacheTTL?: number | undefined;
  readonly varySupport?: boolean | undefined;
  readonly normalizeAE?: 1 | 3 | undefined;
  /** At most one; none switches CORS off. */
  readonly corsRules?: readonly CORSRule[] | undefined;
  /** A secret; empty takes it away. */
  readonly oneTimeURLSecret?: string | undefined;
  readonly origin?: string | undefined;
  readonly hostHeader?: string | undefined;
  readonly bucketName?: string | undefined;
  readonly s3Endpoint?: string | undefined;
  readonly s3Region?: string | undefined;
  /** A secret. */
  readonly accessKeyID?: string | undefined;
  /** A secret. */
  readonly secretAccessKey?: string | undefined;
  readonly docIndex?: boolean | undefined;
}

export interface SiteUsage {
  siteID: string;
  domain: string;
  asciiDomain: string;
  subdomain: string;
  accessCount: number;
  bytesSent: number;
  cacheMissBytesSent: number;
  cacheHitRatioPercent: number;
  bytesCacheHitRatioPercent: number;
  /** In the service's currency. */
  price: number;
}

export interface MonthlyUsage {
  year: number;
  /** 1 to 12. */
  month: number;
  usages: SiteUsage[];
}

export interface DistinguishedName {
  commonName?: string;
  organization?: string;
  organizationalUnit?: string;
  country?: string;
}

/** One generation of a site's certificate (`api.md`, Certificate). */
export interface Certificate {
  id: string;
  /** PEM. */
  certificateChain?: string;
  serialNumber?: string;
  /** Epoch milliseconds. */
  notBefore?: number;
  /** Epoch milliseconds. */
  notAfter?: number;
  issuer: DistinguishedName;
  subject: DistinguishedName;
  dnsNames: string[];
  /** As it came. Compare hexadecimal digits only, ignoring case and colons. */
  sha256Fingerprint?: string;
  createdAt?: string;
  updatedAt?: string;
}

export interface Certificates {
  current?: Certificate;
  /** Earlier generations, the latest first as the service gives them. */
  old: Certificate[];
}

/** Where access logs go (Extended). */
export interface LogUpload {
  bucket: string;
  endpoint?: string;
  region?: string;
  /** `enabled` or `disabled`. */
  status?: string;
}
