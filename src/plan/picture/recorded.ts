import type { Gateway, GatewayInterface, GatewaySettings } from '../../cloud/gateway/types.ts';
import { defined, type Each } from '../../cloud/list/page.ts';
import type { Carrier, SimItem, SimStatus } from '../../cloud/sim/types.ts';
import type { Certificate, Site, SiteDetail } from '../../cloud/site/types.ts';
import type { MobileGateway } from '../../kinds/mobile-gateway/schema.ts';
import type { Sim } from '../../kinds/sim/schema.ts';
import type { SiteCertificate } from '../../kinds/site-certificate/schema.ts';
import type { WebAccelSite } from '../../kinds/web-accel-site/schema.ts';
import type { Objects } from '../objects.ts';
import { emptyPicture, type Picture } from './picture.ts';

/**
 * What the statuses of resources say of an account: what was observed last, and what they wrote where the service does not
 * show it. Only of the resources given. What no status has is named, too: a member of the service's that is forgotten here
 * would be one that a plan sees changed. Pure.
 */
export function recordedPicture(objects: Objects): Picture {
  const picture = emptyPicture();
  const each = <T>(all: readonly T[], record: (picture: Picture, one: T) => void) => {
    for (const one of all) record(picture, one);
  };
  // A kind without a row does not compile.
  const rows: Readonly<Record<Exclude<keyof Objects, 'accounts'>, () => void>> = {
    sims: () => each(objects.sims, recordSim),
    gateways: () => each(objects.gateways, recordGateway),
    sites: () => each(objects.sites, recordSite),
    certificates: () => each(objects.certificates, recordCertificate),
  };
  for (const record of Object.values(rows)) record();
  return picture;
}

function recordSim(picture: Picture, { status, spec }: Sim): void {
  const id = status?.id;
  if (!status || id === undefined) return;
  const { imeiLock } = status;
  const seen = defined({
    iccid: status.iccid ?? spec.iccid,
    imsi: [...(status.imsi ?? [])],
    ip: status.ip,
    sessionStatus: status.sessionStatus,
    imeiLock: imeiLock?.locked ?? false,
    imei: imeiLock?.imei,
    connectedIMEI: status.connectedIMEI,
    registered: status.registered ?? false,
    activated: status.activated ?? false,
    resourceID: id,
    simgroupID: status.gatewayID,
    registeredAt: status.registeredAt,
    activatedAt: status.activatedAt,
    deactivatedAt: status.deactivatedAt,
    traffic: undefined,
  } satisfies Each<SimStatus>);
  const item = defined({
    id,
    name: status.name ?? '',
    description: undefined,
    iccid: status.iccid ?? spec.iccid,
    availability: status.availability ?? 'available',
    tags: [],
    createdAt: status.createdAt,
    modifiedAt: undefined,
    status: seen,
  } satisfies Each<SimItem>);
  picture.sims.set(id, item);
  if (status.carriers) picture.carriers.set(id, status.carriers.map(withCountry));
  if (status.applied?.imeiLock !== undefined) picture.imeiLocks.set(id, status.applied.imeiLock);
}

function withCountry({
  name,
  allow,
  countryCode,
}: NonNullable<NonNullable<Sim['status']>['carriers']>[number]): Carrier {
  return defined({ name, allow, countryCode } satisfies Each<Carrier>);
}

function recordGateway(picture: Picture, { status, spec }: MobileGateway): void {
  const id = status?.id;
  if (!status || id === undefined) return;
  const { settings, simRoutes, trafficMonitoring, applied } = status;
  const dns = status.dns ?? applied?.dns;
  const gateway = defined({
    id,
    name: status.name ?? '',
    description: undefined,
    planID: status.planID,
    availability: status.availability ?? 'available',
    instanceStatus: status.instanceStatus,
    instanceStatusChangedAt: status.instanceStatusChangedAt,
    settings:
      settings &&
      defined({
        internetConnection: settings.internetConnection,
        interDeviceCommunication: settings.interDeviceCommunication,
        privateInterface: settings.privateInterface ?? null,
        staticRoutes: [...(settings.staticRoutes ?? [])],
      } satisfies Each<GatewaySettings>),
    settingsHash: undefined,
    interfaces: (status.interfaces ?? []).map(({ ipAddress, scope, switchID }) =>
      defined({
        ipAddress,
        userIPAddress: undefined,
        hostName: undefined,
        switch: switchID === undefined ? undefined : defined({ id: switchID, scope }),
      } satisfies Each<GatewayInterface>),
    ),
    tags: [],
    createdAt: status.createdAt,
  } satisfies Each<Gateway>);
  picture.gateways.set(id, { ...gateway, zone: spec.zone });
  if (simRoutes) picture.simRoutes.set(id, simRoutes);
  if (trafficMonitoring) picture.trafficMonitoring.set(id, trafficMonitoring);
  if (dns) picture.dns.set(id, dns);
}

