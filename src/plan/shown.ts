import { canonicalFingerprint, parseChain } from '../kinds/site-certificate/candidate.ts';
import { isEqual } from '../kubernetes/merge-patch.ts';
import { timestamp } from '../kubernetes/objects.ts';
import type { GatewayView, ObjectChange, SimView, SiteView } from '../shadow/service/types.ts';
import { secretDigest } from '../simulator/redact.ts';
import { isMembers } from './objects.ts';
import { UNSEEN } from './picture/stored.ts';

/** Says what an ID stands for: the name of a resource, or the ID itself. */
export type NameOf = (id: string) => string;

/** What a plan shows of an object, by the fields of the spec. */
export type Shown = ReadonlyMap<string, unknown>;

/** What is shown of one member, by the field of the spec that it is. */
type Row<Value> = Readonly<Record<string, (value: Value, nameOf: NameOf) => unknown>>;
/** In the order in which fields are shown. A member of the model without a row does not compile. */
type Rows<View> = { readonly [Member in keyof View]-?: Row<View[Member]> };

/** Nothing: it is the same from the creation on, or the service has it by itself. */
const OWN = {};
/** Nothing: no field of a spec is written into it. */
const UNTOLD = {};

type FlatSite = Omit<SiteView, 'settings'> & SiteView['settings'];
type FlatGateway = Omit<GatewayView, 'pending' | 'trafficMonitoring'> &
  NonNullable<GatewayView['pending']> &
  NonNullable<GatewayView['trafficMonitoring']>;

/** What is shown of a side of a change: undefined, where it is not there, is nothing. Pure. */
export function shownOf(change: ObjectChange, side: 'before' | 'after', nameOf: NameOf): Shown {
  switch (change.kind) {
    case 'sims':
      return read(simRows, change[side] ?? {}, nameOf);
    case 'gateways':
      return read(gatewayRows, flatGateway(change[side]), nameOf);
    case 'sites':
      return read(siteRows, flatSite(change[side]), nameOf);
    case 'servers':
      return new Map();
  }
}

/** Whether an object is as before, but for what the service has by itself. Pure. */
export function isAsBefore(change: ObjectChange): boolean {
  switch (change.kind) {
    case 'sims':
      return isSame(simRows, change.before ?? {}, change.after ?? {});
    case 'gateways':
      return isSame(gatewayRows, flatGateway(change.before), flatGateway(change.after));
    case 'sites':
      return isSame(siteRows, flatSite(change.before), flatSite(change.after));
    case 'servers':
      return false;
  }
}

function flatGateway(gateway: GatewayView | undefined): Partial<FlatGateway> {
  return { ...gateway, ...gateway?.pending, ...gateway?.trafficMonitoring };
}

function flatSite(site: SiteView | undefined): Partial<FlatSite> {
  return { ...site, ...site?.settings };
}

function read<View extends object>(rows: Rows<View>, view: Partial<View>, nameOf: NameOf): Shown {
  const shown = new Map<string, unknown>();
  for (const member in rows) {
    const value = view[member];
    if (value === undefined) continue;
    for (const [field, textOf] of Object.entries(rows[member])) {
      const found = textOf(value, nameOf);
      if (found !== undefined && found !== null && found !== '') shown.set(field, found);
    }
  }
  return shown;
}

function isSame<View extends object>(rows: Rows<View>, before: Partial<View>, after: Partial<View>): boolean {
  const [was, is] = [before, after].map((view) => [...read(rows, view, (id) => id)]);
  if (!isEqual(was, is)) return false;
  for (const member in rows) {
    if (rows[member] === UNTOLD && !isEqual(before[member] ?? null, after[member] ?? null)) return false;
  }
  return true;
}

const asItIs = (value: unknown) => value;
const named = (id: string | null, nameOf: NameOf) => (id === null ? undefined : nameOf(id));
const choice = (words: readonly string[]) => (value: number) => words[value] ?? value;
/** Tells whether a secret is another, and no more. */
function secret(value: string | readonly string[] | null): unknown {
  if (value === null || value === '') return undefined;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { secret: text.includes(UNSEEN) ? UNSEEN : secretDigest(text) };
}

const simRows: Rows<SimView> = {
  iccid: { iccid: asItIs },
  name: { displayName: asItIs },
  activated: { activated: asItIs },
  gatewayID: { gateway: named },
  ip: { ipAddress: asItIs },
  imeiLock: { imeiLock: asItIs },
  carriers: {
    carriers: (carriers) => carriers.map(({ name, allow }) => `${name} ${allow ? 'allowed' : 'not allowed'}`),
  },
  description: UNTOLD,
  tags: UNTOLD,
  id: OWN,
  zone: OWN,
  imsi: OWN,
  createdAt: OWN,
  modifiedAt: OWN,
  activatedAt: OWN,
  deactivatedAt: OWN,
  registeredAt: OWN,
  connectedIMEI: OWN,
  sessions: OWN,
  counted: OWN,
  notFoundLeft: OWN,
  shownAt: OWN,
};

