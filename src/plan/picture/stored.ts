import type { Gateway } from '../../cloud/gateway/types.ts';
import { hasSession } from '../../cloud/sim/session.ts';
import type { SimItem } from '../../cloud/sim/types.ts';
import type { Certificate, Site, SiteDetail } from '../../cloud/site/types.ts';
import type * as model from '../../simulator/model.ts';
import type { StoredGateway, StoredWorld } from '../../simulator/state/snapshot.ts';
import { isZone, sharedZone } from '../../simulator/zones.ts';
import type { Picture } from './picture.ts';

/** Stands for a secret that is set at the service, which never shows it. */
export const UNSEEN = '(set, not shown)';
/** Stands for the IMEI of a lock that the service does not show. */
const UNSEEN_IMEI = '00000000000000';

/** A plan is played for no longer, and nothing goes through a SIM meanwhile. */
export const SILENT_MILLISECONDS = 86_400_000;

/** What is known of an account, as the simulated service keeps it. `now`: milliseconds since the Unix epoch. Pure. */
export function storedWorld(account: string, picture: Picture, now: number): StoredWorld {
  return {
    account,
    sims: [...picture.sims.values()].map((item) => storedSim(item, picture, now)),
    gateways: [...picture.gateways.values()].map((gateway) => storedGateway(gateway, picture, now)),
    sites: [...picture.sites.values()].map((site) => storedSite(site, picture, now)),
    servers: [],
    webAccelRequests: [],
  };
}

function timeOf(text: string | undefined): number | null {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? null : time;
}

function storedSim(item: SimItem, picture: Picture, now: number): model.Sim {
  const { id, status } = item;
  const registered = status?.registered ?? false;
  const isLocked = status?.imeiLock ?? false;
  const isUp = hasSession(status ?? {}) === true;
  const registeredAt = timeOf(status?.registeredAt) ?? now;
  return {
    id,
    zone: sharedZone,
    name: item.name,
    description: item.description ?? '',
    tags: [...item.tags],
    iccid: item.iccid,
    imsi: [...(status?.imsi ?? [])],
    createdAt: timeOf(item.createdAt) ?? 0,
    modifiedAt: timeOf(item.modifiedAt) ?? 0,
    activated: status?.activated ?? false,
    activatedAt: timeOf(status?.activatedAt),
    deactivatedAt: timeOf(status?.deactivatedAt),
    gatewayID: registered ? (status?.simgroupID ?? null) : null,
    registeredAt: registered ? registeredAt : null,
    ip: status?.ip ?? null,
    imeiLock: isLocked ? (status?.imei ?? picture.imeiLocks.get(id) ?? UNSEEN_IMEI) : null,
    connectedIMEI: status?.connectedIMEI ?? '',
    carriers: (
      picture.carriers.get(id) ?? [
        { name: 'KDDI', allow: true },
        { name: 'SoftBank', allow: true },
      ]
    ).map(({ name, allow }) => ({ name, allow })),
    counted: { at: now + SILENT_MILLISECONDS, uplinkBytes: 0, downlinkBytes: 0, ...status?.traffic },
    sessions: isUp ? [{ at: registeredAt, up: true }] : [],
    notFoundLeft: 0,
    shownAt: 0,
  };
}

function storedGateway(gateway: Gateway & { readonly zone: string }, picture: Picture, now: number): StoredGateway {
  const { id, settings } = gateway;
  const monitoring = picture.trafficMonitoring.get(id);
  const stored = settings
    ? {
        internetConnection: settings.internetConnection ?? null,
        interDeviceCommunication: settings.interDeviceCommunication ?? null,
        privateInterface: settings.privateInterface ?? null,
        staticRoutes: settings.staticRoutes ?? [],
      }
    : null;
  const availability = gateway.availability;
  return {
    id,
    zone: isZone(gateway.zone) ? gateway.zone : sharedZone,
    planID: gateway.planID ?? 2,
    name: gateway.name,
    description: gateway.description ?? '',
    tags: gateway.tags,
    createdAt: timeOf(gateway.createdAt) ?? 0,
    // What is migrating is taken to be done at once: how long it takes the service does not say.
    availableAt: now,
    availability: availability === 'available' || availability === 'migrating' ? null : availability,
    instanceStatus: gateway.instanceStatus?.toLowerCase() ?? 'down',
    instanceChangedAt: timeOf(gateway.instanceStatusChangedAt),
    stopped: false,
    publicIP: gateway.interfaces[0]?.ipAddress ?? '',
    switchID: gateway.interfaces[1]?.switch?.id ?? null,
    pending: stored,
    applied: stored && structuredClone(stored),
    // Whether its settings were ever put into effect nobody shows: most were.
    configuredAt: now,
    dns: picture.dns.get(id) ?? null,
    simRoutes: (picture.simRoutes.get(id) ?? []).map(({ resourceID, prefix }) => ({ simID: resourceID, prefix })),
    trafficMonitoring: monitoring
      ? {
          quotaMB: monitoring.quotaMB,
          autoTrafficShaping: monitoring.autoTrafficShaping,
          bandwidthLimitKbps: monitoring.bandwidthLimitKbps ?? null,
          email: monitoring.email,
          chat: monitoring.chat,
          chatURL: monitoring.chatWebhookURL ?? (monitoring.chat ? UNSEEN : ''),
        }
      : null,
    notFoundLeft: 0,
    shownAt: 0,
  };
}

