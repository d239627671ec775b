import type { Zone } from './zones.ts';

/** One SIM as the simulated service keeps it. Times are milliseconds since the Unix epoch. */
export interface Sim {
  readonly id: string;
  readonly zone: Zone;
  name: string;
  description: string;
  tags: string[];
  readonly iccid: string;
  readonly imsi: string[];
  readonly createdAt: number;
  modifiedAt: number;
  activated: boolean;
  activatedAt: number | null;
  deactivatedAt: number | null;
  gatewayID: string | null;
  registeredAt: number | null;
  ip: string | null;
  imeiLock: string | null;
  /** The IMEI of the device the SIM sits in. */
  connectedIMEI: string;
  carriers: { name: string; allow: boolean }[];
  /** Changes of the session, oldest first; the last one tells how it is now. */
  sessions: { at: number; up: boolean }[];
  /** What had gone through it in the month of a moment, by then; what goes through it later is counted on. */
  counted: { readonly at: number; readonly uplinkBytes: number; readonly downlinkBytes: number } | null;
  /** Requests on the new ID that will still answer 404. */
  notFoundLeft: number;
  /** From then on lists have it, and its ID is found. */
  readonly shownAt: number;
}

export interface GatewaySettings {
  internetConnection: boolean | null;
  interDeviceCommunication: boolean | null;
  privateInterface: { ipAddress: string; networkMaskLength: number } | null;
  staticRoutes: { prefix: string; nextHop: string }[];
}

export interface TrafficMonitoring {
  quotaMB: number;
  autoTrafficShaping: boolean;
  bandwidthLimitKbps: number | null;
  email: boolean;
  chat: boolean;
  chatURL: string;
}

export interface Gateway {
  readonly id: string;
  readonly zone: Zone;
  readonly planID: number;
  name: string;
  description: string;
  tags: string[];
  readonly createdAt: number;
  /** From then on `available` (or `failed`); `migrating` before. */
  availableAt: number;
  /** An Availability that overrides what time says. */
  availability: string | null;
  instanceStatus: string;
  instanceChangedAt: number | null;
  /** Someone stopped it and has not booted it since: its SIMs have no session. */
  stopped: boolean;
  readonly publicIP: string;
  switchID: string | null;
  /** As last PUT. */
  pending: GatewaySettings | null;
  /** As of the last config update: what is in effect. */
  applied: GatewaySettings | null;
  configuredAt: number | null;
  dns: { primary: string; secondary: string } | null;
  simRoutes: { simID: string; prefix: string }[];
  trafficMonitoring: TrafficMonitoring | null;
  notFoundLeft: number;
  /** From then on lists have it, and its ID is found. */
  readonly shownAt: number;
  /** Registered SIMs, in the order they came. Derived from the SIMs. */
  readonly sims: Set<string>;
  /** SIM by address. Derived from the SIMs. */
  readonly addresses: Map<string, string>;
}

export interface Server {
  id: string;
  readonly zone: Zone;
  name: string;
  planID: number;
  power: 'up' | 'down';
  powerChangedAt: number | null;
  readonly createdAt: number;
  keys: string[];
  resets: number;
}

export interface StoredCertificate {
  readonly id: string;
  readonly chain: string;
  readonly createdAt: number;
  updatedAt: number;
  /** What is shown of it where its chain is not known; absent: what the chain says. */
  readonly shown?: ShownCertificate;
}

/** A certificate of which only this is known. Times are milliseconds since the Unix epoch. */
export interface ShownCertificate {
  readonly serialNumber: string;
  readonly notBefore: number;
  readonly notAfter: number;
  readonly sha256Fingerprint: string;
  readonly dnsNames: readonly string[];
  readonly issuer: string;
  readonly subject: string;
}

/** Settings of a site, by the names of `api.md`, numbers as numbers. Secrets are kept apart. */
export interface SiteSettings {
  Name: string;
  RequestProtocol: number;
  OriginType: number;
  OriginProtocol: string;
  DefaultCacheTTL: number;
  VarySupport: number;
  /** Null was never set, which means gzip. */
  NormalizeAE: number | null;
  CORSRules: { AllowsAnyOrigin?: boolean | undefined; AllowedOrigins?: string[] | undefined }[];
  Origin: string;
  HostHeader: string;
  BucketName: string;
  S3Endpoint: string;
  S3Region: string;
  DocIndex: number;
}

export interface Site {
  readonly id: string;
  readonly domainType: string;
  readonly domain: string;
  readonly asciiDomain: string;
  readonly subdomain: string;
  readonly createdAt: number;
  status: string;
  settings: SiteSettings;
  oneTimeURLSecrets: string[] | null;
  /** The object storage's key ID, and a digest of its secret: enough to see that it was sent. */
  accessKeyID: string;
  secretAccessKeyDigest: string;
  acl: string;
  current: StoredCertificate | null;
  previous: StoredCertificate | null;
  originGuardToken: string;
  nextOriginGuardToken: string;
  autoCertUpdate: boolean;
  logUpload: Record<string, unknown> | null;
}

/** Everything one account owns. */
export interface World {
  readonly account: string;
  readonly sims: Map<string, Sim>;
  readonly simsByICCID: Map<string, Set<string>>;
  readonly gateways: Map<string, Gateway>;
  readonly sites: Map<string, Site>;
  readonly servers: Map<string, Server>;
  /** When the web acceleration requests of the last hour came, oldest first. */
  webAccelRequests: number[];
  /** When the other requests of the last second came, oldest first. */
  readonly cloudRequests: number[];
  /** What is to be kept in the state file: `sims/<id>` and its kin, and the times of web acceleration requests. */
  readonly touched: { readonly objects: Set<string>; readonly webAccelRequests: number[] };
}