const gatewayRows: Rows<FlatGateway> = {
  zone: { zone: asItIs },
  name: { displayName: asItIs },
  planID: { planID: asItIs },
  instanceStatus: { instanceStatus: asItIs },
  internetConnection: { internetConnection: asItIs },
  interDeviceCommunication: { interDeviceCommunication: asItIs },
  privateInterface: { privateInterface: (one) => one && `${one.ipAddress}/${one.networkMaskLength}` },
  staticRoutes: {
    staticRoutes: (routes) => listOrNone(routes, ({ prefix, nextHop }) => `${prefix} via ${nextHop}`),
  },
  dns: { dns: (dns) => dns && `${dns.primary}, ${dns.secondary}` },
  simRoutes: {
    simRoutes: (routes, nameOf) => listOrNone(routes, ({ prefix, simID }) => `${prefix} to ${nameOf(simID)}`),
  },
  quotaMB: { 'trafficMonitoring.quotaMB': asItIs },
  autoTrafficShaping: { 'trafficMonitoring.autoTrafficShaping': asItIs },
  bandwidthLimitKbps: { 'trafficMonitoring.bandwidthLimitKbps': asItIs },
  email: { 'trafficMonitoring.email': asItIs },
  chat: { 'trafficMonitoring.chat': asItIs },
  chatURL: { 'trafficMonitoring.chatWebhook': secret },
  description: UNTOLD,
  tags: UNTOLD,
  switchID: UNTOLD,
  id: OWN,
  createdAt: OWN,
  availableAt: OWN,
  availability: OWN,
  instanceChangedAt: OWN,
  stopped: OWN,
  publicIP: OWN,
  // What is sent is what is wanted; that it takes effect is the next call.
  applied: OWN,
  configuredAt: OWN,
  notFoundLeft: OWN,
  shownAt: OWN,
};

const siteRows: Rows<FlatSite> = {
  domain: { domain: asItIs },
  Name: { displayName: asItIs },
  RequestProtocol: { requestProtocol: choice(['HTTPAndHTTPS', 'HTTPSOnly', 'RedirectToHTTPS']) },
  OriginType: { originType: choice(['WebServer', 'ObjectStorage']) },
  Origin: { 'origin.host': asItIs },
  HostHeader: { 'origin.hostHeader': asItIs },
  OriginProtocol: { 'origin.protocol': asItIs },
  BucketName: { 'origin.bucket': asItIs },
  S3Endpoint: { 'origin.endpoint': asItIs },
  S3Region: { 'origin.region': asItIs },
  DocIndex: { 'origin.documentIndex': choice(['false', 'true']) },
  accessKeyID: { 'origin.accessKeyID': secret },
  secretAccessKeyDigest: { 'origin.secretAccessKey': secret },
  DefaultCacheTTL: { defaultCacheTTL: (seconds) => `${seconds} s` },
  VarySupport: { vary: choice(['false', 'true']) },
  // What was never set means gzip.
  NormalizeAE: { normalizeAcceptEncoding: (one) => (one === 3 ? 'BrotliAndGzip' : 'Gzip') },
  CORSRules: {
    cors: ([rule]) => (rule === undefined ? 'off' : rule.AllowsAnyOrigin ? 'any origin' : (rule.AllowedOrigins ?? [])),
  },
  oneTimeURLSecrets: { oneTimeURLSecret: secret },
  acl: { accessControl: (text) => (text === '' ? undefined : text.split('\n')) },
  current: { certificate: certificateText },
  previous: { previousCertificate: certificateText },
  status: UNTOLD,
  originGuardToken: UNTOLD,
  nextOriginGuardToken: UNTOLD,
  autoCertUpdate: UNTOLD,
  logUpload: UNTOLD,
  id: OWN,
  domainType: OWN,
  asciiDomain: OWN,
  subdomain: OWN,
  createdAt: OWN,
};

function listOrNone<Item>(list: readonly Item[], text: (one: Item) => string): readonly string[] | undefined {
  return list.length === 0 ? undefined : list.map(text);
}

/** A certificate by its fingerprint and when it expires: never its key, and its chain says no more. */
function certificateText(stored: SiteView['current']): string | undefined {
  const facts = stored && certificateFacts(stored);
  if (!facts) return undefined;
  const { fingerprint, notAfter } = facts;
  return `${fingerprint === '' ? '' : `SHA-256 ${fingerprint.slice(0, 16)}…, `}expires ${timestamp(notAfter)}`;
}

function certificateFacts({
  shown,
  chain,
}: NonNullable<SiteView['current']>): { fingerprint: string; notAfter: number } | undefined {
  if (shown) return { fingerprint: canonicalFingerprint(shown.sha256Fingerprint), notAfter: shown.notAfter };
  const parsed = parseChain(chain);
  const leaf = 'length' in parsed ? parsed[0] : undefined;
  return leaf && { fingerprint: canonicalFingerprint(leaf.fingerprint256), notAfter: leaf.validToDate.getTime() };
}

/** Whether a value stands for a secret. */
export function isSecret(value: unknown): value is { readonly secret: string } {
  return isMembers(value) && typeof value['secret'] === 'string';
}