function storedSite(listed: Site, picture: Picture, now: number): model.Site {
  const detail: (Site & Partial<SiteDetail>) | undefined = picture.siteDetails.get(listed.id);
  // The list is the newer, and has no settings.
  const site = { ...detail, ...listed };
  const certificates = picture.certificates.get(site.id);
  return {
    id: site.id,
    domainType: site.domainType,
    domain: site.domain,
    asciiDomain: site.asciiDomain,
    subdomain: site.subdomain,
    createdAt: timeOf(site.createdAt) ?? 0,
    status: site.status,
    settings: {
      Name: site.name,
      RequestProtocol: site.requestProtocol ?? 0,
      OriginType: site.originType ?? 0,
      OriginProtocol: site.originProtocol ?? 'http',
      DefaultCacheTTL: site.defaultCacheTTL ?? 0,
      VarySupport: Number(site.varySupport ?? false),
      NormalizeAE: site.normalizeAE ?? null,
      CORSRules: (site.corsRules ?? []).map(({ allowsAnyOrigin, allowedOrigins }) =>
        allowsAnyOrigin ? { AllowsAnyOrigin: true } : { AllowedOrigins: [...(allowedOrigins ?? [])] },
      ),
      Origin: site.origin ?? '',
      HostHeader: site.hostHeader ?? '',
      BucketName: site.bucketName ?? '',
      S3Endpoint: site.s3Endpoint ?? '',
      S3Region: site.s3Region ?? '',
      DocIndex: Number(site.docIndex ?? false),
    },
    oneTimeURLSecrets: site.hasOneTimeURLSecret || picture.oneTimeURLSecrets.has(site.id) ? [UNSEEN] : null,
    accessKeyID: site.originType === 1 ? UNSEEN : '',
    secretAccessKeyDigest: site.originType === 1 ? UNSEEN : '',
    acl: (picture.accessControl.get(site.id) ?? []).join('\n'),
    current:
      storedCertificate(certificates?.current, now) ?? (listed.hasCertificate ? datesOnly(listed, 'current') : null),
    previous:
      storedCertificate(certificates?.old[0], now) ?? (listed.hasOldCertificate ? datesOnly(listed, 'old') : null),
    originGuardToken: site.hasOriginGuardToken ? UNSEEN : '',
    nextOriginGuardToken: site.hasNextOriginGuardToken ? UNSEEN : '',
    autoCertUpdate: site.certType === 'auto',
    logUpload: null,
  };
}

function storedCertificate(certificate: Certificate | undefined, now: number): model.StoredCertificate | null {
  if (!certificate) return null;
  const { id, certificateChain = '', createdAt, updatedAt } = certificate;
  return {
    id,
    chain: certificateChain,
    createdAt: timeOf(createdAt) ?? now,
    updatedAt: timeOf(updatedAt) ?? now,
    shown: {
      serialNumber: certificate.serialNumber ?? '',
      notBefore: certificate.notBefore ?? 0,
      notAfter: certificate.notAfter ?? 0,
      sha256Fingerprint: certificate.sha256Fingerprint ?? '',
      dnsNames: certificate.dnsNames,
      issuer: certificate.issuer.commonName ?? '',
      subject: certificate.subject.commonName ?? '',
    },
  };
}

/** A certificate of which the list says that it is there, and how long it is good. */
function datesOnly(site: Site, generation: 'current' | 'old'): model.StoredCertificate {
  const [notBefore = 0, notAfter = 0] =
    generation === 'current' ? [site.certificateNotBefore, site.certificateNotAfter] : [];
  const shown = { serialNumber: '', notBefore, notAfter, sha256Fingerprint: '', dnsNames: [], issuer: '', subject: '' };
  return { id: '', chain: '', createdAt: 0, updatedAt: 0, shown };
}