const REQUEST_PROTOCOLS = ['HTTPAndHTTPS', 'HTTPSOnly', 'RedirectToHTTPS'];
const ORIGIN_TYPES = ['WebServer', 'ObjectStorage'];

/** The place of a word among those the service counts; of a word it has itself given, the number in it. */
function numberOf(words: readonly string[], word: string | undefined): number {
  const place = words.indexOf(word ?? words[0] ?? '');
  return place >= 0 ? place : Number(word) || 0;
}

function recordSite(picture: Picture, { status, spec }: WebAccelSite): void {
  const id = status?.id;
  if (!status || id === undefined) return;
  const { settings, applied } = status;
  const domain = status.domain ?? spec.domain ?? '';
  const notBefore = Date.parse(status.certificate?.notBefore ?? '');
  const notAfter = Date.parse(status.certificate?.notAfter ?? '');
  const ofList = {
    id,
    name: settings?.displayName ?? '',
    domainType: status.domainType ?? 'own_domain',
    domain,
    asciiDomain: status.asciiDomain ?? domain,
    subdomain: status.subdomain ?? '',
    status: status.status ?? 'enabled',
    origin: undefined,
    hostHeader: undefined,
    createdAt: status.createdAt,
    hasCertificate: !Number.isNaN(notAfter),
    hasOldCertificate: false,
    sentLastWeekGiB: undefined,
    certificateNotBefore: Number.isNaN(notBefore) ? undefined : notBefore,
    certificateNotAfter: Number.isNaN(notAfter) ? undefined : notAfter,
  } satisfies Each<Site>;
  picture.sites.set(id, defined(ofList));
  if (status.accessControl) picture.accessControl.set(id, status.accessControl);
  const isUnseen = settings?.hasOneTimeURLSecret === undefined;
  if (isUnseen && applied?.oneTimeURLSecret !== undefined) picture.oneTimeURLSecrets.add(id);
  if (!settings) return;
  const { webServer, objectStorage, cors } = settings;
  const detail = defined({
    ...ofList,
    requestProtocol: numberOf(REQUEST_PROTOCOLS, settings.requestProtocol),
    originType: numberOf(ORIGIN_TYPES, settings.originType),
    originProtocol: settings.originType === 'ObjectStorage' ? 'https' : (webServer?.protocol?.toLowerCase() ?? 'http'),
    origin: webServer?.host,
    hostHeader: webServer?.hostHeader,
    bucketName: objectStorage?.bucket,
    s3Endpoint: objectStorage?.endpoint,
    s3Region: objectStorage?.region,
    docIndex: objectStorage?.documentIndex ?? false,
    varySupport: settings.vary ?? false,
    normalizeAE: settings.normalizeAcceptEncoding === 'BrotliAndGzip' ? 3 : 1,
    corsRules: cors?.allowAnyOrigin
      ? [{ allowsAnyOrigin: true }]
      : cors?.allowedOrigins
        ? [{ allowedOrigins: cors.allowedOrigins }]
        : [],
    defaultCacheTTL: settings.defaultCacheTTL,
    hasOneTimeURLSecret: settings.hasOneTimeURLSecret,
    hasOriginGuardToken: false,
    hasNextOriginGuardToken: false,
    certType: undefined,
    certOpStatus: undefined,
  } satisfies Each<SiteDetail>);
  picture.siteDetails.set(id, detail);
}

function recordCertificate(picture: Picture, { status }: SiteCertificate): void {
  const id = status?.id;
  if (!status || id === undefined) return;
  const current = status.current && certificateOf(status.current);
  picture.certificates.set(id, {
    ...(current && { current }),
    old: status.previous ? [certificateOf(status.previous)] : [],
  });
}

type Generation = NonNullable<NonNullable<SiteCertificate['status']>['current']>;

function certificateOf(generation: Generation): Certificate {
  const { id = '', serialNumber, sha256Fingerprint, notBefore, notAfter, dnsNames, issuer, subject } = generation;
  const at = (date: string | undefined) => (date === undefined ? undefined : Date.parse(date));
  return defined({
    id,
    certificateChain: undefined,
    serialNumber,
    notBefore: at(notBefore),
    notAfter: at(notAfter),
    issuer: issuer === undefined ? {} : { commonName: issuer },
    subject: subject === undefined ? {} : { commonName: subject },
    dnsNames: [...(dnsNames ?? [])],
    sha256Fingerprint,
    createdAt: undefined,
    updatedAt: undefined,
  } satisfies Each<Certificate>);
}
