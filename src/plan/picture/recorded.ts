import type { Gateway } from '../../cloud/gateway/types.ts';
import type { SimItem } from '../../cloud/sim/types.ts';
import type { Certificate, Site, SiteDetail } from '../../cloud/site/types.ts';
import type { MobileGateway } from '../../kinds/mobile-gateway/schema.ts';
import type { Sim } from '../../kinds/sim/schema.ts';
import type { SiteCertificate } from '../../kinds/site-certificate/schema.ts';
import type { WebAccelSite } from '../../kinds/web-accel-site/schema.ts';
import type { Objects } from '../objects.ts';
import { emptyPicture, type Picture } from './picture.ts';

/**
 * What the statuses of resources say of an account: what was observed last, and what they wrote where the service does not
 * show it. Only of the resources given. Pure.
 */
export function recordedPicture(objects: Objects): Picture {
  const picture = emptyPicture();
  for (const sim of objects.sims) recordSim(picture, sim);
  for (const gateway of objects.gateways) recordGateway(picture, gateway);
  for (const site of objects.sites) recordSite(picture, site);
  for (const certificate of objects.certificates) recordCertificate(picture, certificate);
  return picture;
}

function recordSim(picture: Picture, { status, spec }: Sim): void {
  const id = status?.id;
  if (!status || id === undefined) return;
  const item: SimItem = {
    id,
    name: status.name ?? '',
    iccid: status.iccid ?? spec.iccid,
    availability: status.availability ?? 'available',
    tags: [],
    ...(status.createdAt !== undefined && { createdAt: status.createdAt }),
    status: {
      iccid: status.iccid ?? spec.iccid,
      imsi: [...(status.imsi ?? [])],
      ...(status.ip !== undefined && { ip: status.ip }),
      ...(status.sessionStatus !== undefined && { sessionStatus: status.sessionStatus }),
      imeiLock: status.imeiLock?.locked ?? false,
      ...(status.imeiLock?.imei !== undefined && { imei: status.imeiLock.imei }),
      ...(status.connectedIMEI !== undefined && { connectedIMEI: status.connectedIMEI }),
      registered: status.registered ?? false,
      activated: status.activated ?? false,
      resourceID: id,
      ...(status.gatewayID !== undefined && { simgroupID: status.gatewayID }),
      ...(status.registeredAt !== undefined && { registeredAt: status.registeredAt }),
      ...(status.activatedAt !== undefined && { activatedAt: status.activatedAt }),
      ...(status.deactivatedAt !== undefined && { deactivatedAt: status.deactivatedAt }),
    },
  };
  picture.sims.set(id, item);
  if (status.carriers) picture.carriers.set(id, status.carriers.map(withCountry));
  if (status.applied?.imeiLock !== undefined) picture.imeiLocks.set(id, status.applied.imeiLock);
}

function withCountry({ name, allow, countryCode }: { name: string; allow: boolean; countryCode?: string | undefined }) {
  return { name, allow, ...(countryCode !== undefined && { countryCode }) };
}

function recordGateway(picture: Picture, { status, spec }: MobileGateway): void {
  const id = status?.id;
  if (!status || id === undefined) return;
  const { settings, simRoutes, trafficMonitoring, applied } = status;
  const dns = status.dns ?? applied?.dns;
  const gateway: Gateway = {
    id,
    name: status.name ?? '',
    availability: status.availability ?? 'available',
    ...(status.planID !== undefined && { planID: status.planID }),
    ...(status.instanceStatus !== undefined && { instanceStatus: status.instanceStatus }),
    ...(status.instanceStatusChangedAt !== undefined && { instanceStatusChangedAt: status.instanceStatusChangedAt }),
    ...(settings && {
      settings: {
        ...(settings.internetConnection !== undefined && { internetConnection: settings.internetConnection }),
        ...(settings.interDeviceCommunication !== undefined && {
          interDeviceCommunication: settings.interDeviceCommunication,
        }),
        privateInterface: settings.privateInterface ?? null,
        staticRoutes: [...(settings.staticRoutes ?? [])],
      },
    }),
    interfaces: (status.interfaces ?? []).map(({ ipAddress, scope, switchID }) => ({
      ...(ipAddress !== undefined && { ipAddress }),
      ...(switchID !== undefined && { switch: { id: switchID, ...(scope !== undefined && { scope }) } }),
    })),
    tags: [],
    ...(status.createdAt !== undefined && { createdAt: status.createdAt }),
  };
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
  const site: Site = {
    id,
    name: settings?.displayName ?? '',
    domainType: status.domainType ?? 'own_domain',
    domain,
    asciiDomain: status.asciiDomain ?? domain,
    subdomain: status.subdomain ?? '',
    status: status.status ?? 'enabled',
    ...(status.createdAt !== undefined && { createdAt: status.createdAt }),
    hasCertificate: !Number.isNaN(notAfter),
    hasOldCertificate: false,
    ...(!Number.isNaN(notBefore) && { certificateNotBefore: notBefore }),
    ...(!Number.isNaN(notAfter) && { certificateNotAfter: notAfter }),
  };
  picture.sites.set(id, site);
  if (status.accessControl) picture.accessControl.set(id, status.accessControl);
  const isUnseen = settings?.hasOneTimeURLSecret === undefined;
  if (isUnseen && applied?.oneTimeURLSecret !== undefined) picture.oneTimeURLSecrets.add(id);
  if (!settings) return;
  const { webServer, objectStorage, cors } = settings;
  const detail: SiteDetail = {
    ...site,
    requestProtocol: numberOf(REQUEST_PROTOCOLS, settings.requestProtocol),
    originType: numberOf(ORIGIN_TYPES, settings.originType),
    originProtocol: settings.originType === 'ObjectStorage' ? 'https' : (webServer?.protocol?.toLowerCase() ?? 'http'),
    ...(webServer?.host !== undefined && { origin: webServer.host }),
    ...(webServer?.hostHeader !== undefined && { hostHeader: webServer.hostHeader }),
    ...(objectStorage?.bucket !== undefined && { bucketName: objectStorage.bucket }),
    ...(objectStorage?.endpoint !== undefined && { s3Endpoint: objectStorage.endpoint }),
    ...(objectStorage?.region !== undefined && { s3Region: objectStorage.region }),
    docIndex: objectStorage?.documentIndex ?? false,
    varySupport: settings.vary ?? false,
    normalizeAE: settings.normalizeAcceptEncoding === 'BrotliAndGzip' ? 3 : 1,
    corsRules: cors?.allowAnyOrigin
      ? [{ allowsAnyOrigin: true }]
      : cors?.allowedOrigins
        ? [{ allowedOrigins: cors.allowedOrigins }]
        : [],
    ...(settings.defaultCacheTTL !== undefined && { defaultCacheTTL: settings.defaultCacheTTL }),
    hasOneTimeURLSecret: settings.hasOneTimeURLSecret ?? false,
    hasOriginGuardToken: false,
    hasNextOriginGuardToken: false,
  };
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
  return {
    id,
    ...(serialNumber !== undefined && { serialNumber }),
    sha256Fingerprint,
    ...(notBefore !== undefined && { notBefore: Date.parse(notBefore) }),
    ...(notAfter !== undefined && { notAfter: Date.parse(notAfter) }),
    issuer: issuer === undefined ? {} : { commonName: issuer },
    subject: subject === undefined ? {} : { commonName: subject },
    dnsNames: [...(dnsNames ?? [])],
  };
}
